import { CallCancelledError, CallTimeoutError } from './mcp-errors.js';

interface Waiting {
  readonly enter: () => void;
}

/** Lets only so many calls run on one server at a time; the others wait in order, and their wait counts as call time. */
export class CallLimiter {
  readonly #server: string;
  readonly #waiting: Waiting[] = [];
  #free: number;

  constructor(server: string, parallel: number) {
    this.#server = server;
    this.#free = parallel;
  }

  /** Takes a place if one is free now. */
  tryEnter(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /**
   * Waits for a place.
   *
   * @returns the ms that are left of `timeoutMs`.
   * @throws CallTimeoutError, CallCancelledError.
   */
  async enter(timeoutMs: number, signal: AbortSignal | undefined): Promise<number> {
    if (signal?.aborted === true) throw new CallCancelledError(this.#server);
    const began = performance.now();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        enter: () => {
          leave();
          resolve();
        },
      };
      const giveUp = (error: Error): void => {
        leave();
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(error);
      };
      const onAbort = (): void => {
        giveUp(new CallCancelledError(this.#server));
      };
      const timer = setTimeout(giveUp, Math.min(timeoutMs, 2 ** 31 - 1), new CallTimeoutError(this.#server, timeoutMs));
      signal?.addEventListener('abort', onAbort);
      this.#waiting.push(waiting);
    });
    return Math.max(1, timeoutMs - (performance.now() - began));
  }

  /** Gives a place back. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.enter();
  }
}
