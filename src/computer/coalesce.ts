/**
 * Runs an action at most once per `intervalMs`, at once when the last run is long enough ago and else as soon as it is:
 * of a burst the last state is never missed.
 */
export class Coalescer {
  readonly #act: () => void;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #lastRun = Number.NEGATIVE_INFINITY;
  #closed = false;

  /** @param act - must not throw. */
  constructor(act: () => void, intervalMs: number) {
    this.#act = act;
    this.#intervalMs = intervalMs;
  }

  /** Asks for a run. */
  request(): void {
    if (this.#closed || this.#timer !== undefined) return;
    const waitMs = this.#lastRun + this.#intervalMs - performance.now();
    if (waitMs <= 0) this.#run();
    else
      this.#timer = setTimeout(() => {
        this.#run();
      }, waitMs);
  }

  /** Drops what is pending and takes nothing more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    this.#timer = undefined;
    this.#lastRun = performance.now();
    this.#act();
  }
}

/**
 * Runs an asynchronous action once at a time; requests that come while it runs are answered by one more run after it.
 * Two hundred notifications in a tick cost two runs. Requests that come during a further run that changed nothing are
 * not answered, so that a peer that notifies whenever it is asked does not keep this going for ever.
 */
export class SingleRun {
  readonly #act: () => Promise<boolean>;
  #running: Promise<void> | undefined;
  #again = false;

  /** @param act - tells whether it changed anything; must not reject. */
  constructor(act: () => Promise<boolean>) {
    this.#act = act;
  }

  /** Asks for a run. @returns settled when nothing runs any more. */
  request(): Promise<void> {
    if (this.#running === undefined) this.#running = this.#loop();
    else this.#again = true;
    return this.#running;
  }

  async #loop(): Promise<void> {
    // Not before `#running` is set: the action may ask for a run itself.
    await Promise.resolve();
    let changed = true;
    for (let first = true; first || (this.#again && changed); first = false) {
      this.#again = false;
      changed = (await this.#act()) || first;
    }
    this.#running = undefined;
  }
}
