import type { Worker } from 'node:worker_threads';

/** What can go wrong with a thread. */
export interface ThreadTrouble {
  /** `timeout` is about a request, the others about the thread. */
  readonly kind: 'late-start' | 'timeout' | 'crash';
  /** What it did, such as `ended unexpectedly (exit code 1)`. */
  readonly what: string;
}

interface Waiting<Reply> {
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * A thread for work that may hang or break it. It says once, by any message, that it is ready, and then serves one
 * request after the other until something goes wrong; then its owner closes it and starts another. It does not keep the
 * process open.
 */
export class WorkerThread<Request, Reply> {
  readonly #worker: Worker;
  readonly #errorOf: (trouble: ThreadTrouble) => Error;
  #waiting: Waiting<Reply> | undefined;
  /** Whether it ended, or was told to. */
  #ended = false;

  /**
   * @param worker - just started.
   * @param errorOf - makes the error of what went wrong.
   */
  constructor(worker: Worker, errorOf: (trouble: ThreadTrouble) => Error) {
    this.#worker = worker;
    this.#errorOf = errorOf;
    worker.on('message', (message: Reply) => {
      this.#settle(({ resolve }) => {
        resolve(message);
      });
    });
    const end = (why: string): void => {
      this.#ended = true;
      this.#fail({ kind: 'crash', what: `ended unexpectedly (${why})` });
    };
    // Only the code: a message may quote what the thread was working on.
    worker.on('error', (error: Error & { code?: string }) => {
      end(error.code ?? error.name);
    });
    worker.on('messageerror', () => {
      end('unreadable');
    });
    worker.on('exit', (code) => {
      end(`exit code ${code}`);
    });
    // After the listeners: a listener for messages takes it back.
    worker.unref();
  }

  /** Whether it serves no more. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Waits until it says that it is ready: once, before the first request.
   *
   * @param timeoutMs - in milliseconds.
   * @throws what `errorOf` makes.
   */
  async ready(timeoutMs: number): Promise<void> {
    await this.#wait(timeoutMs, { kind: 'late-start', what: 'did not start in time' });
  }

  /**
   * Asks, one at a time.
   *
   * @param deadlineMs - for the answer, in milliseconds. Afterwards the thread is still busy: close it.
   * @throws what `errorOf` makes.
   */
  async request(request: Request, deadlineMs: number): Promise<Reply> {
    const reply = this.#wait(deadlineMs, { kind: 'timeout', what: `ran for more than ${deadlineMs} ms` });
    try {
      if (!this.#ended) this.#worker.postMessage(request);
    } catch (error) {
      // Not everything can be copied into another thread.
      this.#fail({ kind: 'crash', what: `could not be given its work (${(error as Error).name})` });
    }
    return reply;
  }

  /** Ends the thread, whatever it is busy with, and waits until it is gone. Idempotent. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#fail({ kind: 'crash', what: 'was closed' });
    await this.#worker.terminate();
  }

  #wait(timeoutMs: number, late: ThreadTrouble): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // After a pause of this thread the answer may be here already, unread: it comes before this.
        setImmediate(() => {
          if (this.#waiting?.timer === timer) this.#fail(late);
        });
      }, timeoutMs);
      this.#waiting = { resolve, reject, timer };
      if (this.#ended) this.#fail({ kind: 'crash', what: 'ended unexpectedly' });
    });
  }

  #fail(trouble: ThreadTrouble): void {
    this.#settle(({ reject }) => {
      reject(this.#errorOf(trouble));
    });
  }

  #settle(how: (waiting: Waiting<Reply>) => void): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    how(waiting);
  }
}
