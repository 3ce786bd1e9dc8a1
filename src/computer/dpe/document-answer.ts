import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { readRange, type ByteRange } from './byte-range.js';

/** How to answer a request for a document. */
export interface DocumentAnswer {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: OutgoingHttpHeaders;
  /** What of it goes out; absent where nothing does. */
  readonly range?: ByteRange;
}

/** A document as its URL names it. */
export interface ServedDocument {
  readonly name: string;
  readonly mimeType: string | undefined;
  /** In bytes. */
  readonly size: number;
  /** How much longer it can be fetched, in seconds. */
  readonly maxAge: number;
}

/** The strong validator of a document: its name is the hash of its bytes. */
export function etagOf(name: string): string {
  return `"${name.slice(0, 64)}"`;
}

/**
 * Answers GET and HEAD: whole, in part, or "you have it". What is in a document may be anybody's: a browser must take it
 * for nothing but data. RFC 9110 §13.2, §14.
 */
export function answerDocument({ method, headers }: IncomingMessage, document: ServedDocument): DocumentAnswer {
  const { name, size, maxAge } = document;
  const etag = etagOf(name);
  const common = {
    etag,
    'cache-control': `private, max-age=${maxAge}, immutable`,
    'accept-ranges': 'bytes',
    ...contentHeaders(document),
  };
  if (isAmong(headers['if-none-match'], etag)) return { status: 304, headers: common };
  const isPartial = method === 'GET' && (headers['if-range'] ?? etag) === etag;
  const range = isPartial ? readRange(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...common, 'content-range': `bytes */${size}`, 'content-length': 0 } };
  }
  if (range === undefined) {
    const whole = { status: 200, headers: { ...common, 'content-length': size } } as const;
    return method === 'HEAD' || size === 0 ? whole : { ...whole, range: { start: 0, end: size - 1 } };
  }
  const { start, end } = range;
  const length = { 'content-length': end - start + 1, 'content-range': `bytes ${start}-${end}/${size}` };
  return { status: 206, headers: { ...common, ...length }, range };
}

function contentHeaders({ name, mimeType = '' }: ServedDocument): OutgoingHttpHeaders {
  // What has no form in a header is no MIME type.
  const isType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;[\x20-\x7e]*)?$/.test(mimeType);
  return {
    'content-type': isType ? mimeType : 'application/octet-stream',
    'content-disposition': `attachment; filename="document${name.slice(64)}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  };
}

function isAmong(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false;
}
