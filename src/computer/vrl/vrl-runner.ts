import { VrlError } from './vrl-error.js';
import { assertScriptFits, DEFAULT_VRL_LIMITS, eventText, type VrlLimits } from './vrl-limits.js';
import type { VrlReply, VrlRequest } from './vrl-messages.js';
import { describeFailure, describeProblems, toProblem, type VrlProblem } from './vrl-problem.js';
import { startVrlThread, type VrlThread } from './vrl-thread.js';

/** How to make a {@link VrlRunner}. */
export interface VrlRunnerOptions {
  /** For one script, once it runs, in milliseconds. @default 1000 */
  readonly deadlineMs?: number;
  /** For loading the interpreter, in milliseconds. @default 30000 */
  readonly startTimeoutMs?: number;
  /** For one script with the wait for its turn, in milliseconds. @default 10000 */
  readonly maxWaitMs?: number;
  /** What is refused beforehand. */
  readonly limits?: Partial<VrlLimits>;
}

interface Job {
  readonly request: VrlRequest;
  readonly resolve: (reply: VrlReply) => void;
  readonly reject: (error: unknown) => void;
  /** What it holds while it waits, in UTF-16 units. */
  readonly length: number;
}

/** A script that fails so often in a row, at its own or the thread's cost, is not run any more. */
const MOST_OFFENCES = 3;

/**
 * Runs VRL scripts, one at a time in the order of asking, in a thread of its own that is started with the first script
 * and replaced whenever a script hangs or breaks it: the interpreter cannot be stopped otherwise, and once broken it
 * fails for ever. Protocol §7.4.
 */
