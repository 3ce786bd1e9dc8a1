import type { Node } from 'jsonc-parser';
import type { JsonStyle } from './render-json.js';

/** How a text is laid out already. */
export function styleOf(text: string, root: Node): JsonStyle {
  const lineBreak = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
  const [first] = root.children ?? [];
  const indent = first !== undefined && isOnItsOwnLine(text, first) ? marginOf(text, first.offset) : '';
  return { lineBreak, indent: indent === '' ? '  ' : indent };
}

/** The blanks at the beginning of the line of a place. */
export function marginOf(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? '';
}

/** Whether nothing stands before it on its line. */
export function isOnItsOwnLine(text: string, node: Node): boolean {
  return /(^|[\r\n])[ \t]*$/.test(text.slice(0, node.offset));
}

/** Whether what comes into an object or list gets lines of its own. */
export function isSpread(text: string, container: Node): boolean {
  const [first] = container.children ?? [];
  const end = first?.offset ?? endOf(container);
  if (/[\r\n]/.test(text.slice(container.offset, end))) return true;
  if (first !== undefined) return false;
  const outer = container.parent === undefined ? undefined : containerOf(container);
  return outer === undefined || isSpread(text, outer);
}

/** The object or list in which a value stands. */
export function containerOf(node: Node): Node | undefined {
  return node.parent?.type === 'property' ? node.parent.parent : node.parent;
}

/** The offset behind a node. */
export function endOf(node: Node): number {
  return node.offset + node.length;
}

/** What stands behind an item of an object or list. */
export interface Behind {
  /** Where the comma is, if there is one. */
  readonly comma: number | undefined;
  /** Behind the comma and the comments that stand on its line. */
  readonly free: number;
}

// Nothing may follow in these patterns: to reach it, a comment would be matched in another way than it was meant.
const TRIVIA = /(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)*/y;
const COMMENTS_OF_LINE = /(?:[ \t]*(?:\/\/[^\n\r]*|\/\*[^]*?\*\/))*/y;

/** Looks behind an item, or behind the opening bracket of what has none. */
export function behind(text: string, from: number): Behind {
  const next = skip(TRIVIA, text, from);
  const comma = text[next] === ',' ? next : undefined;
  return { comma, free: skip(COMMENTS_OF_LINE, text, comma === undefined ? from : comma + 1) };
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
