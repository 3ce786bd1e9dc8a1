import { abortable } from '../../client/index.js';
import { dpeOutlineSchema, isJsonObject, type JsonObject } from '../../protocol/index.js';
import type { DocumentAccess } from '../answers.js';
import type { ContentFetcher } from './content-fetcher.js';
import { DocumentError, type DocumentPlace } from './document-error.js';

/** What reading a document needs. */
export interface DocumentSourceParts {
  /** The document: `dpe://…`. */
  readonly uri: string;
  readonly fetcher: ContentFetcher;
  /** Asks the Computer where the document can be fetched. */
  readonly ask: (signal: AbortSignal | undefined) => Promise<DocumentAccess>;
  /** The Agent's stay in its office: another one after each join, none outside. */
  readonly session: () => unknown;
  readonly now: () => number;
}

/** The content of a document as it was fetched, and until when the URIs in it count. */
export interface Snapshot {
  readonly access: DocumentAccess;
  readonly session: unknown;
  /** The document as it came. */
  readonly content: JsonObject;
  /** As they came: each is judged when it is asked for. */
  readonly pages: readonly unknown[];
  /** Where the content was found. */
  readonly uri: string;
}

/** Gets a document, and gets it again when its URIs do not count any more. Protocol §8.4. */
export class DocumentSource {
  readonly #parts: DocumentSourceParts;
  #refreshing: Promise<Snapshot> | undefined;
  #latest: Snapshot;

  private constructor(parts: DocumentSourceParts, first: Snapshot) {
    this.#parts = parts;
    this.#latest = first;
  }

  /** @throws DocumentError; what `getDpe` throws; the signal's reason. */
  static async open(parts: DocumentSourceParts, signal: AbortSignal | undefined): Promise<DocumentSource> {
    return new DocumentSource(parts, await load(parts, signal));
  }

  /** What was fetched last. Its URIs may not count any more. */
  get latest(): Snapshot {
    return this.#latest;
  }

  /** Whether the URIs of what was fetched last are of this session, and have not expired. */
  get isFresh(): boolean {
    const { access, session } = this.#latest;
    const { session: now } = this.#parts;
    return session === now() && session !== undefined && expiredAt(access, this.#parts.now()) === undefined;
  }

  /**
   * Does something with URIs of the content. When they do not count any more, or turn out to have expired, the document
   * is had anew first, once.
   */
  async use<T>(act: (snapshot: Snapshot) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (!this.isFresh) return await act(await this.#refresh(signal));
    const snapshot = this.#latest;
    try {
      return await act(snapshot);
    } catch (error) {
      if (!isStale(error)) throw error;
      // Another page may have found out before.
      const isOld = this.#latest !== snapshot && this.isFresh;
      return await act(isOld ? this.#latest : await this.#refresh(signal));
    }
  }

  /** Who asks at the same time gets the same. */
  #refresh(signal: AbortSignal | undefined): Promise<Snapshot> {
    this.#refreshing ??= load(this.#parts, undefined)
      .then((snapshot) => (this.#latest = snapshot))
      .finally(() => {
        this.#refreshing = undefined;
      });
    return abortable(this.#refreshing, signal);
  }
}

/** What using an access URI needs. */
export type AccessParts = Pick<DocumentSourceParts, 'uri' | 'ask' | 'now'>;

/**
 * Asks for an access URI and uses it; one that has expired or fails is asked for once more. Protocol §8.4.
 *
 * @throws DocumentError `expired` when the second one has expired too, by the clock of this machine.
 */
export async function withAccess<T>(
  { uri, ask, now }: AccessParts,
  signal: AbortSignal | undefined,
  use: (access: DocumentAccess) => Promise<T>,
): Promise<T> {
  const first = await ask(signal);
  if (expiredAt(first, now()) === undefined) {
    try {
      return await use(first);
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  }
  const second = await ask(signal);
  const expired = expiredAt(second, now());
  if (expired === undefined) return await use(second);
  const clock = `${new Date(now()).toISOString()} by the clock of this Agent`;
  throw new DocumentError('expired', { uri }, `its URI expired at ${expired}, and it is ${clock}`);
}

async function load(parts: DocumentSourceParts, signal: AbortSignal | undefined): Promise<Snapshot> {
  const session = parts.session();
  const place = { uri: parts.uri };
  return await withAccess(parts, signal, async (access) => {
    const wanted = { uri: access.uri, purpose: 'document', accessUri: access.uri, place, signal } as const;
    const { value, uri } = await parts.fetcher.json(wanted);
    const content = judge(value, place);
    return { access, session, content, pages: content['pages'] as readonly unknown[], uri };
  });
}

/** @throws DocumentError `invalid`, naming the field. */
function judge(value: unknown, place: DocumentPlace): JsonObject {
  if (!isJsonObject(value)) throw new DocumentError('invalid', place, 'its content is no JSON object');
  const [issue] = dpeOutlineSchema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return value;
  const field = issue.path.join('.');
  throw new DocumentError('invalid', { ...place, field }, issue.message);
}

/** When the URI expired, as the Computer said; `undefined` when it has not, or nothing readable was said. */
function expiredAt({ meta }: DocumentAccess, now: number): string | undefined {
  const said = meta?.['expires_at'];
  return typeof said === 'string' && Date.parse(said) <= now ? said : undefined;
}

/** Whether a fresh URI may help. */
function isStale(error: unknown): boolean {
  return error instanceof DocumentError && error.reason === 'unreachable';
}
