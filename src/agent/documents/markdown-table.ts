import { escapeFlat, escapeText, linesOf } from './markdown-escape.js';
import type { TableElement } from './elements.js';

/** A tag. One that is not closed ends before the next, so that looking for it takes no longer than the text is. */
const TAG = /<(\/?)([a-z][a-z0-9]*)\b[^<>]*>/gi;
/** What stands on a line of its own within a cell. */
const BREAKS: readonly string[] = ['br', 'p', 'div', 'li'];
const ENTITY = /&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** A table as a table of Markdown, where its cells are known: from its rows, its HTML, or lines with separators. */
export function tableMarkdown({ rows, html, text }: TableElement): string {
  const cells = rows?.map((row) => row.map(cellOf)) ?? (html === undefined ? undefined : rowsOfHtml(html));
  const found = cells !== undefined && cells.length > 0 ? cells : rowsOfText(text);
  return found === undefined ? escapeText(text) : render(found);
}

function render(rows: readonly (readonly string[])[]): string {
  let columns = 1;
  for (const row of rows) columns = Math.max(columns, row.length);
  const [head = [], ...body] = rows;
  // Readers fill up short rows but for the first.
  const full = [...head, ...Array.from({ length: columns - head.length }, () => '')];
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeFlat).join(' | ')} |`;
  return [line(full), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}

function cellOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** The cells of the rows of an HTML table; anything else in it counts as text. */
function rowsOfHtml(html: string): string[][] {
  const table = new CellCollector();
  let end = 0;
  for (const { 0: tag, 1: closing, 2: name = '', index } of html.matchAll(TAG)) {
    table.text(html.slice(end, index));
    table.tag(name.toLowerCase(), closing === '');
    end = index + tag.length;
  }
  table.text(html.slice(end));
  return table.rows.map((cells) => cells.map(decode));
}

/** Puts texts where the tags around them say. */
class CellCollector {
  readonly rows: string[][] = [];
  #row: string[] | undefined;
  #inCell = false;

  text(text: string): void {
    const row = this.#row;
    if (this.#inCell && row !== undefined) row.push(`${row.pop() ?? ''}${text}`);
  }

  tag(name: string, opens: boolean): void {
    if (name === 'tr') {
      this.#row = undefined;
      this.#inCell = false;
    } else if (name === 'td' || name === 'th') {
      this.#inCell = opens;
      if (opens) this.#openCell();
    } else if (BREAKS.includes(name)) {
      this.text(' ');
    }
  }

  #openCell(): void {
    if (this.#row === undefined) {
      this.#row = [];
      this.rows.push(this.#row);
    }
    this.#row.push('');
  }
}

function decode(text: string): string {
  return text.replaceAll(ENTITY, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

/** The cells of lines that all have the same number of tabs, or of bars; `undefined` when they do not. */
function rowsOfText(text: string): string[][] | undefined {
  const lines = linesOf(text).filter((line) => line.trim() !== '');
  for (const separator of ['\t', '|']) {
    const rows = lines.map((line) => line.split(separator));
    const columns = rows[0]?.length ?? 0;
    if (columns > 1 && rows.every(({ length }) => length === columns)) return rows;
  }
  return undefined;
}
