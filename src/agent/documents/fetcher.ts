import type { DocumentPlace } from './document-error.js';

/** What a fetcher is told. */
export interface FetchRequest {
  /** Aborted when the time is up or nobody wants the content any more. */
  readonly signal: AbortSignal;
  /** Reading ends with an error beyond so many bytes: what says its size may be refused before. */
  readonly maxBytes: number;
  /**
   * `document`: the URI is the Computer's answer. `page`: it stands in the document's content, where an MCP server put
   * it; a fetcher that reaches what others cannot has to judge it.
   */
  readonly purpose: 'document' | 'page';
  /** The URI that the Computer answered with. */
  readonly accessUri: string;
  /** What is being fetched, for errors. */
  readonly place: DocumentPlace;
}

/** What a fetcher found. */
export interface FetchedContent {
  /** In pieces, as a stream gives them: the bytes of one must not change once it was given. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
  readonly mimeType?: string | undefined;
  /** Where it was found after redirects: relative URIs in it are relative to that. @default the URI that was asked for */
  readonly uri?: string | undefined;
}

/**
 * Fetches what a URI yields. Size and time are limited for it.
 *
 * @throws DocumentError `unreachable` for a URI that may have expired: a fresh one is asked for once. Any other error
 *   counts as that as well.
 */
export type DocumentFetcher = (uri: string, request: FetchRequest) => Promise<FetchedContent>;
