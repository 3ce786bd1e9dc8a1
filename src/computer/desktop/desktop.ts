import { linkedSignal } from '../../client/index.js';
import type { JsonObject, Logger } from '../../protocol/index.js';
import { Coalescer } from '../coalesce.js';
import { messageOf, type ReportDiagnostic, type ResourceHost } from '../hosting.js';
import { mayBeNamed, organizeDesktop, type CollectedWindow, type DesktopProblem } from './organize-desktop.js';
import { WindowTracker } from './window-tracker.js';
import { readWindow } from './window-metadata.js';

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
}

const DEFAULTS = { requireSubscribe: true, serverTimeoutMs: 10_000, updateIntervalMs: 100 } as const;

/** What a {@link Desktop} works with. */
export interface DesktopOptions {
  readonly host: ResourceHost;
  readonly logger: Logger;
  readonly settings?: DesktopSettings | undefined;
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
  /** Per server: what was reported since its last listing. */
  readonly #reported = new Map<string, Set<string>>();
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
    this.#reported.delete(server);
    if (this.#takesPart(server)) await this.#tracker.listed(server, resources);
  }

  /** A server runs no more. */
  serverStopped(server: string): void {
    this.#reported.delete(server);
    this.#tracker.serverStopped(server);
  }

  /** A server says that a resource has new content. */
  resourceUpdated(server: string, uri: string): void {
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

  /** The desktop as it is now: every window is listed and read. Never throws. */
  async collect(query: DesktopQuery): Promise<readonly string[]> {
    if (typeof query.size === 'number' && query.size <= 0) return [];
    const servers = this.#options.host.serverNames().filter((server) => this.#takesPart(server));
    const collected = await Promise.all(servers.map((server) => this.#collectFrom(server, query.window)));
    const { desktops, problems } = organizeDesktop(collected.flat(), { ...query, history: this.#history });
    for (const problem of problems) this.#reportOnce(problem);
    return desktops;
  }

  /** Tells of no more changes. */
  close(): void {
    this.#changes.close();
  }

  #takesPart(server: string): boolean {
    const { host } = this.#options;
    return this.#settings.requireSubscribe ? host.canSubscribe(server) : host.hasResources(server);
  }

  async #collectFrom(server: string, window: string | null | undefined): Promise<readonly CollectedWindow[]> {
    const { host, logger } = this.#options;
    const timeoutMs = this.#settings.serverTimeoutMs;
    const deadline = performance.now() + timeoutMs;
    // For lists of many pages, each of which has the time anew.
    const { signal, release } = linkedSignal([], timeoutMs);
    try {
      const resources = await host.listAllResources(server, { timeoutMs, signal });
      const wanted = resources.filter((resource) => isWanted(resource, window));
      const seen = new Set<unknown>();
      return await Promise.all(
        wanted.map((resource) => {
          // Of equal URIs the first counts; organising reports the others.
          if (seen.has(resource['uri'])) return Promise.resolve({ server, resource, contents: [] });
          seen.add(resource['uri']);
          return this.#read(server, resource, deadline);
        }),
      );
    } catch (error) {
      logger.warn({ server, problem: messageOf(error) }, 'The windows of an MCP server are left out of the desktop');
      return [];
    } finally {
      release();
    }
  }

  async #read(server: string, resource: JsonObject, deadline: number): Promise<CollectedWindow> {
    const { host, logger } = this.#options;
    const uri = resource['uri'] as string;
    try {
      const timeoutMs = Math.max(1, deadline - performance.now());
      const { contents } = await host.readResource(server, uri, { timeoutMs });
      return { server, resource, contents: Array.isArray(contents) ? contents : [] };
    } catch (error) {
      logger.warn({ server, uri, problem: messageOf(error) }, 'A window is left out of the desktop');
      return { server, resource, contents: [] };
    }
  }

  #reportOnce({ server, uri, problem }: DesktopProblem): void {
    const reported = this.#reported.get(server) ?? new Set();
    this.#reported.set(server, reported);
    const key = JSON.stringify([uri, problem]);
    if (reported.has(key)) return;
    reported.add(key);
    this.#options.report({ server, item: uri, problem: `the window ${problem}` });
  }
}

function isWanted(resource: JsonObject, window: string | null | undefined): boolean {
  const metadata = readWindow(resource);
  if (metadata === undefined) return false;
  return window === undefined || window === null || mayBeNamed(metadata, resource['uri'] as string, window);
}
