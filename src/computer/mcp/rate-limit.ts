/** Lets at most so many things through in each second; for log lines that an MCP server causes. */
export class RateLimit {
  readonly #perSecond: number;
  readonly #now: () => number;
  #second = -1;
  #used = 0;
  #suppressed = 0;

  constructor(perSecond: number, now: () => number = Date.now) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** Whether one more may pass now. */
  take(): boolean {
    const second = Math.floor(this.#now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#used = 0;
    }
    if (this.#used >= this.#perSecond) {
      this.#suppressed += 1;
      return false;
    }
    this.#used += 1;
    return true;
  }

  /** How many were held back since this was last asked. */
  takeSuppressed(): number {
    const count = this.#suppressed;
    this.#suppressed = 0;
    return count;
  }
}
