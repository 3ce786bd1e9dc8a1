import { Buffer } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import type { DpeResolverHint } from './dpe-resolver.js';
import { isAbsoluteUri } from './absolute-uri.js';

/** The content of a document as text or base64, to be turned into bytes piece by piece. */
export interface InlineDocument {
  readonly kind: 'inline';
  readonly mimeType: string | undefined;
  /** In bytes. */
  readonly size: number;
  /** In pieces of some 64 KB, so that it is not held twice. */
  chunks(): Iterable<Uint8Array>;
  /** The same for a hash, which takes text without turning it into bytes first. */
  pieces?(): Iterable<string>;
  /** As it came: text where there are `pieces`, else base64. */
  readonly raw?: string;
}

/** A document that is somewhere else. */
export interface DocumentReference {
  readonly kind: 'reference';
  /** Absolute, of any scheme. */
  readonly uri: string;
  readonly mimeType: string | undefined;
  /** In bytes. */
  readonly size: number | undefined;
  /** ISO 8601. */
  readonly expiresAt: string | undefined;
  readonly etag: string | undefined;
}

/** What an MCP server gave for a document. */
export type DocumentSource = InlineDocument | DocumentReference;

/** The content is the JSON of the document, to be kept as any other. */
const INLINE_TYPE = 'application/vnd.a2c.dpe-inline+json';
/** The content is JSON that says where the document is. */
const REFERENCE_TYPE = 'application/vnd.a2c.dpe-uri+json';
/** The longest reference, in bytes: it holds one URI. */
const MAX_REFERENCE_BYTES = 64 * 1024;
/** In characters; a multiple of 4, for base64. */
const PIECE = 64 * 1024;

/**
 * Finds the document in what an MCP server answered to `resources/read`: the content of this very URI, else the first
 * that has bytes.
 *
 * @param hint - has the MIME type of a content that names none.
 * @throws Error (a sentence without content) when the contents have neither text nor blob, a blob that is not base64,
 *   or a reference that is none.
 */
export function documentSource(
  dpeUri: string,
  contents: readonly JsonObject[],
  hint: Pick<DpeResolverHint, 'mimeType'>,
): DocumentSource {
  const content = contents.find((item) => item['uri'] === dpeUri && hasBytes(item)) ?? contents.find(hasBytes);
  if (content === undefined) throw new Error('The document has neither text nor blob content');
  const mimeType = typeof content['mimeType'] === 'string' ? content['mimeType'] : hint.mimeType;
  const essence = mimeEssence(mimeType);
  const inline = inlineDocument(content, essence === INLINE_TYPE ? 'application/json' : mimeType);
  return essence === REFERENCE_TYPE ? readReference(inline) : inline;
}

/** A MIME type without its parameters, in lower case; empty when there is none. */
export function mimeEssence(mimeType: string | undefined): string {
  return mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function hasBytes(content: JsonObject): boolean {
  return typeof content['text'] === 'string' || typeof content['blob'] === 'string';
}

function inlineDocument({ text, blob }: JsonObject, mimeType: string | undefined): InlineDocument {
  if (typeof text === 'string') {
    return textDocument(text, mimeType);
  }
  const base64 = String(blob);
  return { kind: 'inline', mimeType, size: base64Size(base64), chunks: () => base64Chunks(base64), raw: base64 };
}

function textDocument(text: string, mimeType: string | undefined): InlineDocument {
  let size: number | undefined;
  return {
    kind: 'inline',
    mimeType,
    // Counted when it is asked for: a document that is known already has been counted before.
    get size() {
      return (size ??= Buffer.byteLength(text));
    },
    chunks: () => textChunks(text),
    pieces: () => textPieces(text),
    raw: text,
  };
}

function* textChunks(text: string): Generator<Uint8Array> {
  for (const piece of textPieces(text)) yield Buffer.from(piece);
}

function* textPieces(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + PIECE, text.length);
    // The two halves of a character beyond the basic plane stay together.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Base64 without line breaks and padding, in pieces. */
function* base64Pieces(base64: string): Generator<string> {
  const padding = /=[\s=]*$/.exec(base64.slice(-PIECE))?.[0].length ?? 0;
  const end = base64.length - padding;
  for (let start = 0; start < end; start += PIECE)
    yield base64.slice(start, Math.min(start + PIECE, end)).replace(/\s+/g, '');
}

/** @throws Error when it is not base64, in either alphabet. */
function base64Size(base64: string): number {
  let digits = 0;
  for (const piece of base64Pieces(base64)) {
    if (/[^A-Za-z0-9+/_-]/.test(piece)) throw new Error('The document has a blob that is not base64');
    digits += piece.length;
  }
  if (digits % 4 === 1) throw new Error('The document has a blob that is not base64');
  return Math.floor((digits * 3) / 4);
}

function* base64Chunks(base64: string): Generator<Uint8Array> {
  let rest = '';
  for (const piece of base64Pieces(base64)) {
    const digits = rest + piece;
    const whole = digits.length - (digits.length % 4);
    rest = digits.slice(whole);
    if (whole > 0) yield Buffer.from(digits.slice(0, whole), 'base64');
  }
  if (rest !== '') yield Buffer.from(rest, 'base64');
}

function readReference(inline: InlineDocument): DocumentReference {
  const fail = (problem: string): never => {
    throw new Error(`The document is given by a reference that ${problem}`);
  };
  if (inline.size > MAX_REFERENCE_BYTES) fail('is too long');
  const value = parseJson(Buffer.concat([...inline.chunks()]).toString());
  if (!isJsonObject(value)) return fail('is not a JSON object');
  const { uri, mime_type: mimeType, expires_at: expiresAt, etag } = value;
  if (typeof uri !== 'string' || !isAbsoluteUri(uri)) return fail('has no absolute "uri"');
  return {
    kind: 'reference',
    uri,
    mimeType: textOf(mimeType),
    size: isSize(value['size']) ? value['size'] : undefined,
    expiresAt: textOf(expiresAt),
    etag: textOf(etag),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isSize(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
