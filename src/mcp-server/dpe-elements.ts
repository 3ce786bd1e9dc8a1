import type { ElementCategory } from '../protocol/index.js';

/** Anything beside the text, for readers that know it. JSON only. */
export type ElementMetadata = Readonly<Record<string, unknown>>;

/** One element of a page, as an author writes it. Fields that are not named here are kept. Protocol §8.5. */
export interface ElementInput {
  /** @default made from the page and the place in it: `p0-e3` */
  readonly element_id?: string;
  /** What it is. Readers take a category that is not a standard one for plain text. */
  readonly category: ElementCategory | (string & Record<never, never>);
  /** What it says, also where it is a picture or a table. */
  readonly text: string;
  readonly doc_ref?: string;
  readonly page_index?: number;
  readonly ele_metadata?: ElementMetadata;
  readonly [field: string]: unknown;
}

/**
 * One page, as an author writes it: `elements`, or the `uri` at which a page with its elements can be fetched. Fields
 * that are not named here are kept. Protocol §8.5.
 */
export interface PageInput {
  /** @default its place in the document, from 0 */
  readonly page_index?: number;
  readonly title?: string;
  readonly doc_ref?: string;
  readonly elements?: readonly ElementInput[];
  /** Absolute; not read where there are `elements`. */
  readonly uri?: string;
  /** How many elements the page at `uri` has. */
  readonly element_count?: number;
  readonly [field: string]: unknown;
}

/** What can be said of a page beside its elements. */
export type PageFields = Omit<PageInput, 'elements' | 'uri'>;

/** What stands in one cell of a {@link table}. */
export type TableCell = string | number | boolean | null;

/**
 * A page with its elements.
 *
 * @example
 * page([title('Figures'), table([['Quarter', 'Revenue'], ['Q1', 100]])], { title: 'Figures' });
 */
export function page(elements: readonly ElementInput[], fields: PageFields = {}): PageInput {
  return { ...fields, elements };
}

/**
 * A page whose elements are somewhere else, fetched when somebody reads it.
 *
 * @param uri - absolute; yields the JSON of one page with its `elements`.
 */
export function linkedPage(uri: string, fields: PageFields = {}): PageInput {
  return { ...fields, uri };
}

/** An element of any category. */
export function element(category: ElementInput['category'], text: string, metadata?: ElementMetadata): ElementInput {
  return metadata === undefined ? { category, text } : { category, text, ele_metadata: metadata };
}

/** A heading. @param metadata - `{ level: 2 }` for one below the highest. */
export function title(text: string, metadata?: ElementMetadata): ElementInput {
  return element('Title', text, metadata);
}

/** A paragraph of prose. */
export function paragraph(text: string, metadata?: ElementMetadata): ElementInput {
  return element('NarrativeText', text, metadata);
}

/** One item of a list. @param metadata - `{ level: 2 }` for one within another. */
export function listItem(text: string, metadata?: ElementMetadata): ElementInput {
  return element('ListItem', text, metadata);
}

/**
 * A table; its text has a line for each row and a tab between cells, which people, models and programs read alike.
 *
 * @param rows - the first one is the heading. Shorter rows are filled up with empty cells.
 */
export function table(rows: readonly (readonly TableCell[])[], metadata?: ElementMetadata): ElementInput {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const lines = rows.map((row) => Array.from({ length: width }, (_, column) => cellText(row[column])).join('\t'));
  return element('Table', lines.join('\n'), metadata);
}

function cellText(cell: TableCell | undefined): string {
  return cell == null ? '' : String(cell).replace(/\s*[\r\n\t]\s*/g, ' ');
}

/** A piece of a program. @param metadata - `{ language: 'ts' }`. */
export function code(text: string, metadata?: ElementMetadata): ElementInput {
  return element('CodeSnippet', text, metadata);
}

/**
 * A picture.
 *
 * @param text - what it shows, in words.
 * @param metadata - for example where the picture itself is.
 */
export function image(text: string, metadata?: ElementMetadata): ElementInput {
  return element('Image', text, metadata);
}

/** What stands below a picture or a table. */
export function caption(text: string, metadata?: ElementMetadata): ElementInput {
  return element('FigureCaption', text, metadata);
}