export class VrlRunner {
  readonly #deadlineMs: number;
  readonly #startTimeoutMs: number;
  readonly #maxWaitMs: number;
  readonly #limits: VrlLimits;
  readonly #queue: Job[] = [];
  #queuedLength = 0;
  /** How often in a row a script cost the thread. */
  readonly #offences = new Map<string, number>();
  #thread: VrlThread | undefined;
  #working: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: VrlRunnerOptions = {}) {
    this.#deadlineMs = options.deadlineMs ?? 1000;
    this.#startTimeoutMs = options.startTimeoutMs ?? 30_000;
    this.#maxWaitMs = options.maxWaitMs ?? 10_000;
    this.#limits = { ...DEFAULT_VRL_LIMITS, ...options.limits };
  }

  /**
   * What the compiler says of a script, errors first. A script that was put aside because it kept failing gets another
   * chance.
   *
   * @throws VrlError `limit`, `timeout`, `crash`.
   */
  async check(source: string): Promise<VrlProblem[]> {
    assertScriptFits(source, this.#limits);
    this.#offences.delete(source);
    const waitMs = this.#maxWaitMs + this.#startTimeoutMs;
    const reply = await this.#ask({ type: 'check', source }, waitMs);
    if (reply.type === 'checked') return reply.diagnostics.map((raw) => toProblem(source, raw));
    throw failureOf(source, reply);
  }

  /**
   * Makes sure that a script can run.
   *
   * @returns the compiler's warnings.
   * @throws VrlError `compile`, showing place and reason of each error; and as {@link VrlRunner.check}.
   */
  async assertCompiles(source: string): Promise<VrlProblem[]> {
    const problems = await this.check(source);
    if (problems.some(({ severity }) => severity === 'error')) {
      throw new VrlError('compile', describeProblems(problems));
    }
    return problems;
  }

  /**
   * Runs a script.
   *
   * @param event - a copy in JSON is what the script gets.
   * @param options - `timeoutMs`: for the run with the wait for its turn, in milliseconds.
   * @returns the event after the script.
   * @throws VrlError of any kind.
   */
  async run(source: string, event: unknown, options: { readonly timeoutMs?: number } = {}): Promise<unknown> {
    return JSON.parse(await this.runToJson(source, event, options)) as unknown;
  }

  /** As {@link VrlRunner.run}, but the outcome is JSON text. */
  async runToJson(source: string, event: unknown, options: { readonly timeoutMs?: number } = {}): Promise<string> {
    assertScriptFits(source, this.#limits);
    const text = eventText(event, this.#limits);
    const waitMs = Math.min(options.timeoutMs ?? this.#maxWaitMs, this.#maxWaitMs);
    const reply = await this.#ask({ type: 'run', source, event: text }, waitMs);
    if (reply.type === 'done') return reply.event;
    throw failureOf(source, reply);
  }

  /** Ends what runs and what waits, and waits until the thread is gone. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    for (const job of this.#queue.splice(0)) job.reject(closedError());
    await this.#dropThread();
    await this.#working;
  }

  async #ask(request: VrlRequest, waitMs: number): Promise<VrlReply> {
    if (this.#closing !== undefined) throw closedError();
    const length = request.source.length + (request.type === 'run' ? request.event.length : 0);
    const { maxWaiting, maxWaitingLength } = this.#limits;
    if (this.#queue.length >= maxWaiting || this.#queuedLength + length > maxWaitingLength) {
      throw new VrlError('limit', 'Too many VRL scripts wait for their turn');
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise((resolve, reject) => {
        const job = { request, resolve, reject, length };
        timer = setTimeout(() => {
          this.#forget(job);
          reject(new VrlError('timeout', 'The VRL script did not get its turn in time'));
        }, waitMs);
        this.#enqueue(job);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #enqueue(job: Job): void {
    this.#queue.push(job);
    this.#queuedLength += job.length;
    this.#working ??= this.#work();
  }

  /** Takes a job out of the queue, if it still waits. */
  #forget(job: Job): void {
    const at = this.#queue.indexOf(job);
    if (at === -1) return;
    this.#queue.splice(at, 1);
    this.#queuedLength -= job.length;
  }

  async #work(): Promise<void> {
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      this.#forget(job);
      await this.#serve(job);
    }
    this.#working = undefined;
  }

  async #serve({ request, resolve, reject }: Job): Promise<void> {
    const { source } = request;
    const offences = this.#offences.get(source) ?? 0;
    if (offences >= MOST_OFFENCES) {
      reject(new VrlError('limit', `The VRL script is put aside: it hung or broke ${MOST_OFFENCES} times in a row`));
      return;
    }
    try {
      const thread = await this.#readyThread();
      this.#offences.set(source, offences + 1);
      const reply = await thread.request(request, this.#deadlineMs);
      if (reply.type === 'broken') throw new VrlError('crash', BROKEN);
      this.#offences.delete(source);
      resolve(reply);
    } catch (error) {
      reject(error instanceof VrlError ? error : new VrlError('crash', 'The VRL interpreter could not be started'));
      await this.#dropThread();
    }
  }

  async #readyThread(): Promise<VrlThread> {
    if (this.#thread?.ended === true) await this.#dropThread();
    if (this.#closing !== undefined) throw closedError();
    if (this.#thread !== undefined) return this.#thread;
    const { maxMemoryBytes, maxResultBytes } = this.#limits;
    this.#thread = startVrlThread({ maxMemoryBytes, maxResultBytes });
    const thread = this.#thread;
    await thread.ready(this.#startTimeoutMs);
    return thread;
  }

  async #dropThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }
}

const BROKEN = 'The VRL script broke the interpreter: it needs too much memory or nests too deep';

function closedError(): VrlError {
  return new VrlError('crash', 'The runner of VRL scripts is closed');
}

function failureOf(source: string, reply: VrlReply): VrlError {
  switch (reply.type) {
    case 'invalid':
      return new VrlError('compile', describeProblems(reply.diagnostics.map((raw) => toProblem(source, raw))));
    case 'failed':
      return new VrlError('runtime', describeFailure(source, reply.text));
    case 'too-large':
      return new VrlError('limit', `The event after the VRL script is too large: ${reply.bytes} bytes`);
    case 'broken':
    case 'checked':
    case 'done':
      return new VrlError('crash', BROKEN);
  }
}
