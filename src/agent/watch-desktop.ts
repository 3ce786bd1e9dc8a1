import { backoffDelay, ConnectionError, linkedSignal, RequestTimeoutError, type Unsubscribe } from '../client/index.js';
import { ErrorCode, ProtocolError } from '../protocol/index.js';
import type { AgentEvents } from './agent-events.js';
import type { DesktopOptions } from './computer-queries.js';

/** What `watchDesktop` takes. */
export interface WatchDesktopOptions extends DesktopOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** What watching needs of an Agent. */
export interface DesktopSource {
  on<E extends keyof AgentEvents>(event: E, listener: (...args: AgentEvents[E]) => void): Unsubscribe;
  getDesktop(computer: string, options: DesktopOptions): Promise<readonly string[]>;
  /** Aborts when the Agent is closed. */
  readonly closing: AbortSignal;
}

const RETRY = { minMs: 1_000, maxMs: 30_000 };

/** What has passed by then: the Computer or the connection comes back, which is told, or somebody was busy. */
const AWAITED: readonly (number | undefined)[] = [ErrorCode.NotFound, ErrorCode.NotInRoom];
const PASSING: readonly (number | undefined)[] = [ErrorCode.Timeout, ErrorCode.Internal];

/**
 * The desktop of a Computer, and again after each change that shows. One is fetched at a time: what changes meanwhile is
 * fetched once more, and the last state is never missed. Protocol §8.1, §3.4.
 */
export async function* watchDesktop(
  source: DesktopSource,
  computer: string,
  options: WatchDesktopOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  const { signal, release } = linkedSignal([options.signal, source.closing]);
  const news = new News(source, computer, signal);
  const next = (): Promise<readonly string[]> => source.getDesktop(computer, { ...options, signal });
  try {
    let shown = await untilAborted(next, signal);
    if (shown !== undefined) yield shown;
    while (await news.wait()) {
      const fresh = await untilAborted(() => persistently(next, news), signal);
      if (fresh === undefined || isSame(fresh, shown)) continue;
      shown = fresh;
      yield fresh;
    }
  } finally {
    news.close();
    release();
  }
}

/** @returns `undefined` when the signal was aborted: then an error is its doing. */
async function untilAborted<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return signal.aborted ? undefined : await act();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** Fetches again after a failure that passes: as soon as there is news, or after a while. */
async function persistently(fetch: () => Promise<readonly string[]>, news: News): Promise<readonly string[]> {
  for (let failures = 0; ; failures += 1) {
    news.forget();
    try {
      return await fetch();
    } catch (error) {
      if (!isPassing(error)) throw error;
      const goesOn = await news.wait(isAwaited(error) ? undefined : backoffDelay(failures, RETRY));
      if (!goesOn) throw error;
    }
  }
}

function isAwaited(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ProtocolError && AWAITED.includes(error.code));
}

function isPassing(error: unknown): boolean {
  if (isAwaited(error) || error instanceof RequestTimeoutError) return true;
  return error instanceof ProtocolError && PASSING.includes(error.code);
}

function isSame(one: readonly string[], two: readonly string[] | undefined): boolean {
  return one.length === two?.length && one.every((text, index) => text === two[index]);
}

/** Tells that there may be another desktop. */
class News {
  readonly #signal: AbortSignal;
  readonly #offs: readonly Unsubscribe[];
  #isThere = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(source: DesktopSource, computer: string, signal: AbortSignal) {
    this.#signal = signal;
    const ifOurs = (event: { readonly computer: string }): void => {
      if (event.computer === computer) this.#arrive();
    };
    const fail = ({ error }: { readonly error: Error }): void => {
      this.#failure = error;
      this.#arrive();
    };
    this.#offs = [
      source.on('desktopChanged', ifOurs),
      source.on('computerJoined', ifOurs),
      source.on('rejoined', () => {
        this.#arrive();
      }),
      source.on('rejoinFailed', fail),
      source.on('refused', fail),
    ];
    signal.addEventListener('abort', this.#arrive);
  }

  /** What comes from now on counts. */
  forget(): void {
    this.#isThere = false;
  }

  /**
   * Waits for news, at most `ms` milliseconds, and not at all when there is some already.
   *
   * @returns whether watching goes on.
   * @throws what keeps the Agent out of its office for good.
   */
  async wait(ms?: number): Promise<boolean> {
    if (!this.#isThere && !this.#signal.aborted) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (ms !== undefined) timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
      this.#wake = undefined;
    }
    if (this.#signal.aborted) return false;
    if (this.#failure !== undefined) throw this.#failure;
    return true;
  }

  close(): void {
    for (const off of this.#offs) off();
    this.#signal.removeEventListener('abort', this.#arrive);
  }

  readonly #arrive = (): void => {
    this.#isThere = true;
    this.#wake?.();
  };
}
