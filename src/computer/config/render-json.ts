import { isJsonObject } from '../../protocol/index.js';

/** How new JSON is to look. */
export interface JsonStyle {
  /** One step of indentation. */
  readonly indent: string;
  readonly lineBreak: string;
}

/** A list of plain values that is no longer stays on its line. */
const LINE_LENGTH = 100;

/** A value on one line, as a person writes it: `{ "a": [1, 2] }`. */
export function renderOnOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderOnOneLine).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const properties = definedEntries(value).map(([key, item]) => `${JSON.stringify(key)}: ${renderOnOneLine(item)}`);
  return properties.length === 0 ? '{}' : `{ ${properties.join(', ')} }`;
}

/**
 * A value over several lines, of which the first stands behind what is there already. Lists of plain values stay on one
 * line where they fit.
 *
 * @param margin - what the line begins with on which it stands.
 */
export function renderOnLines(value: unknown, style: JsonStyle, margin: string): string {
  const inner = margin + style.indent;
  const block = (open: string, items: readonly string[], close: string): string =>
    [open, items.map((item) => inner + item).join(`,${style.lineBreak}`), margin + close].join(style.lineBreak);
  if (Array.isArray(value)) {
    const line = renderOnOneLine(value);
    const isPlain = value.every((item) => typeof item !== 'object' || item === null);
    if (isPlain && inner.length + line.length <= LINE_LENGTH) return line;
    return block(
      '[',
      value.map((item) => renderOnLines(item, style, inner)),
      ']',
    );
  }
  const entries = isJsonObject(value) ? definedEntries(value) : [];
  if (entries.length === 0) return renderOnOneLine(value);
  return block(
    '{',
    entries.map(([key, item]) => `${JSON.stringify(key)}: ${renderOnLines(item, style, inner)}`),
    '}',
  );
}

function definedEntries(object: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}
