import type { JsonObject, Logger } from '../../protocol/index.js';
import { Coalescer } from '../coalesce.js';
import type { ReportDiagnostic, ResourceHost } from '../hosting.js';
import { MAX_DROPPED, NOTHING_LISTED, surveyOf, type DesktopSurvey, type Survey } from './desktop-status.js';
import { arrangeDesktop } from './organize-desktop.js';
import { ServerWindows } from './server-windows.js';
import { TextBudget } from './text-budget.js';
import { WindowTracker } from './window-tracker.js';

/** Settings of the desktop that an application may change. */
export interface DesktopSettings {
  /**
   * Whether only MCP servers that declare `resources.subscribe` take part. Protocol §8.1 point 1.
   *
   * @default true
   */
  readonly requireSubscribe?: boolean;
  /**
   * How long one MCP server may take to list and read its windows, in milliseconds; what is not there then is left out.
   *
   * @default 10000
   */
  readonly serverTimeoutMs?: number;
  /**
   * The least time between two `server:update_desktop`, in milliseconds.
   *
   * @default 100
   */
  readonly updateIntervalMs?: number;
  /**
   * How long a window counts that its server told of no change of, in milliseconds. A window that the server does not
   * tell of at all is read each time.
   *
   * @default 10000
   */
  readonly maxAgeMs?: number;
}

const DEFAULTS = { requireSubscribe: true, serverTimeoutMs: 10_000, updateIntervalMs: 100, maxAgeMs: 10_000 } as const;
/** How much text of windows is kept, in characters. */
const KEPT_TEXT = 32 * 1024 * 1024;

/** What a {@link Desktop} works with. */
export interface DesktopOptions {
  readonly host: ResourceHost;
  readonly logger: Logger;
  readonly settings?: DesktopSettings | undefined;
  /** Settled when a list of a server's resources that is under way elsewhere is there. */
  readonly listing: (server: string) => Promise<void>;
  /** Gets what authors of windows should mend, once per server, URI and listing. */
  readonly report: ReportDiagnostic;
  /** The desktop is another one now; bursts come as one call. Must not throw. */
  readonly onChanged: () => void;
}

/** Which part of the desktop is wanted. Protocol §8.1. */
export interface DesktopQuery {
  /** How many entries at most; absent or null: all; 0 or less: none. */
  readonly size?: number | null | undefined;
  /** Only the windows whose listed URI or shown text equals this. */
  readonly window?: string | null | undefined;
}

/**
 * Assembles the desktop of one Computer from the windows of its MCP servers, and tells when it changed. A slow or
 * failing server costs its own windows only. Protocol §8.1.
 */
export class Desktop {
  readonly #options: DesktopOptions;
  readonly #settings: Required<DesktopSettings>;
  readonly #changes: Coalescer;
  readonly #tracker: WindowTracker;
  readonly #budget = new TextBudget(KEPT_TEXT);
  readonly #servers = new Map<string, ServerWindows>();
  /** What each running server listed last. */
  readonly #surveys = new Map<string, Survey>();
  /** Servers of the tool calls of this office, the most recent last. */
  #history: readonly string[] = [];

  constructor(options: DesktopOptions) {
    this.#options = options;
    this.#settings = { ...DEFAULTS, ...options.settings };
    this.#changes = new Coalescer(options.onChanged, this.#settings.updateIntervalMs);
    this.#tracker = new WindowTracker({
      host: options.host,
      logger: options.logger,
      onChanged: () => {
        this.#changes.request();
      },
    });
  }

  /** A running server has listed its resources, at first or anew. @returns settled when windows are subscribed. */
  async listed(server: string, resources: readonly JsonObject[]): Promise<void> {
    this.#surveys.set(server, surveyOf(resources));
    if (!this.#takesPart(server)) return;
    this.#windowsOf(server).listed(resources);
    await this.#tracker.listed(server, resources);
  }

  /** A server runs no more. */
  serverStopped(server: string): void {
    this.#servers.get(server)?.forget();
    this.#servers.delete(server);
    this.#surveys.delete(server);
    this.#tracker.serverStopped(server);
  }

  /** A server says that its list of resources is another one; it is being listed. */
  resourcesChanged(server: string): void {
    this.#servers.get(server)?.changed();
  }

  /** A server says that a resource has new content. */
  resourceUpdated(server: string, uri: string): void {
    this.#servers.get(server)?.updated(uri);
    this.#tracker.resourceUpdated(server, uri);
  }

  /** A tool call was really sent to this server: its windows come first now. */
  recordCall(server: string): void {
    this.#history = [...this.#history.filter((name) => name !== server), server];
  }

  /** Nothing learnt in one office shows in the next one. */
  forgetCalls(): void {
    this.#history = [];
  }

  /** The desktop as it is now. Never throws. */
  async collect(query: DesktopQuery): Promise<readonly string[]> {
    if (typeof query.size === 'number' && query.size <= 0) return [];
    const servers = this.#options.host.serverNames().filter((server) => this.#takesPart(server));
    const named = query.window ?? undefined;
    const collected = await Promise.all(
      servers.map(async (server) => ({ server, entries: await this.#windowsOf(server).entries(named) })),
    );
    return arrangeDesktop(collected, { ...query, history: this.#history });
  }

  /** Why the desktop is as it is now: looks at it first. Never throws. */
  async survey(): Promise<readonly DesktopSurvey[]> {
    await this.collect({});
    return this.#options.host.serverNames().map((server) => this.#surveyOf(server));
  }

  /** Whether only servers take part that declare `resources.subscribe`. */
  get requireSubscribe(): boolean {
    return this.#settings.requireSubscribe;
  }

  /** Tells of no more changes. */
  close(): void {
    this.#changes.close();
  }

  #surveyOf(server: string): DesktopSurvey {
    const { host } = this.#options;
    const { resources, windows, dropped } = this.#surveys.get(server) ?? NOTHING_LISTED;
    const unshown = this.#servers.get(server)?.unshown() ?? [];
    const takesPart = this.#takesPart(server);
    return {
      server,
      declaresResources: host.hasResources(server),
      declaresSubscribe: host.canSubscribe(server),
      takesPart,
      resources,
      windows,
      shown: takesPart ? windows - unshown.length : 0,
      dropped: [...dropped, ...unshown].slice(0, MAX_DROPPED),
    };
  }

  #takesPart(server: string): boolean {
    const { host } = this.#options;
    return this.#settings.requireSubscribe ? host.canSubscribe(server) : host.hasResources(server);
  }

  #windowsOf(server: string): ServerWindows {
    const known = this.#servers.get(server);
    if (known !== undefined) return known;
    const { host, logger, listing, report } = this.#options;
    const { serverTimeoutMs: timeoutMs, maxAgeMs } = this.#settings;
    const windows: ServerWindows = new ServerWindows({
      server,
      host,
      logger,
      timeoutMs,
      maxAgeMs,
      budget: this.#budget,
      listed: () => listing(server),
      isSubscribed: (uri) => this.#tracker.isSubscribed(server, uri),
      onLate: () => {
        if (this.#servers.get(server) === windows) this.#changes.request();
      },
      onListed: (resources) => {
        // A server that has been stopped meanwhile has no windows any more.
        if (this.#servers.get(server) !== windows) return;
        this.#surveys.set(server, surveyOf(resources));
        void this.#tracker.listed(server, resources);
      },
      report: ({ uri, problem }) => {
        report({ server, item: uri, problem: `the window ${problem}` });
      },
    });
    this.#servers.set(server, windows);
    return windows;
  }
}
