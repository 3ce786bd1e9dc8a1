import { createHash } from 'node:crypto';
import type { JsonObject, Logger } from '../protocol/index.js';
import { SingleRun } from './coalesce.js';
import { messageOf, type ResourceHost } from './hosting.js';
import { CallTimeoutError } from './mcp/mcp-errors.js';

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
  /**
   * Gets each listing of a running server. The templates come with the resources or, where they take longer, after
   * them: until then they are those of the listing before. Must not throw.
   */
  readonly onListed: (server: string, listing: ResourceListing) => void;
}

/** How long the templates may take at most, in ms: some servers do not even refuse a method that they do not know. */
const TEMPLATES_TIMEOUT_MS = 5_000;
/** How much later than the resources they may be without the resources being told alone, in ms. */
const TEMPLATES_GRACE_MS = 250;

interface Watched {
  readonly refresh: SingleRun;
  /** Settled when nothing of it is being listed. */
  listing: Promise<void>;
  /** What was listed last, in order to tell a change. */
  fingerprint: string;
  /** As listed last. */
  templates: readonly JsonObject[];
  /** The server once did not answer when it was asked for its templates, and is asked no more. */
  ignoresTemplates: boolean;
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
    const listing = Promise.resolve();
    const watched: Watched = { refresh, listing, fingerprint: '', templates: [], ignoresTemplates: false };
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
    await Promise.all([...this.#servers.keys()].map((server) => this.listedBy(server)));
  }

  /** The same of one server. */
  async listedBy(server: string): Promise<void> {
    await this.#servers.get(server)?.listing;
  }

  async #refresh(server: string, watched: Watched): Promise<boolean> {
    const { host, logger, timeoutMs } = this.#options;
    if (this.#servers.get(server) !== watched) return false;
    const before = watched.fingerprint;
    const asked = this.#listTemplates(server, watched);
    try {
      const resources = await host.listAllResources(server, { timeoutMs });
      const early = await within(asked, TEMPLATES_GRACE_MS);
      this.#take(server, watched, { resources, templates: early ?? watched.templates });
      const templates = await asked;
      if (early === undefined) this.#take(server, watched, { resources, templates });
    } catch (error) {
      logger.warn({ server, problem: messageOf(error) }, 'The resources of an MCP server could not be listed');
    }
    return watched.fingerprint !== before;
  }

  /** Drops what a server listed that was stopped, or started anew, meanwhile. */
  #take(server: string, watched: Watched, listing: ResourceListing): void {
    if (this.#servers.get(server) !== watched) return;
    watched.fingerprint = fingerprintOf(listing);
    watched.templates = listing.templates;
    this.#options.onListed(server, listing);
  }

  /** Many servers have resources and no templates: a failure is none of the resources'. */
  async #listTemplates(server: string, watched: Watched): Promise<readonly JsonObject[]> {
    const { host, logger, timeoutMs } = this.#options;
    if (watched.ignoresTemplates) return [];
    try {
      return await host.listAllTemplates(server, { timeoutMs: Math.min(timeoutMs, TEMPLATES_TIMEOUT_MS) });
    } catch (error) {
      if (error instanceof CallTimeoutError) watched.ignoresTemplates = true;
      logger.debug({ server, problem: messageOf(error) }, 'The resource templates could not be listed');
      return [];
    }
  }
}

/** What comes within `ms` milliseconds, else `undefined`. */
async function within<T>(coming: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const first = await Promise.race([coming, late]);
  clearTimeout(timer);
  return first;
}

/** Tells two listings apart without keeping the first: a list may have a hundred thousand resources. */
function fingerprintOf({ resources, templates }: ResourceListing): string {
  const hash = createHash('sha256');
  for (const item of [...resources, null, ...templates]) hash.update(JSON.stringify(item));
  return hash.digest('base64');
}
