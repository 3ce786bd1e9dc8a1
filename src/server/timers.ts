/** A running timer. */
export type TimerHandle = ReturnType<typeof setTimeout>;

/** How the Server waits; replaced by tests that do not want to. */
export interface Timers {
  /** Calls `fire(argument)` after `delayMs` milliseconds. */
  start<T>(fire: (argument: T) => void, delayMs: number, argument: T): TimerHandle;
  /** Takes a timer off; one that has fired is ignored. */
  stop(handle: TimerHandle): void;
}

/** The timers of Node. */
export const systemTimers: Timers = {
  start: (fire, delayMs, argument) => setTimeout(fire, delayMs, argument),
  stop: (handle) => {
    clearTimeout(handle);
  },
};
