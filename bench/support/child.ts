import { fork, type ChildProcess } from 'node:child_process';

/** A program in a process of its own that answers one request at a time. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  /** Resolves with what the program ended with. */
  readonly #ended: Promise<string>;

  /**
   * @param file - the program, a URL of a TypeScript file.
   * @param args - its arguments.
   * @param nodeOptions - further options of Node.
   */
  constructor(file: URL, args: readonly string[] = [], nodeOptions: readonly string[] = []) {
    this.#process = fork(file, args, { execArgv: ['--import', 'tsx', ...nodeOptions] });
    this.#ended = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => {
        resolve(String(code ?? signal));
      });
    });
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @throws Error when the program ends instead.
   */
  async ask<Answer>(request: object): Promise<Answer> {
    const answer = new Promise<Answer>((resolve) => {
      this.#process.once('message', (value) => {
        resolve(value as Answer);
      });
    });
    const failure = this.#ended.then((reason) => Promise.reject(new Error(`The program ended with ${reason}`)));
    this.#process.send(request);
    return Promise.race([answer, failure]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill();
    await this.#ended;
  }
}

/** Answers the requests of the process that started this one, until it lets go. */
export function answerRequests(answer: (request: never) => Promise<object>): void {
  process.on('message', (request) => {
    void answer(request as never).then((value) => process.send?.(value));
  });
  process.on('disconnect', () => process.exit());
}
