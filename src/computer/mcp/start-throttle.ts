import { reasonOf } from '../../client/index.js';

/** How many starts may run at a time. */
export interface StartThrottleOptions {
  /** @default 2 */
  readonly slots?: number;
  /** A start that takes longer gives its slot away, in ms, so that a slow installer delays nobody. @default 5000 */
  readonly holdMs?: number;
}

/** Gives a slot back. */
export type ReleaseSlot = () => void;

/** Lets only so many servers start at a time: each costs a third of a second of CPU and more. */
export class StartThrottle {
  readonly #holdMs: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(options: StartThrottleOptions = {}) {
    this.#free = options.slots ?? 2;
    this.#holdMs = options.holdMs ?? 5_000;
  }

  /** Waits for a slot. Rejects with the signal's reason. */
  async acquire(signal: AbortSignal): Promise<ReleaseSlot> {
    if (signal.aborted) throw reasonOf(signal);
    if (this.#free > 0) this.#free -= 1;
    else await this.#queue(signal);
    const timer = setTimeout(() => {
      release();
    }, this.#holdMs);
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      clearTimeout(timer);
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
    return release;
  }

  #queue(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(reasonOf(signal));
      };
      const enter = (): void => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }
}
