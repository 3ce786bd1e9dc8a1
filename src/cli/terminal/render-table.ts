import { printable } from './printable.js';

/** Rows as lines whose columns stand under each other; the last column takes what is left of the width. */
export function renderTable(cells: readonly (readonly string[])[], width = Number.POSITIVE_INFINITY): string[] {
  const rows = cells.map((row) => row.map((cell) => printable(cell).replaceAll(/\s+/g, ' ')));
  const columns = largest(rows, (row) => row.length);
  const widths = Array.from({ length: columns }, (_, column) =>
    largest(rows, (row) => displayWidth(row[column] ?? '')),
  );
  return rows.map((row) => {
    const line = row.map((cell, column) => (column === columns - 1 ? cell : pad(cell, widths[column] ?? 0))).join('  ');
    return cutToWidth(line.trimEnd(), width);
  });
}

/** `Math.max` takes only so many arguments; a table may have more rows. */
function largest<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((size, item) => Math.max(size, sizeOf(item)), 0);
}

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

/** How many columns a text takes on a terminal: wide characters take two, combining marks and joiners none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : /[\p{M}\p{Cf}]/u.test(character) ? 0 : 1;
  return width;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** A text that takes at most so many columns, with an ellipsis where it was cut. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
