import type { JsonObject, Logger } from '../../protocol/index.js';
import { messageOf, type ResourceHost } from '../hosting.js';
import { readWindow } from './window-metadata.js';

/** What a {@link WindowTracker} works with. */
export interface WindowTrackerOptions {
  readonly host: ResourceHost;
  readonly logger: Logger;
  /** The desktop is another one now. Must not throw. */
  readonly onChanged: () => void;
}

interface ServerWindows {
  /** As listed. */
  uris: ReadonlySet<string>;
  /** Those whose subscription the server confirmed. */
  readonly subscribed: Set<string>;
  /** Settled when the subscriptions are those of the list that came last: one list after the other. */
  subscribing: Promise<void>;
}

/**
 * Knows the windows of every running server, keeps them subscribed, and tells when the desktop changed: another set of
 * window URIs, an update of a window, a server with windows that starts or stops. Protocol §8.1.
 */
export class WindowTracker {
  readonly #options: WindowTrackerOptions;
  readonly #servers = new Map<string, ServerWindows>();

  constructor(options: WindowTrackerOptions) {
    this.#options = options;
  }

  /** A server that takes part in the desktop has listed its resources. @returns settled when windows are subscribed. */
  async listed(server: string, resources: readonly JsonObject[]): Promise<void> {
    const windows = this.#servers.get(server) ?? newWindows();
    this.#servers.set(server, windows);
    const listed = resources.filter((resource) => readWindow(resource) !== undefined);
    const uris = new Set(listed.map((resource) => resource['uri'] as string));
    const changed = !equalSets(windows.uris, uris);
    windows.uris = uris;
    if (changed) this.#options.onChanged();
    windows.subscribing = windows.subscribing.then(() => this.#subscribe(server, windows));
    await windows.subscribing;
  }

  /** Whether a server confirmed that it tells of changes of a window. */
  isSubscribed(server: string, uri: string): boolean {
    return this.#servers.get(server)?.subscribed.has(uri) ?? false;
  }

  /** A server runs no more: its subscriptions have gone with it. */
  serverStopped(server: string): void {
    const windows = this.#servers.get(server);
    this.#servers.delete(server);
    if (windows !== undefined && windows.uris.size > 0) this.#options.onChanged();
  }

  /** A server says that a resource has new content. */
  resourceUpdated(server: string, uri: string): void {
    if (this.#servers.has(server) && readWindow({ uri }) !== undefined) this.#options.onChanged();
  }

  async #subscribe(server: string, windows: ServerWindows): Promise<void> {
    const { host } = this.#options;
    // It may have stopped while the list before was being seen to.
    if (this.#servers.get(server) !== windows || !host.canSubscribe(server)) return;
    const { uris, subscribed } = windows;
    const gone = [...subscribed].filter((uri) => !uris.has(uri));
    const fresh = [...uris].filter((uri) => !subscribed.has(uri));
    for (const uri of gone) subscribed.delete(uri);
    const failures: { readonly uri: string; readonly problem: string }[] = [];
    const attempt = async (uri: string, request: Promise<void>): Promise<boolean> => {
      try {
        await request;
        return true;
      } catch (error) {
        failures.push({ uri, problem: messageOf(error) });
        return false;
      }
    };
    await Promise.all([
      ...gone.map((uri) => attempt(uri, host.unsubscribe(server, uri))),
      ...fresh.map(async (uri) => {
        if (await attempt(uri, host.subscribe(server, uri))) subscribed.add(uri);
      }),
    ]);
    if (this.#servers.get(server) === windows) this.#warn(server, failures);
  }

  /** One line for all: a server that cannot do it fails for each of its windows, at every list. */
  #warn(server: string, failures: readonly { readonly uri: string; readonly problem: string }[]): void {
    const [first] = failures;
    if (first === undefined) return;
    const { logger } = this.#options;
    logger.warn({ server, ...first, windows: failures.length }, 'Window subscriptions could not be changed');
  }
}

function newWindows(): ServerWindows {
  return { uris: new Set(), subscribed: new Set(), subscribing: Promise.resolve() };
}

function equalSets(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((item) => b.has(item));
}
