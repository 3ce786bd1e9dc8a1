import { DpeUri, type JsonObject, type Logger } from '../../protocol/index.js';
import { messageOf, type ResourceHost } from '../hosting.js';
import type { Resolution, WantedDocument } from './resolve-document.js';

/** How many documents are watched at most. */
const MAX_WATCHED = 1_000;
/** The largest answer that is kept, in characters of its JSON. */
const MAX_KEPT_LENGTH = 64 * 1024;
/** How long an answer counts that does not say itself, in ms. */
const DEFAULT_LIFE_MS = 5 * 60_000;
/** How long before it expires an answer is not given any more, in ms, or a fifth of its life if that is less. */
const MARGIN_MS = 60_000;

/** An answer that may be given again. */
interface KeptAnswer extends Resolution {
  readonly agent: string;
  /** On the clock of `Date.now()`. */
  readonly until: number;
}

interface WatchedDocument {
  readonly server: string;
  readonly uri: string;
  /** The same for all spellings. */
  readonly name: string;
  /** The server tells of changes. */
  isConfirmed: boolean;
  kept: KeptAnswer | undefined;
}

/** What a {@link DocumentWatch} works with. */
export interface DocumentWatchOptions {
  readonly host: ResourceHost;
  readonly logger: Logger;
  readonly now: () => number;
}

/**
 * Keeps the documents that Agents ask for subscribed, and what became of them for as long as their server tells of no
 * change; a bounded number, the ones unused for longest go first.
 */
export class DocumentWatch {
  readonly #options: DocumentWatchOptions;
  /** The one used last is the last. */
  readonly #documents = new Map<string, WatchedDocument>();

  constructor(options: DocumentWatchOptions) {
    this.#options = options;
  }

  /** What the document became, if that still counts for this Agent. */
  find({ server, uri, agent }: WantedDocument): KeptAnswer | undefined {
    const key = keyOf(server, uri);
    const document = this.#documents.get(key);
    if (document === undefined) return undefined;
    this.#documents.delete(key);
    this.#documents.set(key, document);
    const { kept } = document;
    if (kept !== undefined && kept.until > this.#options.now() && kept.agent === agent) return kept;
    document.kept = undefined;
    return undefined;
  }

  /** Whether the server tells of changes of a document from now on. */
  isWatched({ server, uri }: Pick<WantedDocument, 'server' | 'uri'>): boolean {
    return this.#documents.get(keyOf(server, uri))?.isConfirmed ?? false;
  }

  /** Keeps what a document became that was watched since before it was read. */
  keep({ server, uri, agent }: WantedDocument, resolution: Resolution): void {
    const document = this.#documents.get(keyOf(server, uri));
    if (document?.isConfirmed !== true || !isSmall(resolution.answer)) return;
    document.kept = { ...resolution, agent, until: this.#untilOf(resolution) };
  }

  /** Has the server tell of changes of a document, if it can. Waits for nothing; a refusal is only logged. */
  follow({ server, uri }: Pick<WantedDocument, 'server' | 'uri'>): void {
    const { host, logger } = this.#options;
    const key = keyOf(server, uri);
    if (this.#documents.has(key) || !host.canSubscribe(server)) return;
    const document: WatchedDocument = { server, uri, name: canonical(uri), isConfirmed: false, kept: undefined };
    this.#documents.set(key, document);
    this.#limit();
    host.subscribe(server, uri).then(
      () => {
        document.isConfirmed = true;
      },
      (error: unknown) => {
        // Not asked again until the server runs anew: it would refuse each time.
        logger.debug({ server, uri, problem: messageOf(error) }, 'A document could not be subscribed to');
      },
    );
  }

  /**
   * Tells the documents that are others now because a server says that a resource has new content. What is not known by
   * this name may be any of the server's.
   */
  meantBy(server: string, updated: string): (document: Pick<WantedDocument, 'server' | 'uri'>) => boolean {
    const name = canonical(updated);
    const isKnown = [...this.#documents.values()].some((one) => one.server === server && one.name === name);
    return (document) => document.server === server && (!isKnown || canonical(document.uri) === name);
  }

  /** What these documents became does not count any more. @returns their URIs. */
  drop(isMeant: (document: Pick<WantedDocument, 'server' | 'uri'>) => boolean): readonly string[] {
    // A document that is not kept needs no forgetting: a flood of changes costs little then.
    const dropped = [...this.#documents.values()].filter(
      (document) => document.kept !== undefined && isMeant(document),
    );
    for (const document of dropped) document.kept = undefined;
    return dropped.map(({ uri }) => uri);
  }

  /** A server runs no more: its subscriptions have gone with it. */
  serverStopped(server: string): void {
    for (const [key, document] of this.#documents) if (document.server === server) this.#documents.delete(key);
  }

  #limit(): void {
    for (const [key, { server, uri }] of this.#documents) {
      if (this.#documents.size <= MAX_WATCHED) return;
      this.#documents.delete(key);
      this.#options.host.unsubscribe(server, uri).catch(() => undefined);
    }
  }

  #untilOf({ resolved }: Resolution): number {
    const now = this.#options.now();
    const expiresAt = Date.parse(String(resolved._meta?.['expires_at']));
    if (Number.isNaN(expiresAt)) return now + DEFAULT_LIFE_MS;
    return expiresAt - Math.min(MARGIN_MS, (expiresAt - now) / 5);
  }
}

function keyOf(server: string, uri: string): string {
  return JSON.stringify([server, uri]);
}

/** What has no form on the wire is none, either. */
function isSmall(answer: JsonObject): boolean {
  try {
    return JSON.stringify(answer).length <= MAX_KEPT_LENGTH;
  } catch {
    return false;
  }
}

/** The same for all spellings of a document. */
function canonical(uri: string): string {
  try {
    const { host, docRef } = DpeUri.parse(uri);
    return `${host.toLowerCase()}/${docRef}`;
  } catch {
    return uri;
  }
}
