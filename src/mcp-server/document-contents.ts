import { z } from 'zod';
import { buildDocument, type DocumentInput } from './build-document.js';
import { absoluteUri, checkOptions, filledText, present, timeSchema, toIso } from './options.js';
import type { ResourceContent } from './resource-content.js';

/** The MIME type of a document that is given as it is. */
export const DOCUMENT_MIME_TYPE = 'application/json';
/** The same, in the words of later MCP servers: a Computer keeps it as `application/json`. */
export const INLINE_DOCUMENT_MIME_TYPE = 'application/vnd.a2c.dpe-inline+json';
/** The MIME type of a content that says where the document is. */
export const DOCUMENT_REFERENCE_MIME_TYPE = 'application/vnd.a2c.dpe-uri+json';

/** Above this, in bytes of JSON, a document is given by reference where that can be done. */
const INLINE_LIMIT_BYTES = 1_000_000;

/** Where a document is. */
export interface DocumentReference {
  /** Absolute. Agents fetch it, or the Computer copies it from there: whoever does must be able to reach it. */
  readonly uri: string;
  /** @default 'application/json' */
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
  /** When the URI stops working: a Date, or ISO 8601 with a time and an offset. */
  readonly expiresAt?: Date | string;
  /** Another one when the document is another one. */
  readonly etag?: string;
}

/** A document that is too large to be given as it is. */
export interface LargeDocument {
  /** The `dpe:` URI. */
  readonly uri: string;
  /** The document as it is to be fetched. */
  readonly json: string;
  /** The bytes of `json` in UTF-8. */
  readonly size: number;
}

/** How {@link documentContents} gives a document. */
export interface DocumentContentsOptions {
  /**
   * The largest document that is given as it is although there is a `reference`, in bytes.
   *
   * @default 1_000_000
   */
  readonly inlineLimitBytes?: number;
  /**
   * Puts a larger document where it can be fetched, and says where. `undefined`: it is given as it is after all.
   *
   * @default every document is given as it is
   */
  readonly reference?: (
    document: LargeDocument,
  ) => DocumentReference | undefined | Promise<DocumentReference | undefined>;
  /**
   * The MIME type of a document that is given as it is.
   *
   * @default 'application/json'
   */
  readonly inlineMimeType?: typeof DOCUMENT_MIME_TYPE | typeof INLINE_DOCUMENT_MIME_TYPE;
}

const optionsSchema = z.strictObject({
  inlineLimitBytes: z
    .number({ error: 'expected a number of bytes' })
    .min(0, { error: 'must be at least 0' })
    .optional(),
  reference: z
    .custom<NonNullable<DocumentContentsOptions['reference']>>((value) => typeof value === 'function', {
      error: 'expected a function',
    })
    .optional(),
  inlineMimeType: z
    .enum([DOCUMENT_MIME_TYPE, INLINE_DOCUMENT_MIME_TYPE], {
      error: `expected "${DOCUMENT_MIME_TYPE}" or "${INLINE_DOCUMENT_MIME_TYPE}"`,
    })
    .optional(),
});

const referenceSchema = z.strictObject({
  uri: absoluteUri,
  mimeType: filledText.optional(),
  size: z.int({ error: 'expected a number of bytes' }).min(0, { error: 'must be at least 0' }).optional(),
  expiresAt: timeSchema.optional(),
  etag: filledText.optional(),
});

/** Judges how documents are to be given, before there is one. @throws TypeError that names the option at fault. */
export function checkContentsOptions(helper: string, options: DocumentContentsOptions): void {
  checkOptions(helper, optionsSchema, options);
}

/**
 * What reading a document yields: its JSON or, where it is large and there is a place for it, a reference to it.
 * For the answer of `resources/read`. Protocol §8.5.
 *
 * @returns one content, ready to be sent.
 * @throws TypeError that names the field at fault: `pages.0.elements.3.text`; whatever `reference` throws.
 */
export async function documentContents(
  document: DocumentInput,
  options: DocumentContentsOptions = {},
): Promise<ResourceContent[]> {
  checkContentsOptions('documentContents', options);
  const built = buildDocument(document);
  const uri = String(built.uri);
  const json = toJson(built);
  const { reference, inlineLimitBytes = INLINE_LIMIT_BYTES, inlineMimeType = DOCUMENT_MIME_TYPE } = options;
  if (reference !== undefined) {
    const size = utf8Length(json);
    const found = size > inlineLimitBytes ? await reference({ uri, json, size }) : undefined;
    if (found !== undefined) return referenceContents(uri, { size, ...present(found) });
  }
  return [{ uri, mimeType: inlineMimeType, text: json }];
}

/**
 * A content that says where a document is.
 *
 * @param uri - the `dpe:` URI of the document.
 * @throws TypeError that names the field at fault.
 */
export function referenceContents(uri: string, reference: DocumentReference): ResourceContent[] {
  const { mimeType = DOCUMENT_MIME_TYPE, ...rest } = checkOptions('reference', referenceSchema, reference);
  const text = JSON.stringify({
    uri: rest.uri,
    mime_type: mimeType,
    size: rest.size,
    expires_at: toIso(rest.expiresAt),
    etag: rest.etag,
  });
  return [{ uri, mimeType: DOCUMENT_REFERENCE_MIME_TYPE, text }];
}

function toJson(document: object): string {
  try {
    return JSON.stringify(document);
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    throw new TypeError(`documentContents: pages: cannot be written as JSON: ${problem}`, { cause: error });
  }
}

/** Counted, not encoded: the bytes of a large document are not needed here. */
function utf8Length(text: string): number {
  let length = text.length;
  for (let place = 0; place < text.length; place += 1) {
    const unit = text.charCodeAt(place);
    if (unit > 0x7f) length += 1;
    // A pair is four bytes: each half counts for two.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) length += 1;
  }
  return length;
}
