import { setMaxListeners } from 'node:events';
import { abortable } from '../../client/index.js';

/**
 * One piece of work that several wait for. It is given up when the last of them has gone, in the next turn of the event
 * loop: who starts anew and asks for the same at once finds it still there.
 */
export class SharedWork<T> {
  readonly #abort = new AbortController();
  readonly #reasonToGiveUp: () => Error;
  readonly #settled: {
    readonly promise: Promise<T>;
    readonly resolve: (value: T) => void;
    readonly reject: (e: Error) => void;
  };
  #waiting = 0;
  #isDone = false;

  /**
   * @param work - begins at once; should end soon after its signal is aborted, which is not waited for.
   * @param reasonToGiveUp - what becomes of it when nobody waits any more.
   */
  constructor(work: (signal: AbortSignal) => Promise<T>, reasonToGiveUp: () => Error) {
    this.#reasonToGiveUp = reasonToGiveUp;
    // Whatever is done for it may listen.
    setMaxListeners(0, this.#abort.signal);
    let resolve!: (value: T) => void;
    let reject!: (error: Error) => void;
    const promise = new Promise<T>((onValue, onError) => {
      resolve = onValue;
      reject = onError;
    });
    this.#settled = { promise, resolve, reject };
    promise.catch(() => undefined);
    work(this.#abort.signal)
      .then(resolve, reject)
      .finally(() => {
        this.#isDone = true;
      });
  }

  /** What comes of it. */
  get outcome(): Promise<T> {
    return this.#settled.promise;
  }

  /** Waits for the outcome, or until the signal is aborted, with its reason. */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await abortable(this.outcome, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) {
        setImmediate(() => {
          if (this.#waiting === 0) this.end(this.#reasonToGiveUp());
        });
      }
    }
  }

  /** Ends the work; this is its outcome, unless there is one. */
  settle(value: T): void {
    this.#settled.resolve(value);
    this.#stop();
  }

  /** Ends the work with an error, unless it is done. */
  end(error: Error): void {
    this.#settled.reject(error);
    this.#stop(error);
  }

  /** Who has answered already is not told that the answer is not wanted. */
  #stop(reason?: Error): void {
    if (!this.#isDone) this.#abort.abort(reason);
    this.#isDone = true;
  }
}
