import { type Logger } from '../../protocol/index.js';
import { SingleRun } from '../coalesce.js';
import { messageOf, type ResourceHost } from '../hosting.js';
import { readWindow } from './window-metadata.js';

/** What a {@link WindowTracker} works with. */
export interface WindowTrackerOptions {
  readonly host: ResourceHost;
  readonly logger: Logger;
  /** Whether a server takes part in the desktop now. */
  readonly takesPart: (server: string) => boolean;
  /** The desktop is another one now. Must not throw. */
  readonly onChanged: () => void;
  /** How long one listing may take, in milliseconds. */
  readonly timeoutMs: number;
}

interface ServerWindows {
  readonly refresh: SingleRun;
  /** Listed window URIs; `undefined` until the first listing. */
  uris: ReadonlySet<string> | undefined;
  /** Those whose subscription the server confirmed. */
  readonly subscribed: Set<string>;
}

/**
 * Knows the windows of every running server from the moment it runs, keeps them subscribed, and tells when the desktop
 * changed: another set of window URIs, an update of a window, a server with windows that starts or stops. Protocol §8.1.
 */
export class WindowTracker {
  readonly #options: WindowTrackerOptions;
  readonly #servers = new Map<string, ServerWindows>();

  constructor(options: WindowTrackerOptions) {
    this.#options = options;
  }

  /** A server has begun to run. @returns settled when its windows are known. */
  async serverStarted(server: string): Promise<void> {
    this.#forget(server);
    if (!this.#options.takesPart(server)) return;
    const windows: ServerWindows = {
      refresh: new SingleRun(() => this.#refresh(server, windows)),
      uris: undefined,
      subscribed: new Set(),
    };
    this.#servers.set(server, windows);
    await windows.refresh.request();
  }

  /** A server runs no more. */
  serverStopped(server: string): void {
    this.#forget(server);
  }

  /** A server says that its list is another one. */
  async resourcesChanged(server: string): Promise<void> {
    await this.#servers.get(server)?.refresh.request();
  }

  /** A server says that a resource has new content. */
  resourceUpdated(server: string, uri: string): void {
    if (this.#servers.has(server) && readWindow({ uri }) !== undefined) this.#options.onChanged();
  }

  #forget(server: string): void {
    const windows = this.#servers.get(server);
    this.#servers.delete(server);
    if (windows?.uris !== undefined && windows.uris.size > 0) this.#options.onChanged();
  }

  async #refresh(server: string, windows: ServerWindows): Promise<boolean> {
    const { host, logger, timeoutMs, onChanged } = this.#options;
    try {
      const resources = await host.listAllResources(server, { timeoutMs });
      // Stopped, or started anew, while the list was on its way.
      if (this.#servers.get(server) !== windows) return false;
      const listed = resources.filter((resource) => readWindow(resource) !== undefined);
      const uris = new Set(listed.map((resource) => resource['uri'] as string));
      const changed = !equalSets(windows.uris ?? new Set(), uris);
      windows.uris = uris;
      if (changed) onChanged();
      await this.#subscribe(server, windows, uris);
      return changed;
    } catch (error) {
      logger.warn({ server, problem: messageOf(error) }, 'The windows of an MCP server could not be listed');
      return false;
    }
  }

  async #subscribe(server: string, windows: ServerWindows, uris: ReadonlySet<string>): Promise<void> {
    const { host, logger } = this.#options;
    if (!host.canSubscribe(server)) return;
    const gone = [...windows.subscribed].filter((uri) => !uris.has(uri));
    const fresh = [...uris].filter((uri) => !windows.subscribed.has(uri));
    const one = async (uri: string, act: () => Promise<void>, wanted: boolean): Promise<void> => {
      try {
        await act();
        if (wanted) windows.subscribed.add(uri);
        else windows.subscribed.delete(uri);
      } catch (error) {
        if (!wanted) windows.subscribed.delete(uri);
        logger.warn({ server, uri, problem: messageOf(error) }, 'A window subscription could not be changed');
      }
    };
    await Promise.all([
      ...gone.map((uri) => one(uri, () => host.unsubscribe(server, uri), false)),
      ...fresh.map((uri) => one(uri, () => host.subscribe(server, uri), true)),
    ]);
  }
}

function equalSets(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}
