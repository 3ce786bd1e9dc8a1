import type { DocumentInput } from './build-document.js';
import {
  documentContents,
  referenceContents,
  type DocumentContentsOptions,
  type DocumentReference,
} from './document-contents.js';
import type { DocumentResourceOptions } from './document-resource.js';
import { present } from './options.js';
import { toBase64, type ResourceContent } from './resource-content.js';

/** A document in pages. What it says of itself stands in the document, and before what its resource says. */
export interface PagedContent
  extends
    Pick<DocumentInput, 'pages'>,
    Partial<
      Pick<DocumentInput, 'title' | 'summary' | 'keywords' | 'fileType' | 'fileUri' | 'lastModified' | 'pageCount'>
    > {}

/**
 * What reading a document yields: pages, which become DPE JSON; a text or bytes, which go out as they are, with the
 * MIME type of the resource; or where the document is.
 */
export type DocumentContent = PagedContent | string | Uint8Array | { readonly reference: DocumentReference };

/** @returns `undefined` for what is no content. */
function kindOf(content: unknown): 'text' | 'bytes' | 'reference' | 'pages' | undefined {
  if (typeof content === 'string') return 'text';
  if (content instanceof Uint8Array) return 'bytes';
  if (typeof content !== 'object' || content === null) return undefined;
  if ('reference' in content) return 'reference';
  return 'pages' in content ? 'pages' : undefined;
}

/** @throws TypeError when a value is no content. */
export function assertContent(place: string, content: unknown): asserts content is DocumentContent {
  if (kindOf(content) !== undefined) return;
  throw new TypeError(`${place}: content: expected pages, a string, bytes or a reference`);
}

/** How many pages a content is known to have. */
export function pageCountOf(content: unknown): number | undefined {
  const pages: unknown = kindOf(content) === 'pages' ? (content as PagedContent).pages : undefined;
  return Array.isArray(pages) && pages.length > 0 ? pages.length : undefined;
}

/**
 * Turns what an author gave into the answer of `resources/read`.
 *
 * @param uri - as the client wrote it.
 * @param described - what the resource says of the document.
 * @throws TypeError that names the field at fault.
 */
export async function readContent(
  uri: string,
  described: DocumentResourceOptions,
  content: DocumentContent,
  options: DocumentContentsOptions,
): Promise<ResourceContent[]> {
  const { mimeType } = described;
  if (typeof content === 'string') return [{ uri, mimeType: mimeType ?? 'application/json', text: content }];
  if (content instanceof Uint8Array)
    return [{ uri, mimeType: mimeType ?? 'application/json', blob: toBase64(content) }];
  if ('reference' in content) return referenceContents(uri, present({ mimeType, ...present(content.reference) }));
  const contents = await documentContents(
    { pageCount: content.pages.length, ...described, ...present(content) },
    options,
  );
  // Readers look for the URI that they asked for.
  return contents.map((item) => ({ ...item, uri }));
}
