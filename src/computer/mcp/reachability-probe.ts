import { backoffDelay } from '../../client/index.js';

/** After so many probes in a row that failed, the server counts as gone. */
const MAX_PROBES = 3;

/** What a {@link ReachabilityProbe} works with. */
export interface ReachabilityProbeOptions {
  /** The wait before the first probe, in ms; doubled each time. */
  readonly firstMs: number;
  /** Sends something to the server. How it went is told by {@link ReachabilityProbe.note}. */
  ping(): Promise<void>;
  /** The server cannot be reached now, with why; `undefined`: it can. */
  onProblem(problem: string | undefined): void;
  /** The server could not be reached several times in a row. */
  onLost(problem: string): void;
}

/**
 * Finds out whether an HTTP server that could not be reached is back, which otherwise only the next call would tell. A
 * few attempts only: then the server is started anew, as one that crashed.
 */
export class ReachabilityProbe {
  readonly #options: ReachabilityProbeOptions;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;

  constructor(options: ReachabilityProbeOptions) {
    this.#options = options;
  }

  /** A request could not reach the server, with why; `undefined`: one could. */
  note(problem: string | undefined): void {
    if (this.#closed) return;
    if (problem === undefined) {
      if (this.#failures === 0) return;
      this.#failures = 0;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#options.onProblem(undefined);
    } else if (this.#timer === undefined) {
      this.#failed(problem);
    }
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #failed(problem: string): void {
    this.#failures += 1;
    if (this.#failures > MAX_PROBES) {
      this.close();
      this.#options.onLost(problem);
      return;
    }
    this.#options.onProblem(problem);
    const { firstMs } = this.#options;
    const wait = backoffDelay(this.#failures - 1, { minMs: firstMs, maxMs: firstMs * 2 ** MAX_PROBES });
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#options.ping().catch(() => undefined);
    }, wait);
  }
}
