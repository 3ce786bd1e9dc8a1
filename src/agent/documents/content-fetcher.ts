import { linkedSignal, reasonOf, type LinkedSignal } from '../../client/index.js';
import { DocumentError, type DocumentPlace } from './document-error.js';
import type { DocumentSettings } from './document-options.js';
import type { DocumentWays } from './document-ways.js';
import type { DocumentFetcher, FetchedContent, FetchRequest } from './fetcher.js';
import { fileFetcher } from './file-fetcher.js';
import { dataFetcher, httpFetcher } from './http-fetcher.js';

const DECODED_AT_A_TIME = 1024 * 1024;

/** What is to be fetched. */
export interface Wanted {
  readonly uri: string;
  readonly purpose: FetchRequest['purpose'];
  readonly accessUri: string;
  readonly place: DocumentPlace;
  readonly signal: AbortSignal | undefined;
}

/** What was found; the body has to be read to its end, or left by `return`, for all to be let go of. */
export interface OpenContent {
  readonly body: AsyncGenerator<Uint8Array, void, undefined>;
  readonly mimeType: string | undefined;
  readonly uri: string;
}

/** What a fetcher answered, and what limits the reading of it. */
interface Asked {
  readonly limit: FetchLimit;
  readonly chunks: AsyncIterator<Uint8Array>;
  readonly mimeType: string | undefined;
  readonly uri: string;
}

/** Fetches what one document needs, limited in size and time, each fetch and all together. */
export class ContentFetcher {
  readonly #settings: DocumentSettings;
  readonly #fetchers: ReadonlyMap<string, DocumentFetcher>;
  readonly #closing: AbortSignal;
  #total = 0;

  /**
   * @param closing - ends everything.
   * @param ways - stay open; absent: HTTP is spoken as Node or the browser does it.
   */
  constructor(settings: DocumentSettings, closing: AbortSignal, ways?: DocumentWays) {
    this.#settings = settings;
    this.#closing = closing;
    const http = httpFetcher(settings, ways);
    const file = fileFetcher(settings);
    this.#fetchers = new Map<string, DocumentFetcher>([
      ['http', http],
      ['https', http],
      ['data', dataFetcher],
      ...(file === undefined ? [] : [['file', file] as const]),
      ...settings.fetchers,
    ]);
  }

  /**
   * Asks for what a URI yields.
   *
   * @throws DocumentError; the signal's reason.
   */
  async open(wanted: Wanted): Promise<OpenContent> {
    const asked = await this.#ask(wanted);
    return { body: this.#limited(asked, wanted), mimeType: asked.mimeType, uri: asked.uri };
  }

  /**
   * Fetches JSON.
   *
   * @throws DocumentError `not-json` when it is none, or no UTF-8.
   */
  async json(wanted: Wanted): Promise<{ readonly value: unknown; readonly uri: string }> {
    const { limit, chunks, uri } = await this.#ask(wanted);
    try {
      const text = await limit.wait(this.#readText(chunks, wanted, limit.signal));
      return { value: text.parse(), uri };
    } catch (error) {
      leave(chunks);
      throw this.#failure(error, wanted, limit.signal);
    } finally {
      limit.release();
    }
  }

  async #ask(wanted: Wanted): Promise<Asked> {
    const fetcher = this.#fetcherOf(wanted);
    const limit = new FetchLimit([wanted.signal, this.#closing], this.#settings.fetchTimeoutMs);
    const { uri, purpose, accessUri, place } = wanted;
    const { maxFetchBytes: maxBytes } = this.#settings;
    // Within a promise, so that a fetcher which throws at once is like any other.
    const asked = Promise.resolve().then(() =>
      fetcher(uri, { signal: limit.signal, maxBytes, purpose, accessUri, place }),
    );
    try {
      const { body, mimeType, uri: found = uri } = await limit.wait(asked);
      return { limit, chunks: chunksOf(body), mimeType, uri: found };
    } catch (error) {
      limit.release();
      // What comes after all is not wanted any more.
      asked.then(letGo, () => undefined);
      throw this.#failure(error, wanted, limit.signal);
    }
  }

  async #readText(chunks: AsyncIterator<Uint8Array>, { place }: Wanted, signal: AbortSignal): Promise<JsonText> {
    const text = new JsonText(place);
    let size = 0;
    for (let read = await chunks.next(); read.done !== true; read = await chunks.next()) {
      // Nobody waits for it any more.
      if (signal.aborted) break;
      size += read.value.byteLength;
      this.#count(size, read.value.byteLength, place);
      text.add(read.value);
    }
    return text;
  }

  #fetcherOf({ uri, place }: Wanted): DocumentFetcher {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
    if (scheme === undefined || !URL.canParse(uri)) {
      throw new DocumentError('unsupported-scheme', place, 'where it is said to be is no absolute URI');
    }
    const fetcher = this.#fetchers.get(scheme);
    if (fetcher !== undefined) return fetcher;
    const hint = 'give a fetcher by the option documents.fetchers';
    throw new DocumentError('unsupported-scheme', place, `nothing fetches "${scheme}:" URIs; ${hint}`);
  }

  async *#limited({ limit, chunks }: Asked, wanted: Wanted): AsyncGenerator<Uint8Array, void, undefined> {
    let size = 0;
    try {
      for (;;) {
        const read = await limit.wait(chunks.next());
        if (read.done === true) return;
        const { value } = read;
        size += value.byteLength;
        this.#count(size, value.byteLength, wanted.place);
        yield value;
      }
    } catch (error) {
      throw this.#failure(error, wanted, limit.signal);
    } finally {
      limit.release();
      leave(chunks);
    }
  }

  #count(size: number, added: number, place: DocumentPlace): void {
    const { maxFetchBytes, maxTotalBytes } = this.#settings;
    this.#total += added;
    if (size > maxFetchBytes) {
      throw new DocumentError('too-large', place, `more than ${maxFetchBytes} bytes (documents.maxFetchBytes)`);
    }
    if (this.#total > maxTotalBytes) {
      const what = `more than ${maxTotalBytes} bytes in all that was fetched of it (documents.maxTotalBytes)`;
      throw new DocumentError('too-large', place, what);
    }
  }

  #failure(error: unknown, { signal, place }: Wanted, ended: AbortSignal): Error {
    for (const end of [signal, this.#closing]) if (end?.aborted === true) return reasonOf(end);
    if (error instanceof DocumentError) return error;
    if (ended.aborted) {
      return new DocumentError('timeout', place, `it was not fetched within ${this.#settings.fetchTimeoutMs} ms`);
    }
    const what = error instanceof Error ? error.message : String(error);
    return new DocumentError('unreachable', place, `it cannot be fetched: ${what}`, { cause: error });
  }
}

