/** What means something within a line of Markdown, with the usual extensions: tables, formulas, expressions. */
const SPECIAL = /[\\`*_[\]{}<>&~|$]/g;
/** What makes a link, or calls somebody, without any markup. */
const LINKING = /:(?=\/\/)|(?<=www)\.|@/gi;
/** What means something where a line begins: a heading, a list, a rule, the line below a heading. */
const LINE_START = /^[#+\-=:](?![\p{L}\p{N}])/u;
const NUMBERED = /^(\d{1,9})([.)])(?=\s|$)/;
/** Control characters and turns of the direction of writing; tabs and line breaks are something else. */
const INVISIBLE = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The lines of a text, whatever they end with. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n?|[\n\u0085\u2028\u2029]/).map(visible);
}

/** One line that is read as text and nothing else. */
function escapeLine(line: string): string {
  const escaped = flat(line).replace(SPECIAL, '\\$&').replace(LINKING, '\\$&');
  return escaped.replace(LINE_START, '\\$&').replace(NUMBERED, '$1\\$2');
}

/** A text on one line, read as text and nothing else. */
export function escapeFlat(text: string): string {
  return escapeLine(linesOf(text).join(' '));
}

/** A text of many lines and paragraphs, read as text and nothing else; each line stays one. */
export function escapeText(text: string): string {
  const lines = linesOf(text).map(escapeLine);
  return lines
    .map((line, index) => (line !== '' && (lines[index + 1] ?? '') !== '' ? `${line}\\` : line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replaceAll(/^\n+|\n+$/g, '');
}

/**
 * A text as it is, within a fence that it cannot close.
 *
 * @param language - what it is, for those who colour it.
 */
export function fenced(text: string, language = ''): string {
  const lines = linesOf(text);
  let fence = '```';
  for (const line of lines) {
    for (const [run] of line.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = '`'.repeat(run.length + 1);
  }
  const info = /^[\w+#.-]{1,40}$/.test(language) ? language : '';
  return [`${fence}${info}`, ...lines, fence].join('\n');
}

function visible(line: string): string {
  return line.replaceAll(INVISIBLE, (character) => (character === '\t' ? character : ''));
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
