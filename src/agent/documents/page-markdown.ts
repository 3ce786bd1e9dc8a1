import type { DocumentElement, TitleElement } from './elements.js';
import { escapeFlat, escapeText, fenced } from './markdown-escape.js';
import { tableMarkdown } from './markdown-table.js';

/** How Markdown is made. */
export interface MarkdownOptions {
  /** Whether headers, footers and page numbers are shown. @default true */
  readonly furniture?: boolean;
}

/** What stands above a page. */
export interface Above {
  /** How many levels of headings. */
  readonly levels: number;
  /** The heading directly above, which is not said twice. */
  readonly heading: string | undefined;
}

const FURNITURE: readonly string[] = ['Header', 'Footer', 'PageNumber'];
const DEEPEST = 6;
const BOXES: Readonly<Record<string, string>> = { true: '[x] ', false: '[ ] ' };

/** A heading of Markdown. @param level - from 1; below the deepest one of Markdown, that one. */
export function heading(text: string, level: number): string {
  // Signs at the end would count as decoration.
  const line = escapeFlat(text).replace(/(^|\s)(#+)$/, '$1\\$2');
  return `${'#'.repeat(Math.min(level, DEEPEST))} ${line}`;
}

/** Blocks of Markdown, with what stands between them. */
class Blocks {
  #text = '';
  #wasItem = false;
  /** How deep the last item of a list stands, from 1. */
  #depth = 0;

  get text(): string {
    return this.#text;
  }

  block(text: string): void {
    if (text === '') return;
    this.#text += `${this.#text === '' ? '' : '\n\n'}${text}`;
    this.#wasItem = false;
    this.#depth = 0;
  }

  /** An item of a list, at most one level below the one before. */
  item(text: string, level: number): void {
    if (text === '') return;
    this.#depth = Math.min(level, this.#depth + 1);
    const gap = this.#text === '' ? '' : this.#wasItem ? '\n' : '\n\n';
    this.#text += `${gap}${'  '.repeat(this.#depth - 1)}- ${text}`;
    this.#wasItem = true;
  }
}

/** A page as Markdown. */
export function pageMarkdown(
  page: { readonly title: string | undefined; readonly elements: readonly DocumentElement[] },
  { furniture = true }: MarkdownOptions,
  above: Above = { levels: 0, heading: undefined },
): string {
  const blocks = new Blocks();
  const headings = new Headings(above, blocks);
  headings.page(page.title);
  for (const element of page.elements) {
    if (!furniture && FURNITURE.includes(element.category)) continue;
    if (element.category === 'Title') headings.element(element);
    else put(element, blocks);
  }
  return blocks.text;
}

/** Headings, one below the other, each said once where the one above says the same. */
class Headings {
  readonly #blocks: Blocks;
  readonly #said = new Set<string>();
  #levels: number;

  constructor({ levels, heading: above }: Above, blocks: Blocks) {
    this.#levels = levels;
    this.#blocks = blocks;
    if (above !== undefined) this.#said.add(plain(above));
  }

  page(title = ''): void {
    if (plain(title) === '' || this.#said.has(plain(title))) return;
    this.#said.add(plain(title));
    this.#levels += 1;
    this.#blocks.block(heading(title, this.#levels));
  }

  element({ text, level }: TitleElement): void {
    if (plain(text) === '' || this.#said.delete(plain(text))) return;
    this.#blocks.block(heading(text, this.#levels + level));
  }
}

function put(element: Exclude<DocumentElement, { category: 'Title' }>, blocks: Blocks): void {
  const { text } = element;
  if (element.category === 'ListItem') {
    blocks.item(escapeFlat(text), element.level);
  } else if (element.category === 'CheckBox') {
    blocks.item(`${BOXES[String(element.checked)] ?? ''}${escapeFlat(text)}`, 1);
  } else {
    blocks.block(blockOf(element));
  }
}

function blockOf(element: Exclude<DocumentElement, { category: 'Title' | 'ListItem' | 'CheckBox' }>): string {
  const { category, text } = element;
  if (category === 'Table' || category === 'TableChunk') return tableMarkdown(element);
  if (category === 'CodeSnippet') return plain(text) === '' ? '' : fenced(text, element.language);
  if (category === 'Formula') return plain(text) === '' ? '' : fenced(text, 'math');
  // Not as a picture: showing a document must not fetch what it names.
  if (category === 'Image') return emphasized('Image: ', text === '' ? (element.alt ?? '') : text);
  if (category === 'FigureCaption') return emphasized('', text);
  return category === 'PageBreak' ? '***' : escapeText(text);
}

function emphasized(prefix: string, text: string): string {
  const line = escapeFlat(text);
  return line === '' ? '' : `*${prefix}${line}*`;
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
