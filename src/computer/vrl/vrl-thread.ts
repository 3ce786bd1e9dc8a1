import { Worker, type WorkerOptions } from 'node:worker_threads';
import { VrlError } from './vrl-error.js';
import type { VrlReply, VrlRequest, VrlWorkerData } from './vrl-messages.js';

/** The heap of the thread. The interpreter's own memory does not count here. */
const MAX_HEAP_MB = 512;

interface Waiting {
  readonly resolve: (reply: VrlReply) => void;
  readonly reject: (error: VrlError) => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

/**
 * One thread with the VRL interpreter in it. It serves one request after the other until something goes wrong; then
 * its owner closes it and starts another.
 */
export class VrlThread {
  readonly #worker: Worker;
  #waiting: Waiting | undefined;
  /** Whether it ended, or was told to. */
  #ended = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (message: VrlReply) => {
      this.#settle(({ resolve }) => {
        resolve(message);
      });
    });
    const end = (why: string): void => {
      this.#ended = true;
      this.#fail(new VrlError('crash', `The VRL interpreter ended unexpectedly (${why})`));
    };
    // Only the code: a message may quote the event.
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

  /** Starts a thread. It is ready when {@link VrlThread.ready} says so. */
  static start(data: VrlWorkerData): VrlThread {
    return new VrlThread(startWorker(data));
  }

  /** Whether it serves no more. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Waits until the interpreter is loaded: some 500 ms, once, before the first request.
   *
   * @param timeoutMs - in milliseconds.
   * @throws VrlError `timeout`, `crash`.
   */
  async ready(timeoutMs: number): Promise<void> {
    await this.#wait(timeoutMs, 'The VRL interpreter did not start in time');
  }

  /**
   * Asks, one at a time.
   *
   * @param deadlineMs - for the answer, in milliseconds. Afterwards the thread is still busy: close it.
   * @throws VrlError `timeout`, `crash`.
   */
  async request(request: VrlRequest, deadlineMs: number): Promise<VrlReply> {
    const reply = this.#wait(deadlineMs, `The VRL script ran for more than ${deadlineMs} ms`);
    if (!this.#ended) this.#worker.postMessage(request);
    return reply;
  }

  /** Ends the thread, whatever it is busy with, and waits until it is gone. Idempotent. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#fail(new VrlError('crash', 'The VRL interpreter was closed'));
    await this.#worker.terminate();
  }

  #wait(timeoutMs: number, problem: string): Promise<VrlReply> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // After a pause of this thread the answer may be here already, unread: it comes before this.
        setImmediate(() => {
          if (this.#waiting?.timer === timer) this.#fail(new VrlError('timeout', problem));
        });
      }, timeoutMs);
      this.#waiting = { resolve, reject, timer };
      if (this.#ended) this.#fail(new VrlError('crash', 'The VRL interpreter ended unexpectedly'));
    });
  }

  #fail(error: VrlError): void {
    this.#settle(({ reject }) => {
      reject(error);
    });
  }

  #settle(how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    how(waiting);
  }
}

/**
 * The package holds `.js` files, which Node runs as they are. Tests and examples run the `.ts` files; there a file that
 * is not part of the package gives the thread the loader that it needs, because no test runner hands its own on.
 */
function startWorker(workerData: VrlWorkerData): Worker {
  const options: WorkerOptions = {
    workerData,
    // The interpreter prints when it breaks, and what it prints may quote the event: nobody reads it. It is little, as a
    // broken interpreter is given up; and reading it would keep the process open.
    stdout: true,
    stderr: true,
    // Some flags of the process, such as --input-type, keep a thread from starting.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  };
  // Written so that bundlers see the second file only.
  const forSource = import.meta.url.replace(/vrl-thread\.ts$/, 'vrl-worker.dev.mjs');
  if (forSource !== import.meta.url) return new Worker(new URL(forSource), options);
  return new Worker(new URL('./vrl-worker.js', import.meta.url), options);
}
