import { isJsonObject } from '../../protocol/index.js';
import { printable } from '../terminal/printable.js';

/** How long arguments may be on one line, and how long each is where they are on lines of their own, in characters. */
const ONE_LINE = 120;
const ONE_VALUE = 200;
const MAX_LINES = 15;

/** The arguments of a call for a person: on one line where they are short, else folded to a line each. */
export function shownParams(params: unknown): string {
  const whole = JSON.stringify(params);
  if (whole.length <= ONE_LINE || !isJsonObject(params)) return printable(cut(whole, ONE_VALUE));
  const entries = Object.entries(params);
  const lines = entries
    .slice(0, MAX_LINES)
    .map(([key, value]) => `\n  ${JSON.stringify(key)}: ${cut(JSON.stringify(value), ONE_VALUE)}`);
  const more = entries.length > MAX_LINES ? `\n  … and ${entries.length - MAX_LINES} more` : '';
  return printable(`${lines.join('')}${more}`);
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
}