/**
 * What ends a fetch, and the waits that it ends with it, one after the other. None of them listens to the signal:
 * adding a listener takes longer than the rest of a wait, and `fetch` holds on to the signal, and so to whatever came,
 * until much memory is collected.
 */
class FetchLimit {
  readonly #link: LinkedSignal;
  #stop: (() => void) | undefined;

  constructor(parents: readonly (AbortSignal | undefined)[], timeoutMs: number) {
    this.#link = linkedSignal(parents, timeoutMs, () => this.#stop?.());
  }

  get signal(): AbortSignal {
    return this.#link.signal;
  }

  /** The promise's outcome, or a rejection with the signal's reason as soon as it is aborted. */
  wait<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#stop = () => {
        reject(reasonOf(this.signal));
      };
      if (this.signal.aborted) this.#stop();
      promise
        .finally(() => {
          this.#stop = undefined;
        })
        .then(resolve, reject);
    });
  }

  release(): void {
    this.#link.release();
  }
}

/** Decodes much at a time, which is fast, but not all at once: the bytes are not to be held beside the text. */
class JsonText {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #place: DocumentPlace;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #text = '';

  constructor(place: DocumentPlace) {
    this.#place = place;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.byteLength;
    if (this.#size >= DECODED_AT_A_TIME) this.#decode({ stream: true });
  }

  parse(): unknown {
    this.#decode({ stream: false });
    try {
      return JSON.parse(this.#text) as unknown;
    } catch {
      const what = this.#text.trim() === '' ? 'it is empty' : 'it is no JSON';
      throw new DocumentError('not-json', this.#place, what);
    }
  }

  #decode(options: { readonly stream: boolean }): void {
    const bytes = joined(this.#pieces, this.#size);
    this.#pieces = [];
    this.#size = 0;
    try {
      this.#text += this.#decoder.decode(bytes, options);
    } catch (error) {
      if (error instanceof RangeError) throw new DocumentError('too-large', this.#place, 'it is too long for a text');
      throw new DocumentError('not-json', this.#place, 'it is no text in UTF-8');
    }
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  // In Node, without filling it with zeros first.
  if (typeof Buffer !== 'undefined') return Buffer.concat(pieces, size);
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}

function chunksOf(body: FetchedContent['body']): AsyncIterator<Uint8Array> {
  return body instanceof Uint8Array ? oneChunk(body) : body[Symbol.asyncIterator]();
}

async function* oneChunk(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield await Promise.resolve(body);
}

function letGo({ body }: FetchedContent): void {
  if (!(body instanceof Uint8Array)) leave(body[Symbol.asyncIterator]());
}

/** Not awaited: what hangs may not hear it. */
function leave(chunks: AsyncIterator<Uint8Array>): void {
  chunks.return?.().catch(() => undefined);
}
