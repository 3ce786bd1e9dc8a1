import { abortable } from '../../client/index.js';
import { WindowUri, type JsonObject } from '../../protocol/index.js';
import { messageOf } from '../hosting.js';
import { DocumentWatch } from './document-watch.js';
import type { DpeResolver } from './dpe-resolver.js';
import {
  DocumentFailure,
  resolveDocument,
  type Resolution,
  type ResolutionStage,
  type ResolveContext,
  type WantedDocument,
} from './resolve-document.js';

/** What {@link Resolutions} work with. */
export interface ResolutionsOptions extends ResolveContext {
  /** Aborted when the Computer closes. */
  readonly signal: AbortSignal;
  /** @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A resolution under way, and how many wait for it. */
interface Flight {
  readonly wanted: WantedDocument;
  /** Aborted when nobody waits any more: those who wait have each their own limit, and give up when the Computer closes. */
  readonly ending: AbortController;
  outcome: Promise<JsonObject>;
  waiting: number;
  stage: ResolutionStage;
  isSettled: boolean;
  /** The document has changed since: the outcome is for those who wait for it, and for nobody after them. */
  isStale: boolean;
}

/**
 * Turns documents into URIs, each once for all who ask at the same time, and again only when it may have changed.
 * Protocol §8.3.
 */
export class Resolutions {
  readonly #options: ResolutionsOptions;
  readonly #watch: DocumentWatch;
  readonly #flights = new Map<string, Flight>();
  #resolver: DpeResolver | undefined;

  constructor(options: ResolutionsOptions) {
    this.#options = options;
    const { host, logger, now = Date.now } = options;
    this.#watch = new DocumentWatch({ host, logger, now });
  }

  /** Registered by the application. What another one answered counts no more. */
  get resolver(): DpeResolver | undefined {
    return this.#resolver;
  }

  set resolver(resolver: DpeResolver | undefined) {
    if (resolver === this.#resolver) return;
    this.clear();
    this.#resolver = resolver;
  }

  /** What a document became, if that is known without waiting. */
  known(wanted: WantedDocument, resolver: DpeResolver): JsonObject | undefined {
    const kept = this.#watch.find(wanted);
    if (kept === undefined) return undefined;
    try {
      if (resolver.isCurrent === undefined || resolver.isCurrent(kept.resolved, wanted.uri) === true)
        return kept.answer;
    } catch {
      // Asked again, and told of, when the document is resolved.
    }
    return undefined;
  }

  /**
   * What a document became, as fields of the acknowledgement.
   *
   * @param signal - aborted when this request's time is up; the others go on.
   * @throws DocumentFailure.
   */
  async get(wanted: WantedDocument, resolver: DpeResolver, signal: AbortSignal): Promise<JsonObject> {
    const key = JSON.stringify([wanted.server, wanted.uri, wanted.agent]);
    const flight = this.#flights.get(key) ?? this.#begin(key, wanted, resolver);
    flight.waiting += 1;
    try {
      return await abortable(flight.outcome, signal);
    } catch (error) {
      if (error instanceof DocumentFailure || !signal.aborted) throw error;
      throw this.#options.signal.aborted ? closing() : late(flight);
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && !flight.isSettled) {
        this.#forget(key, flight);
        flight.ending.abort();
      }
    }
  }

  /** A server says that a resource has new content. */
  resourceUpdated(server: string, uri: string): void {
    // Windows have nothing to do with documents; a name that is not known may mean any of them.
    if (isWindow(uri)) return;
    this.#drop(this.#watch.meantBy(server, uri));
  }

  /** A server says that its list is another one: what it showed may be, too. */
  resourcesChanged(server: string): void {
    this.#drop((document) => document.server === server);
  }

  /** A server runs no more. */
  serverStopped(server: string): void {
    this.resourcesChanged(server);
    this.#watch.serverStopped(server);
  }

  /** Nothing that was answered before counts. */
  clear(): void {
    this.#drop(() => true);
  }

  #begin(key: string, wanted: WantedDocument, resolver: DpeResolver): Flight {
    const ending = new AbortController();
    const outcome = Promise.resolve<JsonObject>({});
    const flight: Flight = {
      wanted,
      ending,
      outcome,
      waiting: 0,
      stage: 'resolving',
      isSettled: false,
      isStale: false,
    };
    this.#flights.set(key, flight);
    flight.outcome = this.#run(flight, resolver).finally(() => {
      flight.isSettled = true;
      this.#forget(key, flight);
    });
    // Whoever gave up does not listen any more.
    flight.outcome.catch(() => undefined);
    return flight;
  }

  async #run(flight: Flight, resolver: DpeResolver): Promise<JsonObject> {
    const { wanted } = flight;
    const known = await this.#stillCurrent(flight, resolver);
    if (known !== undefined) return known.answer;
    const onStage = (stage: ResolutionStage): void => {
      flight.stage = stage;
    };
    // What changes between a read and a later subscription is told to nobody: such an answer is not kept.
    const isWatched = this.#watch.isWatched(wanted);
    const { signal } = flight.ending;
    const resolution = await resolveDocument(wanted, { ...this.#options, resolver, signal, onStage });
    if (!isWatched) this.#watch.follow(wanted);
    else if (!flight.isStale) this.#watch.keep(wanted, resolution);
    return resolution.answer;
  }

  async #stillCurrent(flight: Flight, resolver: DpeResolver): Promise<Resolution | undefined> {
    const { wanted } = flight;
    const known = this.#watch.find(wanted);
    if (known === undefined || resolver.isCurrent === undefined) return known;
    try {
      const isCurrent = await resolver.isCurrent(known.resolved, wanted.uri);
      if (isCurrent && !flight.isStale) return known;
    } catch (error) {
      const { logger } = this.#options;
      logger.warn({ server: wanted.server, problem: messageOf(error) }, 'A resolver could not judge its own answer');
    }
    return undefined;
  }

  #drop(isMeant: (document: Pick<WantedDocument, 'server' | 'uri'>) => boolean): void {
    // Those who ask from now on want what is there now.
    for (const [key, flight] of this.#flights) {
      if (!isMeant(flight.wanted)) continue;
      flight.isStale = true;
      this.#flights.delete(key);
    }
    for (const uri of this.#watch.drop(isMeant)) this.#tell(uri);
  }

  #tell(uri: string): void {
    try {
      this.#resolver?.forget?.(uri);
    } catch (error) {
      this.#options.logger.warn({ problem: messageOf(error) }, 'A document resolver could not forget a document');
    }
  }

  #forget(key: string, flight: Flight): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }
}

function late({ stage, wanted }: Flight): DocumentFailure {
  if (stage === 'resolving') return new DocumentFailure('resolver_error', 'the resolver did not finish in time');
  return new DocumentFailure('upstream_unavailable', `MCP server "${wanted.server}" did not answer in time`);
}

function closing(): DocumentFailure {
  return new DocumentFailure('upstream_unavailable', 'the Computer is closing');
}

function isWindow(uri: string): boolean {
  try {
    WindowUri.parse(uri);
    return true;
  } catch {
    return false;
  }
}
