import { linkedSignal, reasonOf } from '../../client/index.js';
import { dpePageSchema, isDeeperThan, isJsonObject, MAX_PAYLOAD_DEPTH, type JsonObject } from '../../protocol/index.js';
import type { ContentFetcher } from './content-fetcher.js';
import { DocumentError, type DocumentPlace } from './document-error.js';
import { DocumentPage } from './document-page.js';
import type { DocumentSource, Snapshot } from './document-source.js';

/** What reading one page takes. */
export interface PageOptions {
  /** Ends the reading; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What reading many pages takes. */
export interface PagesOptions extends PageOptions {
  /** The first page, counted from 0. @default 0 */
  readonly from?: number;
  /** The page before which it ends. @default the number of pages */
  readonly to?: number;
  /** How many pages are fetched at a time, at least 1: so many are held in memory at most. @default 4 */
  readonly readAhead?: number;
}

/** What the pages need. */
export interface DocumentPagesParts {
  readonly uri: string;
  readonly source: DocumentSource;
  readonly fetcher: ContentFetcher;
  readonly maxManifests: number;
}

/**
 * The pages of a document. Each is read when it is asked for, and again when it is asked for again: none is kept.
 *
 * @example
 * for await (const page of document.pages) console.log(page.title, page.elements.length);
 */
export class DocumentPages implements AsyncIterable<DocumentPage> {
  readonly #parts: DocumentPagesParts;

  constructor(parts: DocumentPagesParts) {
    this.#parts = parts;
  }

  /** How many pages the document lists. */
  get count(): number {
    return this.#parts.source.latest.pages.length;
  }

  /**
   * Reads one page: what the document holds of it, else what its manifest yields. Protocol §8.5.
   *
   * @param index - counted from 0.
   * @throws RangeError when there is no such page; DocumentError; what `getDpe` throws when the document has to be asked
   *   for again; the signal's reason.
   */
  async get(index: number, { signal }: PageOptions = {}): Promise<DocumentPage> {
    if (signal?.aborted === true) throw reasonOf(signal);
    const { source } = this.#parts;
    const place = { uri: this.#parts.uri, field: `pages.${index}` };
    const entry = judge(this.#entry(source.latest, index), place);
    // What is held needs no URI.
    if (hasElements(entry)) return new DocumentPage({ index, entry, content: entry });
    return await source.use(async (snapshot) => {
      const listed = judge(this.#entry(snapshot, index), place);
      const content = hasElements(listed) ? listed : await this.#follow(listed, { snapshot, place, signal });
      return new DocumentPage({ index, entry: listed, content });
    }, signal);
  }

  /** The pages one after the other; some are fetched ahead. Ends with what reading a page throws. */
  async *read(options: PagesOptions = {}): AsyncGenerator<DocumentPage, void, undefined> {
    const { from = 0, to = Number.POSITIVE_INFINITY, readAhead = 4 } = options;
    const stop = new AbortController();
    const { signal, release } = linkedSignal([options.signal, stop.signal]);
    const ahead: Promise<DocumentPage>[] = [];
    let next = Math.max(0, from);
    try {
      for (;;) {
        while (ahead.length < Math.max(1, readAhead) && next < Math.min(to, this.count)) {
          const page = this.get(next++, { signal });
          // Whoever waits for it hears of its failure.
          page.catch(() => undefined);
          ahead.push(page);
        }
        const page = ahead.shift();
        if (page === undefined) return;
        yield await page;
      }
    } finally {
      release();
      stop.abort();
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<DocumentPage, void, undefined> {
    return this.read();
  }

  #entry({ pages }: Snapshot, index: number): unknown {
    if (Number.isInteger(index) && index >= 0 && index < pages.length) return pages[index];
    throw new RangeError(`There is no page ${index}: document ${this.#parts.uri} has ${pages.length}, counted from 0`);
  }

  /** Goes from manifest to manifest until one has elements. */
  async #follow(
    listed: JsonObject,
    { snapshot, place, signal }: { snapshot: Snapshot; place: DocumentPlace; signal: AbortSignal | undefined },
  ): Promise<JsonObject> {
    const at = { ...place, field: `${place.field ?? ''}.uri` };
    const accessUri = snapshot.access.uri;
    const seen = new Set([accessUri, snapshot.uri]);
    let [page, base] = [listed, snapshot.uri];
    for (let manifests = 0; !hasElements(page); manifests += 1) {
      const uri = resolve(page['uri'] as string, base, at);
      if (seen.has(uri)) throw new DocumentError('cyclic', at, 'its manifest leads back to where it came from');
      if (manifests >= this.#parts.maxManifests) {
        throw new DocumentError(
          'cyclic',
          at,
          `more than ${this.#parts.maxManifests} manifests, one leading to the next`,
        );
      }
      seen.add(uri);
      const found = await this.#parts.fetcher.json({ uri, purpose: 'page', accessUri, place: at, signal });
      [page, base] = [judge(found.value, at, 'what its manifest yields is no page: '), found.uri];
    }
    return page;
  }
}

function hasElements(page: JsonObject): boolean {
  return page['elements'] != null;
}

function resolve(uri: string, base: string, place: DocumentPlace): string {
  if (URL.canParse(uri)) return uri;
  try {
    return new URL(uri, base).href;
  } catch {
    throw new DocumentError('invalid', place, 'it is no absolute URI, and cannot be relative to where it stands');
  }
}

/**
 * @param prefix - what is judged, where it is not the field itself.
 * @throws DocumentError `invalid`, naming the field.
 */
function judge(value: unknown, place: DocumentPlace, prefix?: string): JsonObject {
  const fail = (what: string, path: readonly PropertyKey[] = []): DocumentError => {
    const inner = path.map(String).join('.');
    if (prefix !== undefined) return new DocumentError('invalid', place, prefix + (inner && `${inner}: `) + what);
    return new DocumentError('invalid', { ...place, field: [place.field, inner].filter(Boolean).join('.') }, what);
  };
  if (!isJsonObject(value)) throw fail('expected an object');
  if (isDeeperThan(value, MAX_PAYLOAD_DEPTH)) throw fail(`nested deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  const [issue] = dpePageSchema.safeParse(value).error?.issues ?? [];
  if (issue !== undefined) throw fail(issue.message, issue.path);
  return value;
}
