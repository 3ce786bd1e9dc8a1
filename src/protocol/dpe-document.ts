import { z } from 'zod';
import { isJsonObject } from './json.js';

/** The 19 standard categories of an element. Protocol §8.5. */
export const ELEMENT_CATEGORIES = [
  'UncategorizedText',
  'Title',
  'NarrativeText',
  'ListItem',
  'Table',
  'TableChunk',
  'Image',
  'CodeSnippet',
  'Formula',
  'CheckBox',
  'Header',
  'Footer',
  'PageBreak',
  'PageNumber',
  'FigureCaption',
  'Address',
  'EmailAddress',
  'CompositeElement',
  'FormKeysValues',
] as const;

/** One of {@link ELEMENT_CATEGORIES}. */
export type ElementCategory = (typeof ELEMENT_CATEGORIES)[number];

const standard = new Set<string>(ELEMENT_CATEGORIES);

/** How to read a category: itself when it is standard, else as plain text. Protocol §8.5. */
export function standardCategory(category: unknown): ElementCategory {
  return typeof category === 'string' && standard.has(category) ? (category as ElementCategory) : 'UncategorizedText';
}

const text = z.string().nullish();
const count = z.number().nullish();

/** One element of a page, unknown fields kept. Protocol §8.5. */
export const dpeElementSchema = z.looseObject({
  element_id: text,
  category: text,
  text,
  doc_ref: text,
  page_index: count,
  ele_metadata: z.custom<Record<string, unknown>>(isJsonObject).nullish(),
});
/** See {@link dpeElementSchema}. */
export type DpeElement = z.infer<typeof dpeElementSchema>;

/** One page: elements inline, or the URI of a manifest that has them; inline wins. Protocol §8.5. */
export const dpePageSchema = z
  .looseObject({
    page_index: count,
    title: text,
    doc_ref: text,
    elements: z.array(dpeElementSchema).nullish(),
    uri: text,
    element_count: count,
  })
  .refine((page) => page.elements != null || page.uri != null, {
    error: 'a page needs "elements" or the "uri" of its manifest',
  });
/** See {@link dpePageSchema}. */
export type DpePage = z.infer<typeof dpePageSchema>;

const outline = {
  doc_ref: text,
  uri: text,
  file_uri: text,
  file_type: text,
  title: text,
  summary: text,
  page_count: count,
  keywords: z.array(z.string()).nullish(),
  last_modified: text,
};

/** What the access URI of a document yields. Readers require only `pages`. Protocol §8.5. */
export const dpeDocumentSchema = z.looseObject({
  ...outline,
  pages: z.array(dpePageSchema, { error: 'expected a list of pages' }),
});
/** The same, its pages not looked at: each is judged when it is read, so that a long document opens at once. */
export const dpeOutlineSchema = z.looseObject({
  ...outline,
  pages: z.custom<readonly unknown[]>(Array.isArray, { error: 'expected a list of pages' }),
});
/** The content of a document, as read. Protocol §8.5. */
export type DpeDocumentContent = z.infer<typeof dpeDocumentSchema>;
