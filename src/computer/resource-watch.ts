import { createHash } from 'node:crypto';
import type { JsonObject, Logger } from '../protocol/index.js';
import { SingleRun } from './coalesce.js';
import { messageOf, type ResourceHost } from './hosting.js';

/** Everything that an MCP server lists of its resources. */
export interface ResourceListing {
  readonly resources: readonly JsonObject[];
  readonly templates: readonly JsonObject[];
}

/** What a {@link ResourceWatch} works with. */
export interface ResourceWatchOptions {
  readonly host: ResourceHost;
  readonly logger: Logger;
  /** How long one listing may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Gets each complete listing of a running server, the next one only when this has settled. Must not reject. */
  readonly onListed: (server: string, listing: ResourceListing) => Promise<void>;
}

interface Watched {
  readonly refresh: SingleRun;
  /** Settled when nothing of it is being listed. */
  listing: Promise<void>;
  /** What was listed last, in order to tell a change. */
  fingerprint: string;
}

/**
 * Lists the resources of every server once it runs and whenever it says that they changed; bursts cost two listings.
 * A listing that fails changes nothing.
 */
export class ResourceWatch {
  readonly #options: ResourceWatchOptions;
  readonly #servers = new Map<string, Watched>();

  constructor(options: ResourceWatchOptions) {
    this.#options = options;
  }

  /** A server has begun to run. @returns settled when its resources are known. */
  async serverStarted(server: string): Promise<void> {
    this.#servers.delete(server);
    if (!this.#options.host.hasResources(server)) return;
    const refresh = new SingleRun(() => this.#refresh(server, watched));
    const watched: Watched = { refresh, listing: Promise.resolve(), fingerprint: '' };
    this.#servers.set(server, watched);
    watched.listing = refresh.request();
    await watched.listing;
  }

  /** A server runs no more. */
  serverStopped(server: string): void {
    this.#servers.delete(server);
  }

  /** A server says that its list is another one. @returns settled when the new one is known. */
  async resourcesChanged(server: string): Promise<void> {
    const watched = this.#servers.get(server);
    if (watched === undefined) return;
    watched.listing = watched.refresh.request();
    await watched.listing;
  }

  /** Settled when no list that is under way now is any more: what the servers have is known then. */
  async listed(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(({ listing }) => listing));
  }

  async #refresh(server: string, watched: Watched): Promise<boolean> {
    const { logger, onListed } = this.#options;
    try {
      const listing = await this.#list(server);
      // Stopped, or started anew, while the list was on its way.
      if (this.#servers.get(server) !== watched) return false;
      const fingerprint = fingerprintOf(listing);
      const changed = fingerprint !== watched.fingerprint;
      watched.fingerprint = fingerprint;
      await onListed(server, listing);
      return changed;
    } catch (error) {
      logger.warn({ server, problem: messageOf(error) }, 'The resources of an MCP server could not be listed');
      return false;
    }
  }

  async #list(server: string): Promise<ResourceListing> {
    const { host, logger, timeoutMs } = this.#options;
    const [resources, templates] = await Promise.all([
      host.listAllResources(server, { timeoutMs }),
      host.listAllTemplates(server, { timeoutMs }).catch((error: unknown) => {
        // Many servers have resources and do not know the method.
        logger.debug({ server, problem: messageOf(error) }, 'The resource templates could not be listed');
        return [];
      }),
    ]);
    return { resources, templates };
  }
}

/** Tells two listings apart without keeping the first: a list may have a hundred thousand resources. */
function fingerprintOf({ resources, templates }: ResourceListing): string {
  const hash = createHash('sha256');
  for (const item of [...resources, null, ...templates]) hash.update(JSON.stringify(item));
  return hash.digest('base64');
}
