import { ErrorCode, ProtocolError, type JsonObject, type Logger } from '../../protocol/index.js';
import { linkedSignal, RequestTimeoutError } from '../../client/index.js';
import { allPages } from '../all-resources.js';
import type { ComputerConfig, ResourcePage } from '../answers.js';
import type { ResourcesOptions } from '../computer-queries.js';
import { isMcpServerNotFound } from '../mcp-server-not-found.js';
import type { RequestOptions } from '../requester.js';
import { isDpeUri, readDocument, type DiscoveredDocument } from './discovered-document.js';

/** An MCP server whose documents could not be listed, or not all of them. */
export interface DiscoveryProblem {
  readonly server: string;
  /** `not-found`: the Computer has no such MCP server any more. */
  readonly reason: 'not-found' | 'failed';
  readonly error: Error;
}

/** What discovering documents takes. `timeoutMs` counts for each request. */
export interface DiscoverOptions extends Omit<RequestOptions, 'onAck'> {
  /** Only these MCP servers. @default all that are configured and not disabled */
  readonly servers?: readonly string[];
  /** Which of the documents are wanted. @default all */
  readonly filter?: (document: DiscoveredDocument) => boolean;
  /** Whether resources that are no documents are shown to `filter` as well. @default false */
  readonly allResources?: boolean;
  /** Hears of MCP servers that could not be listed; the others are. @default a warning in the log */
  readonly onProblem?: (problem: DiscoveryProblem) => void;
}

/** What discovering needs of an Agent. */
export interface DiscoverySource {
  getConfig(computer: string, options: RequestOptions): Promise<ComputerConfig>;
  getResources(computer: string, server: string, options: ResourcesOptions): Promise<ResourcePage>;
  readonly logger: Logger;
}

/** How many MCP servers are asked at a time. */
const AT_A_TIME = 8;

type Page = readonly JsonObject[];
type Report = (server: string, error: Error) => void;
/** A page, or `undefined` after the last one. */
interface Step {
  readonly listing: Listing;
  readonly page: Page | undefined;
}

/** The list of one server, of which the next page is always on its way. */
class Listing {
  readonly server: string;
  readonly #pages: AsyncGenerator<Page, void, undefined>;
  readonly #report: Report;
  #next: Promise<Step>;

  constructor(server: string, pages: AsyncGenerator<Page, void, undefined>, report: Report) {
    this.server = server;
    this.#pages = pages;
    this.#report = report;
    this.#next = this.#ask();
  }

  /** What comes next. The same until {@link Listing.advance}. */
  get next(): Promise<Step> {
    return this.#next;
  }

  advance(): void {
    this.#next = this.#ask();
  }

  #ask(): Promise<Step> {
    const next = this.#read();
    // Whoever waits for it hears of its failure.
    next.catch(() => undefined);
    return next;
  }

  async #read(): Promise<Step> {
    try {
      const read = await this.#pages.next();
      return { listing: this, page: read.done === true ? undefined : read.value };
    } catch (error) {
      if (!isOfOneServer(error)) throw error;
      this.#report(this.server, error);
      return { listing: this, page: undefined };
    }
  }
}

/**
 * The documents of a Computer, as they are listed: some servers at a time, a page of each, so that a slow server does
 * not hold up the others and a long list is never held as a whole. Protocol §8.4.
 */
export async function* discoverDocuments(
  source: DiscoverySource,
  computer: string,
  options: DiscoverOptions,
): AsyncGenerator<DiscoveredDocument, void, undefined> {
  const stop = new AbortController();
  const { signal, release } = linkedSignal([options.signal, stop.signal]);
  const request = { signal, ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }) };
  const report = reporter(options, source.logger);
  const open = (server: string): Listing => {
    const getPage = (cursor: string | undefined): Promise<ResourcePage> =>
      source.getResources(computer, server, { ...request, ...(cursor === undefined ? {} : { cursor }) });
    return new Listing(server, allPages(getPage, source.logger), report);
  };
  try {
    const waiting = [...(options.servers ?? enabled(await source.getConfig(computer, request)))];
    const listings = new Set<Listing>();
    for (;;) {
      for (const server of waiting.splice(0, AT_A_TIME - listings.size)) listings.add(open(server));
      if (listings.size === 0) return;
      const { listing, page } = await Promise.race([...listings].map(({ next }) => next));
      listings.delete(listing);
      if (page === undefined) continue;
      listing.advance();
      // At the end, so that a server with a long list does not hold up those with a short one.
      listings.add(listing);
      yield* wanted(page, listing.server, options);
    }
  } finally {
    release();
    stop.abort();
  }
}

/** Whether only the server is at fault. Without the Computer or the office the list would not be one. */
function isOfOneServer(error: unknown): error is Error {
  if (error instanceof RequestTimeoutError || isMcpServerNotFound(error)) return true;
  if (!(error instanceof ProtocolError)) return false;
  const { NotFound, NotInRoom, Forbidden, Unauthorized } = ErrorCode;
  return !([NotFound, NotInRoom, Forbidden, Unauthorized] as (number | undefined)[]).includes(error.code);
}

function reporter({ onProblem }: DiscoverOptions, logger: Logger): Report {
  return (server, error) => {
    if (onProblem === undefined)
      logger.warn({ server, error: error.message }, 'Could not list the documents of a server');
    else onProblem({ server, reason: isMcpServerNotFound(error) ? 'not-found' : 'failed', error });
  };
}

function* wanted(
  page: Page,
  server: string,
  { filter, allResources = false }: DiscoverOptions,
): Generator<DiscoveredDocument, void, undefined> {
  for (const resource of page) {
    const document = readDocument(server, resource);
    if (document === undefined || !(allResources || isDpeUri(document.uri))) continue;
    if (filter === undefined || filter(document)) yield document;
  }
}

function enabled({ servers }: ComputerConfig): string[] {
  return Object.entries(servers)
    .filter(([, config]) => (config as JsonObject | null)?.['disabled'] !== true)
    .map(([name]) => name);
}
