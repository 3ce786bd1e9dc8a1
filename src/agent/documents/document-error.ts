/** Why a document, or a page of it, could not be had. */
export type DocumentFailure =
  /** The fetch failed: no connection, an HTTP status of 400 or more, no such file. `get_dpe` was asked once more. */
  | 'unreachable'
  /** The URI had expired, and the one that `get_dpe` gave then had as well. */
  | 'expired'
  /** The rules for where documents are fetched from forbid it. */
  | 'refused'
  /** Nothing fetches URIs of that scheme. */
  | 'unsupported-scheme'
  /** Larger than a limit allows. */
  | 'too-large'
  /** It took longer than `fetchTimeoutMs`. */
  | 'timeout'
  /** What was fetched is no JSON in UTF-8. */
  | 'not-json'
  /** It is JSON, but no document, or no page. */
  | 'invalid'
  /** The manifest of a page leads back to itself, or on and on. */
  | 'cyclic';

/** Which part of which document is concerned. */
export interface DocumentPlace {
  /** The document: `dpe://…`. */
  readonly uri: string;
  /** The field of its content, such as `pages.7.uri`; absent for the document as a whole. */
  readonly field?: string | undefined;
}

/** What else is known about a failure. */
export interface DocumentErrorInfo {
  /** The HTTP status, where there was one. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** A document could not be fetched, or is none. Never crosses the wire. Protocol §8.4, §8.5. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly reason: DocumentFailure;
  /** The document: `dpe://…`. The URI that it was fetched from is not named: it may be a key to it. */
  readonly uri: string;
  /** The field of the content that is at fault, such as `pages.7.uri`. */
  readonly field: string | undefined;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;

  constructor(reason: DocumentFailure, place: DocumentPlace, what: string, info: DocumentErrorInfo = {}) {
    const where = place.field === undefined ? place.uri : `${place.uri}, ${place.field}`;
    super(`Document ${where}: ${what}`, info.cause === undefined ? undefined : { cause: info.cause });
    this.reason = reason;
    this.uri = place.uri;
    this.field = place.field;
    this.status = info.status;
  }
}
