import type { NetworkSettings } from '../../client/index.js';
import type { DocumentAccess } from '../answers.js';
import type { RequestOptions } from '../requester.js';
import { ContentFetcher } from './content-fetcher.js';
import { documentSettings, type DocumentOptions, type DocumentSettings } from './document-options.js';
import { DocumentPages } from './document-pages.js';
import { DocumentSource, withAccess } from './document-source.js';
import { DocumentWays } from './document-ways.js';
import { DpeDocument } from './dpe-document.js';

/** What opening a document takes: `timeoutMs` is the Computer's budget for saying where it is, at most an hour. */
export interface OpenDocumentOptions extends Omit<RequestOptions, 'onAck'>, DocumentOptions {}

/** The content of a document as it is. */
export interface FetchedDocument {
  readonly access: DocumentAccess;
  /** As whoever served it says, else as the Computer says. */
  readonly mimeType: string | undefined;
  /** To be read to its end or left, once: it holds a connection until then. */
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
}

/** What opening documents needs of an Agent. */
export interface DocumentsParts {
  readonly serverUrl: string;
  readonly options: DocumentOptions | undefined;
  readonly getDpe: (computer: string, uri: string, options: RequestOptions) => Promise<DocumentAccess>;
  /** The stay in the office, another one after each join. */
  readonly session: () => unknown;
  /** Absent where it wants nothing of those who fetch. */
  readonly network: NetworkSettings | undefined;
  /** Aborts when the Agent is closed. */
  readonly closing: AbortSignal;
}

/** Fetches and opens the documents of an Agent. Protocol §8.4. */
export class Documents {
  readonly #parts: DocumentsParts;
  readonly #settings: DocumentSettings;
  readonly #ways: DocumentWays | undefined;

  /** @throws TypeError naming the option that is wrong. */
  constructor(parts: DocumentsParts) {
    this.#settings = documentSettings(parts.serverUrl, parts.options);
    this.#parts = parts;
    this.#ways = parts.network === undefined ? undefined : new DocumentWays(parts.network);
  }

  /** See {@link Agent.openDocument}. */
  async open(computer: string, uri: string, options: OpenDocumentOptions): Promise<DpeDocument> {
    const { fetcher, settings, access } = this.#prepare(computer, uri, options);
    const { session } = this.#parts;
    const source = await DocumentSource.open({ ...access, fetcher, session }, options.signal);
    const pages = new DocumentPages({ uri, source, fetcher, maxManifests: settings.maxManifests });
    return new DpeDocument({ computer, uri, source, pages });
  }

  /** See {@link Agent.fetchDocument}. */
  async fetch(computer: string, uri: string, options: OpenDocumentOptions): Promise<FetchedDocument> {
    const { fetcher, access } = this.#prepare(computer, uri, options);
    const { signal } = options;
    return await withAccess(access, signal, async (found) => {
      const place = { uri };
      const content = await fetcher.open({
        uri: found.uri,
        purpose: 'document',
        accessUri: found.uri,
        place,
        signal,
      });
      return { access: found, mimeType: content.mimeType ?? found.mimeType, body: content.body };
    });
  }

  /** Ends the connections, once `closing` is aborted. Idempotent. */
  async close(): Promise<void> {
    await this.#ways?.close();
  }

  #prepare(computer: string, uri: string, options: OpenDocumentOptions) {
    const { serverUrl, options: general, getDpe, closing } = this.#parts;
    const { timeoutMs } = options;
    const isSpecial = Object.keys(options).some((name) => name !== 'timeoutMs' && name !== 'signal');
    const settings = isSpecial ? documentSettings(serverUrl, general, options) : this.#settings;
    const fetcher = new ContentFetcher(settings, closing, this.#ways);
    const ask = (signal: AbortSignal | undefined): Promise<DocumentAccess> =>
      getDpe(computer, uri, { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(signal && { signal }) });
    return { settings, fetcher, access: { uri, ask, now: settings.now } };
  }
}
