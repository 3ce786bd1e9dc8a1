import { linkedSignal } from '../../client/index.js';
import type { JsonObject, Logger } from '../../protocol/index.js';
import { messageOf, type ResourceHost } from '../hosting.js';
import { readListedWindows, type ListedWindow, type WindowProblem } from './listed-window.js';
import { entryOf, mayBeNamed, type DesktopEntry } from './organize-desktop.js';
import type { TextBudget } from './text-budget.js';

/** What {@link ServerWindows} work with. */
export interface ServerWindowsOptions {
  readonly server: string;
  readonly host: ResourceHost;
  readonly logger: Logger;
  /** How long listing and reading may take together, in ms. */
  readonly timeoutMs: number;
  /** How long what was listed and read counts at most, in ms, even if the server tells of no change. */
  readonly maxAgeMs: number;
  /** How much text may be kept. */
  readonly budget: TextBudget;
  /** Settled when no list of this server is under way that somebody else asked for. */
  readonly listed: () => Promise<void>;
  /** Whether the server confirmed that it tells of changes of this window. */
  readonly isSubscribed: (uri: string) => boolean;
  /** Something that was left out because it took too long is there now. Must not throw. */
  readonly onLate: () => void;
  /** Gets each list that was asked for here. */
  readonly onListed: (resources: readonly JsonObject[]) => void;
  /** Gets what authors of windows should mend, once for each list. */
  readonly report: (problem: WindowProblem) => void;
}

/** How long an answer is waited for that came too late for whoever asked, in ms. */
const PATIENCE_MS = 30_000;
const LEFT_OUT = 'The windows of an MCP server are left out of the desktop';

/** What a window shows; `null` for nothing. */
type Shown = DesktopEntry | null;

/** What a window shows, and since when that is known. */
interface Content {
  readonly reading: Promise<void>;
  /** What came of it; absent while it is being read. */
  shown?: Shown;
  readonly since: number;
  /** The server tells of changes since before it was read: it counts until then. */
  readonly isWatched: boolean;
}

/**
 * The windows of one running MCP server with what they show: listed and read when somebody asks, and kept for as long as
 * the server would tell of a change. Protocol §8.1.
 */
export class ServerWindows {
  readonly #options: ServerWindowsOptions;
  readonly #contents = new Map<string, Content>();
  /** What went wrong last, by window; '' stands for the list. */
  readonly #failing = new Map<string, string>();
  readonly #reported = new Set<string>();
  /** What the server has not answered yet. */
  readonly #inFlight = new Set<Promise<unknown>>();
  /** What somebody has waited for in vain. */
  readonly #overdue = new WeakSet<Promise<unknown>>();
  #windows: readonly ListedWindow[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;
  /** Counts what the server told of its list. */
  #changes = 0;
  #listing: Promise<void> | undefined;
  /** Wakes who waits for a list that somebody else asked for. */
  #onArrival: (() => void) | undefined;

  constructor(options: ServerWindowsOptions) {
    this.#options = options;
  }

  /** The server has listed its resources. */
  listed(resources: readonly JsonObject[]): void {
    this.#reported.clear();
    this.#take(resources);
    this.#onArrival?.();
  }

