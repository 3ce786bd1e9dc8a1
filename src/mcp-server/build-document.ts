import { z } from 'zod';
import { DpeUri, isJsonObject, type DpeDocumentContent } from '../protocol/index.js';
import type { PageInput } from './dpe-elements.js';
import { documentResource, type DocumentResourceOptions } from './document-resource.js';
import { absoluteUri, checkOptions, filledText, present } from './options.js';

/** A document with its pages: what {@link documentResource} needs to know, and what it says. */
export interface DocumentInput extends DocumentResourceOptions {
  /** At least one. */
  readonly pages: readonly PageInput[];
}

const index = z.int({ error: 'expected a whole number' }).min(0, { error: 'must be at least 0' }).optional();
const text = z.string({ error: 'expected a string' });

const elementSchema = z.looseObject(
  {
    element_id: filledText.optional(),
    category: filledText,
    text,
    doc_ref: filledText.optional(),
    page_index: index,
    ele_metadata: z.custom(isJsonObject, { error: 'expected an object' }).optional(),
  },
  { error: 'expected an element' },
);

const pageSchema = z
  .looseObject(
    {
      page_index: index,
      title: text.optional(),
      doc_ref: filledText.optional(),
      elements: z.array(elementSchema, { error: 'expected a list of elements' }).optional(),
      uri: absoluteUri.optional(),
      element_count: index,
    },
    { error: 'expected a page' },
  )
  .refine((page) => page.elements !== undefined || page.uri !== undefined, {
    error: 'a page needs "elements", or the "uri" at which they can be fetched',
  });

const pagesSchema = z.strictObject({
  pages: z
    .array(pageSchema, { error: 'expected a list of pages' })
    .min(1, { error: 'a document needs at least one page' }),
});

const HELPER = 'buildDocument';

/**
 * Builds the JSON of a document, with every field that writers must give. Ids of elements and numbers of pages are
 * filled in where they are missing. Protocol §8.5.
 *
 * @returns the document, in the order in which fields stand in the protocol.
 * @throws TypeError that names the field at fault: `pages.0.elements.3.text`.
 */
export function buildDocument(document: DocumentInput): DpeDocumentContent {
  if (!isJsonObject(document)) throw new TypeError(`${HELPER}: expected a document`);
  const { pages, ...described } = document;
  const resource = documentResource(described);
  checkOptions(HELPER, pagesSchema, { pages });
  return present<DpeDocumentContent>({
    doc_ref: DpeUri.parse(resource.uri).docRef,
    uri: resource.uri,
    file_uri: described.fileUri,
    file_type: described.fileType,
    title: resource.name,
    summary: described.summary,
    page_count: described.pageCount ?? pages.length,
    keywords: described.keywords === undefined ? undefined : [...described.keywords],
    last_modified: resource.annotations.lastModified,
    pages: withIds(pages),
  });
}

/** What goes on is the author's own, not the copy of the schema: unknown fields are kept. */
function withIds(pages: readonly PageInput[]): DpeDocumentContent['pages'] {
  const places = new Map<string, string>();
  return pages.map((page, position) => {
    const pageIndex = page.page_index ?? position;
    const elements = page.elements?.map((element, place) => {
      const id = element.element_id ?? `p${pageIndex}-e${place}`;
      claim(places, id, `pages.${position}.elements.${place}.element_id`);
      return { ...element, element_id: id };
    });
    return present({ ...page, page_index: pageIndex, elements });
  });
}

function claim(places: Map<string, string>, id: string, place: string): void {
  const other = places.get(id);
  if (other !== undefined) {
    throw new TypeError(`${HELPER}: ${place}: ${JSON.stringify(id)} is the id of ${other} too; give each its own`);
  }
  places.set(id, place);
}
