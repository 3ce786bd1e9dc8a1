/** Tells when nothing has happened for a while, each time anew. */
export class IdleWatch {
  readonly #timer: NodeJS.Timeout | undefined;

  /** @param ms - how long is too long; 0 for no limit. */
  constructor(ms: number, onIdle: () => void) {
    if (ms > 0) this.#timer = setInterval(onIdle, Math.min(ms, 2 ** 31 - 1)).unref();
  }

  /** Something happened. */
  touch(): void {
    this.#timer?.refresh();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
