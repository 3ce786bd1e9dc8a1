/** Limits how much text is kept altogether. */
export class TextBudget {
  #left: number;

  /** @param limit - in characters. */
  constructor(limit: number) {
    this.#left = limit;
  }

  /** Takes room for a text. @returns whether there was enough. */
  take(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }

  /** Gives it back. */
  give(characters: number): void {
    this.#left += characters;
  }
}
