import { abortable } from '../../client/index.js';

/** Asks a person one question at a time: two prompts would share one terminal. */
export class PromptQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Asks when those before have been answered or given up.
   *
   * @param signal - gives the question up, also one that has not been asked yet: then it never is.
   * @returns the answer. Rejects with the signal's reason, and with what the question throws.
   */
  ask<T>(question: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const before = this.#last;
    const turn = abortable(before, signal).then(() => abortable(question(), signal));
    // A question that is given up while it waits does not let the next one overtake those before it.
    this.#last = Promise.allSettled([before, turn]);
    return turn;
  }
}
