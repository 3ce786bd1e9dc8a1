import type { JsonObject } from '../../protocol/index.js';
import { readElement, type DocumentElement } from './elements.js';
import { pageMarkdown, type MarkdownOptions } from './page-markdown.js';

/** What a page is made of. */
export interface DocumentPageParts {
  readonly index: number;
  readonly entry: JsonObject;
  readonly content: JsonObject;
}

/** One page of a document, its elements at hand. Protocol §8.5. */
export class DocumentPage {
  /** Its place in the document, counted from 0. */
  readonly index: number;
  readonly elements: readonly DocumentElement[];
  /** The page as it came, unknown fields kept: from its manifest, where it has one. */
  readonly content: JsonObject;
  /** The page as the document lists it, unknown fields kept. */
  readonly entry: JsonObject;

  constructor({ index, entry, content }: DocumentPageParts) {
    this.index = index;
    this.entry = entry;
    this.content = content;
    this.elements = (content['elements'] as readonly JsonObject[]).map(readElement);
  }

  /** What the page itself says, else what the document says of it. */
  get title(): string | undefined {
    return text(this.content['title']) ?? text(this.entry['title']);
  }

  /** The texts of all elements that have one, a line break between them. */
  text(): string {
    return this.elements
      .map((element) => element.text)
      .filter((line) => line !== '')
      .join('\n');
  }

  /** The page as Markdown; see {@link DpeDocument.toMarkdown}. */
  toMarkdown(options: MarkdownOptions = {}): string {
    return pageMarkdown(this, options);
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
