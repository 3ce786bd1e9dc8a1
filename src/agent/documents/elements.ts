import { isJsonObject, standardCategory, type ElementCategory, type JsonObject } from '../../protocol/index.js';

/** What all elements of a page have. Protocol §8.5. */
export interface ElementOf<C extends ElementCategory> {
  readonly category: C;
  /** Empty where the element has none. */
  readonly text: string;
  readonly id: string | undefined;
  /** The page that it came from, as the element says. */
  readonly pageIndex: number | undefined;
  /** `ele_metadata`; empty where the element has none. */
  readonly metadata: JsonObject;
  /** The element as it came, unknown fields kept. */
  readonly content: JsonObject;
}

/** A text of no kind, or of one that the protocol does not know. */
export interface UncategorizedTextElement extends ElementOf<'UncategorizedText'> {
  /** The category as it came, where it is another. */
  readonly originalCategory: unknown;
}

/** A heading. */
export interface TitleElement extends ElementOf<'Title'> {
  /** From 1, the highest: `category_depth` counted from 0, or `level`, in `ele_metadata`. */
  readonly level: number;
}

/** An item of a list. */
export interface ListItemElement extends ElementOf<'ListItem'> {
  /** From 1, the outermost; as for titles. */
  readonly level: number;
}

/** A table, or a part of a large one. */
export interface TableElement extends ElementOf<'Table' | 'TableChunk'> {
  /** `text_as_html` or `html` in `ele_metadata`: as it came, not to be trusted. */
  readonly html: string | undefined;
  /** `rows` in `ele_metadata`, where it is a list of lists. */
  readonly rows: readonly (readonly unknown[])[] | undefined;
}

/** A picture; its text is what is known of what it shows. */
export interface ImageElement extends ElementOf<'Image'> {
  /** `alt` or `alt_text` in `ele_metadata`. */
  readonly alt: string | undefined;
}

/** Program text. */
export interface CodeSnippetElement extends ElementOf<'CodeSnippet'> {
  /** `language` or `code_language` in `ele_metadata`. */
  readonly language: string | undefined;
}

/** A box that is checked or not. */
export interface CheckBoxElement extends ElementOf<'CheckBox'> {
  /** `checked` in `ele_metadata`. */
  readonly checked: boolean | undefined;
}

/** The categories of which nothing but the text is read. */
type PlainCategory = Exclude<
  ElementCategory,
  'UncategorizedText' | 'Title' | 'ListItem' | 'Table' | 'TableChunk' | 'Image' | 'CodeSnippet' | 'CheckBox'
>;

/** One element of a page, by its `category`. */
export type DocumentElement =
  | UncategorizedTextElement
  | TitleElement
  | ListItemElement
  | TableElement
  | ImageElement
  | CodeSnippetElement
  | CheckBoxElement
  | { [C in PlainCategory]: ElementOf<C> }[PlainCategory];

/** What is read beside the text, by category. */
const DETAILS: Partial<Record<ElementCategory, (metadata: JsonObject, content: JsonObject) => object>> = {
  UncategorizedText: (_, { category }) => ({ originalCategory: category }),
  Title: (metadata) => ({ level: levelOf(metadata) }),
  ListItem: (metadata) => ({ level: levelOf(metadata) }),
  Table: tableOf,
  TableChunk: tableOf,
  Image: ({ alt, alt_text: other }) => ({ alt: textOf(alt, other) }),
  CodeSnippet: ({ language, code_language: other }) => ({ language: textOf(language, other) }),
  CheckBox: ({ checked }) => ({ checked: typeof checked === 'boolean' ? checked : undefined }),
};

/** Reads an element as it came. One of an unknown category is a plain text. Protocol §8.5. */
export function readElement(content: JsonObject): DocumentElement {
  const { element_id: id, text, page_index: page, ele_metadata: found } = content;
  const category = standardCategory(content['category']);
  const metadata = isJsonObject(found) ? found : {};
  const element = {
    category,
    text: typeof text === 'string' ? text : '',
    id: textOf(id),
    pageIndex: typeof page === 'number' ? page : undefined,
    metadata,
    content,
    ...DETAILS[category]?.(metadata, content),
  };
  return element as DocumentElement;
}

function textOf(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

function levelOf({ category_depth: depth, level }: JsonObject): number {
  if (Number.isSafeInteger(depth) && (depth as number) >= 0) return (depth as number) + 1;
  return Number.isSafeInteger(level) && (level as number) >= 1 ? (level as number) : 1;
}

function tableOf({ text_as_html: html, html: other, rows }: JsonObject): Pick<TableElement, 'html' | 'rows'> {
  const hasRows = Array.isArray(rows) && rows.length > 0 && rows.every((row) => Array.isArray(row));
  return { html: textOf(html, other), rows: hasRows ? rows : undefined };
}
