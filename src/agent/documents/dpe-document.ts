import type { JsonObject } from '../../protocol/index.js';
import type { DocumentAccess } from '../answers.js';
import { DocumentError } from './document-error.js';
import type { DocumentPage } from './document-page.js';
import type { DocumentPages, PagesOptions } from './document-pages.js';
import type { DocumentSource } from './document-source.js';
import type { DocumentElement } from './elements.js';
import { heading, pageMarkdown, type MarkdownOptions } from './page-markdown.js';

/** What making one text of a whole document takes. */
export interface WholeTextOptions extends PagesOptions {
  /** How long the text may be, in UTF-16 code units. @default 50_000_000 */
  readonly maxLength?: number;
}

/** What `toMarkdown` of a document takes. */
export interface DocumentMarkdownOptions extends WholeTextOptions, MarkdownOptions {}

/** What is looked for: a text, whatever its case, a pattern, or what a function says of an element. */
export type Sought = string | RegExp | ((element: DocumentElement, page: DocumentPage) => boolean);

/** An element that was looked for, and where it is. */
export interface Found {
  readonly page: DocumentPage;
  readonly element: DocumentElement;
}

const MAX_LENGTH = 50_000_000;

/**
 * A document that an Agent opened. Its pages are read when they are asked for. When the URIs in it have expired, fail, or
 * are of an earlier stay in the office, the Computer is asked for the document again; what is shown then is what it is
 * now. Protocol §8.4, §8.5.
 *
 * @example
 * const document = await agent.openDocument('laptop', 'dpe://com.example.docs/report');
 * for await (const page of document.pages) console.log(page.toMarkdown());
 */
export class DpeDocument {
  /** The Computer that has it. */
  readonly computer: string;
  /** What it was opened by: `dpe://…`. */
  readonly uri: string;
  readonly pages: DocumentPages;
  readonly #source: DocumentSource;

  /** Made by {@link Agent.openDocument}. */
  constructor(parts: { computer: string; uri: string; source: DocumentSource; pages: DocumentPages }) {
    this.computer = parts.computer;
    this.uri = parts.uri;
    this.#source = parts.source;
    this.pages = parts.pages;
  }

  /** Where it is; `undefined` once that has expired, and when the Agent is not in the office any more. */
  get access(): DocumentAccess | undefined {
    return this.#source.isFresh ? this.#source.latest.access : undefined;
  }

  /** The document as it came, unknown fields kept, its pages too. */
  get content(): JsonObject {
    return this.#source.latest.content;
  }

  get title(): string | undefined {
    return this.#text('title');
  }

  get summary(): string | undefined {
    return this.#text('summary');
  }

  get keywords(): readonly string[] {
    return (this.content['keywords'] as readonly string[] | null | undefined) ?? [];
  }

  /** What it was before it became a document, such as `xlsx`. */
  get fileType(): string | undefined {
    return this.#text('file_type');
  }

  /** ISO 8601, as it came. */
  get lastModified(): string | undefined {
    return this.#text('last_modified');
  }

  /**
   * The texts of all pages, a blank line between them.
   *
   * @throws DocumentError `too-large` beyond `maxLength`; what reading a page throws.
   */
  async text(options: WholeTextOptions = {}): Promise<string> {
    return await this.#join(options, this.#pageTexts(options));
  }

  /**
   * The pages as Markdown. The titles of the document and of its pages are headings, and those of the elements below
   * them; code and formulas stand in fences, tables as tables where their cells are known. Whatever a document says is
   * escaped: it makes no markup, no links, no pictures and no HTML.
   *
   * @throws DocumentError `too-large` beyond `maxLength`; what reading a page throws.
   */
  async toMarkdown(options: DocumentMarkdownOptions = {}): Promise<string> {
    return await this.#join(options, this.streamMarkdown(options));
  }

  /** What {@link DpeDocument.toMarkdown} gives, in pieces: blank lines belong between them. Holds no more than a few pages. */
  async *streamMarkdown(options: PagesOptions & MarkdownOptions = {}): AsyncGenerator<string, void, undefined> {
    const { title } = this;
    if (title !== undefined) yield heading(title, 1);
    let above = title;
    for await (const page of this.pages.read(options)) {
      const text = pageMarkdown(page, options, { levels: title === undefined ? 0 : 1, heading: above });
      above = undefined;
      if (text !== '') yield text;
    }
  }

  /**
   * The elements that are looked for, in their order.
   *
   * @example
   * for await (const { page, element } of document.find(/revenue/i)) console.log(page.index, element.text);
   */
  async *find(sought: Sought, options: PagesOptions = {}): AsyncGenerator<Found, void, undefined> {
    const matches = matcher(sought);
    for await (const page of this.pages.read(options)) {
      for (const element of page.elements) if (matches(element, page)) yield { page, element };
    }
  }

  async *#pageTexts(options: PagesOptions): AsyncGenerator<string, void, undefined> {
    for await (const page of this.pages.read(options)) {
      const text = page.text();
      if (text !== '') yield text;
    }
  }

  async #join({ maxLength = MAX_LENGTH }: WholeTextOptions, parts: AsyncIterable<string>): Promise<string> {
    const all: string[] = [];
    let length = 0;
    for await (const part of parts) {
      length += part.length + 2;
      if (length - 2 > maxLength) {
        const hint = 'read it page by page, or raise maxLength';
        throw new DocumentError('too-large', { uri: this.uri }, `its text is longer than ${maxLength}; ${hint}`);
      }
      all.push(part);
    }
    return all.join('\n\n');
  }

  #text(field: string): string | undefined {
    const value = this.content[field];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }
}

function matcher(sought: Sought): (element: DocumentElement, page: DocumentPage) => boolean {
  if (typeof sought === 'function') return sought;
  if (typeof sought === 'string') {
    const wanted = sought.toLowerCase();
    return ({ text }) => text.toLowerCase().includes(wanted);
  }
  // With these flags a pattern would remember where it found something.
  const pattern = new RegExp(sought.source, sought.flags.replaceAll(/[gy]/g, ''));
  return ({ text }) => pattern.test(text);
}