  /** The server says that its list is another one: what it showed may be too. */
  changed(): void {
    this.#changes += 1;
    this.#listedAt = Number.NEGATIVE_INFINITY;
    for (const uri of [...this.#contents.keys()]) this.#drop(uri);
  }

  /** The server says that a resource has new content. */
  updated(uri: string): void {
    if (this.#contents.has(uri)) this.#drop(uri);
    // Some servers name a window in another way than they list it.
    else if (!this.#windows.some((window) => window.uri === uri))
      for (const one of [...this.#contents.keys()]) this.#drop(one);
  }

  /** The server runs no more. */
  forget(): void {
    for (const uri of [...this.#contents.keys()]) this.#drop(uri);
  }

  /**
   * What the windows show now; those that are named, if a name is given. What takes too long is left out. Never throws.
   */
  async entries(named: string | undefined): Promise<readonly DesktopEntry[]> {
    const deadline = performance.now() + this.#options.timeoutMs;
    if (!this.#isListFresh()) await this.#until(deadline, [this.#list()]);
    const contents = this.#wanted(named).map((window) => this.#contentOf(window));
    const pending = contents.filter(({ shown }) => shown === undefined).map(({ reading }) => reading);
    if (pending.length > 0) await this.#until(deadline, pending);
    return contents.flatMap(({ shown }) => shown ?? []);
  }

  /** Those that showed nothing when they were read last, with why. */
  unshown(): readonly WindowProblem[] {
    const shown = this.#windows.filter(({ uri }) => this.#contents.get(uri)?.shown !== null);
    const fullscreen = shown.find((window) => window.fullscreen);
    return this.#windows.flatMap((window) => {
      const { uri } = window;
      const content = this.#contents.get(uri);
      if (content?.shown === null) return [{ uri, problem: this.#failing.get(uri) ?? 'has no text content' }];
      if (content !== undefined && content.shown === undefined) return [{ uri, problem: 'is not read yet' }];
      const isCovered = fullscreen !== undefined && fullscreen !== window;
      return isCovered ? [{ uri, problem: 'is covered by a window of its server that is fullscreen' }] : [];
    });
  }

  /** Waits for what is being asked for, but not for longer than the server may take, and not twice. */
  async #until(deadline: number, work: readonly Promise<unknown>[]): Promise<void> {
    const awaited = work.filter((one) => !this.#overdue.has(one));
    if (awaited.length === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<true>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), true);
    });
    const isLate = await Promise.race([Promise.all(awaited).then(() => false), late]);
    clearTimeout(timer);
    if (!isLate) return;
    this.#warn('', 'it takes too long', LEFT_OUT);
    for (const one of awaited) {
      if (!this.#inFlight.has(one)) continue;
      this.#overdue.add(one);
      // What was left out is there now.
      void one.then(this.#options.onLate);
    }
  }

  get #patienceMs(): number {
    return Math.max(PATIENCE_MS, this.#options.timeoutMs);
  }

  #isListFresh(): boolean {
    const { host, server, maxAgeMs } = this.#options;
    return host.announcesResources(server) && performance.now() - this.#listedAt < maxAgeMs;
  }

  #list(): Promise<void> {
    this.#listing ??= this.#tracked(
      this.#listOnce().finally(() => {
        this.#listing = undefined;
      }),
    );
    return this.#listing;
  }

  async #listOnce(): Promise<void> {
    const { host, server, listed, onListed } = this.#options;
    // What is being listed because the server runs now, or said that its list is another one, is the newest there is.
    const arrival = new Promise<void>((resolve) => (this.#onArrival = resolve));
    await Promise.race([listed(), arrival]);
    if (this.#isListFresh()) return;
    const changes = this.#changes;
    // For lists of many pages, each of which has the time anew.
    const timeoutMs = this.#patienceMs;
    const { signal, release } = linkedSignal([], timeoutMs);
    try {
      const resources = await host.listAllResources(server, { timeoutMs, signal });
      this.#failing.delete('');
      this.#take(resources);
      if (changes !== this.#changes) this.#listedAt = Number.NEGATIVE_INFINITY;
      onListed(resources);
    } catch (error) {
      this.#warn('', messageOf(error), LEFT_OUT);
    } finally {
      release();
    }
  }

  #take(resources: readonly JsonObject[]): void {
    this.#windows = readListedWindows(resources, this.#reportOnce);
    this.#listedAt = performance.now();
    const uris = new Set(this.#windows.map(({ uri }) => uri));
    for (const uri of [...this.#contents.keys()]) if (!uris.has(uri)) this.#drop(uri);
  }

  #wanted(named: string | undefined): readonly ListedWindow[] {
    return named === undefined ? this.#windows : this.#windows.filter((window) => mayBeNamed(window, named));
  }

  #contentOf(window: ListedWindow): Content {
    const known = this.#contents.get(window.uri);
    if (known !== undefined && !this.#isStale(known)) return known;
    this.#drop(window.uri);
    const isWatched = this.#options.isSubscribed(window.uri);
    const content: Content = {
      isWatched,
      since: performance.now(),
      reading: this.#read(window).then((shown) => {
        content.shown = shown;
        // Dropped meanwhile: it is for those who wait for it, and for nobody after them.
        const isOurs = this.#contents.get(window.uri) === content;
        if (isOurs && !this.#options.budget.take(shown?.text.length ?? 0)) this.#contents.delete(window.uri);
      }),
    };
    this.#contents.set(window.uri, content);
    void this.#tracked(content.reading);
    return content;
  }

  #tracked<T>(work: Promise<T>): Promise<T> {
    this.#inFlight.add(work);
    void work.finally(() => this.#inFlight.delete(work));
    return work;
  }

  #isStale({ shown, isWatched, since }: Content): boolean {
    if (shown === undefined) return false;
    return !isWatched || performance.now() - since >= this.#options.maxAgeMs;
  }

  async #read(window: ListedWindow): Promise<Shown> {
    const { host, server } = this.#options;
    const { uri } = window;
    try {
      const { contents } = await host.readResource(server, uri, { timeoutMs: this.#patienceMs });
      this.#failing.delete(uri);
      return entryOf(window, Array.isArray(contents) ? contents : [], this.#reportOnce) ?? null;
    } catch (error) {
      this.#warn(uri, messageOf(error), 'A window is left out of the desktop');
      return null;
    }
  }

  #drop(uri: string): void {
    const content = this.#contents.get(uri);
    this.#contents.delete(uri);
    if (content?.shown != null) this.#options.budget.give(content.shown.text.length);
  }

  /** The same failure again is no news: somebody may ask every second. */
  #warn(uri: string, problem: string, message: string): void {
    if (this.#failing.get(uri) === problem) return;
    this.#failing.set(uri, problem);
    const { logger, server } = this.#options;
    logger.warn({ server, ...(uri === '' ? undefined : { uri }), problem }, message);
  }

  readonly #reportOnce = (problem: WindowProblem): void => {
    const key = JSON.stringify([problem.uri, problem.problem]);
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#options.report(problem);
  };
}
