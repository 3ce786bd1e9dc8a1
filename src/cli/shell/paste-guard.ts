import type { Interface } from 'node:readline';

/** What of readline is not public: it offers completions only for keys that come one by one. */
interface Internals {
  isCompletionEnabled: boolean;
}

/** A key as readline gets it after this. */
interface Key {
  name?: string;
}

/**
 * Sees to keys that arrive all at once, as what is pasted does. Readline adds all of them but the last to the end of the
 * line, wherever its cursor is, and does not count the rows that the line then takes.
 */
export class PasteGuard {
  readonly #readline: () => Interface;
  readonly #recount: () => void;
  #pasting = false;
  /** Whether what is pasted goes elsewhere than to the end of the line. */
  #inside = false;

  /**
   * @param readline - the one that edits now.
   * @param recount - tells readline in which row its cursor is.
   */
  constructor(readline: () => Interface, recount: () => void) {
    this.#readline = readline;
    this.#recount = recount;
  }

  /** To be called before readline gets the key. */
  onKey(key: Key | undefined): void {
    const readline = this.#readline();
    const internals = readline as unknown as Internals;
    const isAmongMany = !internals.isCompletionEnabled;
    if (isAmongMany) this.#begin();
    if (!this.#pasting) return;
    // At the end of the line its way is right, and fast.
    if (isAmongMany && readline.cursor === readline.line.length) return;
    this.#recount();
    internals.isCompletionEnabled = true;
    this.#inside ||= isAmongMany;
    // Among others a tab completes nothing: it is a character.
    if (this.#inside && key?.name === 'tab') key.name = '';
  }

  /** All that arrived at once is dealt with before anything else happens. */
  #begin(): void {
    if (this.#pasting) return;
    this.#pasting = true;
    queueMicrotask(() => {
      this.#pasting = false;
      this.#inside = false;
      this.#recount();
    });
  }
}
