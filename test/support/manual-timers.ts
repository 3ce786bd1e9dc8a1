import type { TimerHandle, Timers } from '../../src/server/index.js';

/** Timers that fire when the test says so. */
export class ManualTimers implements Timers {
  readonly #running = new Map<TimerHandle, { readonly delayMs: number; readonly fire: () => void }>();
  readonly #waiting = new Set<() => void>();

  start<T>(fire: (argument: T) => void, delayMs: number, argument: T): TimerHandle {
    const handle = setTimeout(() => undefined, 0);
    this.#running.set(handle, {
      delayMs,
      fire: () => {
        fire(argument);
      },
    });
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    return handle;
  }

  stop(handle: TimerHandle): void {
    this.#running.delete(handle);
  }

  /** The delays of the timers that run, in milliseconds. */
  get delays(): readonly number[] {
    return [...this.#running.values()].map(({ delayMs }) => delayMs);
  }

  /** Resolves when a timer runs. */
  async started(): Promise<void> {
    if (this.#running.size > 0) return;
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Fires every timer that runs. */
  fireAll(): void {
    const timers = [...this.#running.values()];
    this.#running.clear();
    for (const { fire } of timers) fire();
  }
}
