import { renderTable } from './render-table.js';
import type { Terminal } from './terminal.js';

interface Table {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Stands in for a table without rows. */
  readonly none: string;
  /** Colours a line of the table. */
  readonly paint?: (line: string, row: readonly string[]) => string;
}

/** Prints a table with a line of headings, or a sentence where it has no rows. */
export function printTable(terminal: Terminal, { headings, rows, none, paint = (line) => line }: Table): void {
  if (rows.length === 0) {
    terminal.note(none);
    return;
  }
  const [first = '', ...others] = renderTable([headings, ...rows], terminal.width);
  terminal.line(terminal.style('dim', first));
  for (const [index, line] of others.entries()) terminal.line(paint(line, rows[index] ?? []));
}

/** Prints what belongs to names, the names under each other; those without a value are left out. */
export function printFields(terminal: Terminal, fields: readonly (readonly [string, string | undefined])[]): void {
  const rows = fields.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]]));
  for (const line of renderTable(rows, terminal.width)) terminal.line(line);
}

/** `3 s`, `2 min`, `5 h`: how long ago something was. */
export function ago(since: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - since) / 1_000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
