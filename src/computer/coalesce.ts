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

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** After so many runs in a row that changed nothing, who asks within one is taken to ask because of it. */
const MAX_ECHOES = 8;

/** How long to wait after so many runs in a row that changed nothing, in ms: the first costs no time. */
function pauseAfter(idleRuns: number): number {
  return idleRuns < 2 ? 0 : Math.min(SHORTEST_PAUSE_MS * 2 ** (idleRuns - 2), LONGEST_PAUSE_MS);
}

/**
 * Runs an asynchronous action once at a time. A request is followed by a run that begins after it, those that come while
 * it runs by one together: two hundred notifications in a tick cost two runs, and the last state is not missed.
 *
 * When two runs in a row changed nothing there is a pause before the next, longer each time and at most 5 s; a peer that
 * notifies whenever it is asked is asked eight times at most, over some seconds, and then only when it notifies unasked.
 */
export class SingleRun {
  readonly #act: () => Promise<boolean>;
  #running: Promise<void> | undefined;
  #again = false;
  /** Runs in a row that changed nothing. */
  #idleRuns = 0;
  #lastEnd = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param act - tells whether it changed anything; must not reject. It may be called up to 5 s after a request, and is
   *   to do nothing when it is not wanted any more.
   */
  constructor(act: () => Promise<boolean>) {
    this.#act = act;
  }

  /** Asks for a run. @returns settled when nothing runs any more; a run that waits for its pause is not waited for. */
  request(): Promise<void> {
    if (this.#running !== undefined) {
      this.#again = true;
      return this.#running;
    }
    if (this.#timer !== undefined) return Promise.resolve();
    const pauseMs = pauseAfter(this.#idleRuns);
    const restedMs = performance.now() - this.#lastEnd;
    if (restedMs < pauseMs) {
      this.#runAfter(pauseMs - restedMs);
      return Promise.resolve();
    }
    if (restedMs > 2 * pauseMs) this.#idleRuns = 0;
    return this.#run();
  }

  #run(): Promise<void> {
    this.#running = this.#loop();
    return this.#running;
  }

  #runAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#run();
    }, ms);
    // Nobody waits for it: it must not keep a process alive that has ended everything else.
    this.#timer.unref();
  }

  async #loop(): Promise<void> {
    // Not before `#running` is set: the action may ask for a run itself.
    await Promise.resolve();
    do {
      this.#again = false;
      this.#idleRuns = (await this.#act()) ? 0 : this.#idleRuns + 1;
    } while (this.#isAskedAgain() && pauseAfter(this.#idleRuns) === 0);
    this.#lastEnd = performance.now();
    this.#running = undefined;
    if (this.#isAskedAgain() && this.#idleRuns < MAX_ECHOES) this.#runAfter(pauseAfter(this.#idleRuns));
  }

  /** Asked anew each time: it changes while we wait. */
  #isAskedAgain(): boolean {
    return this.#again;
  }
}
