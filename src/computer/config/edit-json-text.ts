import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodeValue, parseTree, type Node } from 'jsonc-parser';
import { isJsonObject } from '../../protocol/index.js';
import { ConfigError } from './config-error.js';
import { fieldPath } from './field-path.js';
import { behind, containerOf, endOf, isOnItsOwnLine, isSpread, marginOf, styleOf } from './json-layout.js';
import { readJson } from './read-json.js';
import { renderOnLines, renderOnOneLine } from './render-json.js';

/** A value of a configuration file that is to change. */
export interface ConfigEdit {
  /** Keys and, in lists, indices; the index after the last one appends. Objects that are missing on the way are made. */
  readonly path: readonly (string | number)[];
  /** What is to stand there; `undefined` takes it away. */
  readonly value: unknown;
}

/**
 * Changes values in the text of a JSON file with comments. Nothing but these values changes: comments, order, blanks,
 * indentation, line breaks and a byte-order mark stay as they are. A value that is an object already takes over single
 * fields, so that comments in it stay too.
 *
 * @param file - how errors name the file.
 * @throws ConfigError when the text cannot be read, or there is no such place in it.
 */
export function editJsonText(text: string, edits: readonly ConfigEdit[], file?: string): string {
  readJson(text, file);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  let edited = text.slice(mark.length);
  for (const edit of edits) {
    for (const step of smallestSteps(edited, edit)) edited = applied(edited, step, file);
  }
  return mark + edited;
}

/** An object in place of an object is a change of those fields that differ. */
function smallestSteps(text: string, { path, value }: ConfigEdit): ConfigEdit[] {
  const node = findNodeAtLocation(rootOf(text), [...path]);
  const present: unknown = node === undefined ? undefined : getNodeValue(node);
  if (isDeepStrictEqual(plain(present), plain(value))) return [];
  if (!isJsonObject(present) || !isJsonObject(value)) return [{ path, value }];
  const keys = new Set([...Object.keys(present), ...Object.keys(value)]);
  return [...keys].flatMap((key) =>
    smallestSteps(text, { path: [...path, key], value: Object.hasOwn(value, key) ? value[key] : undefined }),
  );
}

/** As JSON has it: without `undefined`, with the usual prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function rootOf(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new ConfigError('the file is empty; write {} for no servers', { field: '' });
  return root;
}

type Path = readonly (string | number)[];

function applied(text: string, { path, value }: ConfigEdit, file: string | undefined): string {
  const fail = (problem: string): never => {
    throw new ConfigError(problem, { field: fieldPath(...path), file });
  };
  if (path.includes('__proto__')) fail('"__proto__" cannot be a key; choose another name');
  const root = rootOf(text);
  const found = findNodeAtLocation(root, [...path]);
  if (found !== undefined) {
    if (value !== undefined) return replaced(text, found, value);
    return found.parent === undefined ? fail('the whole document cannot be removed') : withoutNode(text, found);
  }
  return value === undefined ? text : made(text, { path, value }, fail);
}

/** What is missing on the way is made together with the value. */
function made(text: string, { path, value }: ConfigEdit, fail: (problem: string) => never): string {
  const { parent, rest } = deepest(rootOf(text), path);
  const [step = '', ...deeper] = rest;
  if (deeper.some((key) => typeof key === 'number' && key !== 0)) fail('a list that is not there begins with 0');
  const wrapped = deeper.reduceRight<unknown>((inner, key) => wrap(key, inner), value);
  if (canBecome(parent, step)) return replaced(text, parent, wrap(step, wrapped));
  if (parent.type === 'object' && typeof step === 'string')
    return inserted(text, parent, { key: step, value: wrapped });
  if (parent.type === 'array' && step === childrenOf(parent).length) return inserted(text, parent, { value: wrapped });
  const where = fieldPath(...path.slice(0, path.length - rest.length));
  const what = parent.type === 'array' ? 'a list that is shorter or has no names' : `of type ${parent.type}`;
  return fail(`there is no such place: ${where === '' ? 'the document' : where} is ${what}`);
}

/** `null` stands for an object or a list that is not there. */
function canBecome({ type, parent }: Node, step: string | number): boolean {
  return type === 'null' && parent !== undefined && (typeof step === 'string' || step === 0);
}

function wrap(key: string | number, value: unknown): unknown {
  return typeof key === 'number' ? [value] : { [key]: value };
}

function deepest(root: Node, path: Path): { readonly parent: Node; readonly rest: Path } {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const parent = findNodeAtLocation(root, path.slice(0, length));
    if (parent !== undefined) return { parent, rest: path.slice(length) };
  }
  return { parent: root, rest: path };
}

function childrenOf(node: Node): readonly Node[] {
  return node.children ?? [];
}

function replaced(text: string, node: Node, value: unknown): string {
  const owner = containerOf(node);
  const spread = owner === undefined || isSpread(text, owner);
  const written = spread
    ? renderOnLines(value, styleOf(text, rootOf(text)), marginOf(text, node.offset))
    : renderOnOneLine(value);
  return text.slice(0, node.offset) + written + text.slice(endOf(node));
}

interface Item {
  /** Absent in a list. */
  readonly key?: string;
  readonly value: unknown;
}

/** Puts an item at the end of an object or list, behind the comments that stand on the line of the last one. */
function inserted(text: string, container: Node, item: Item): string {
  const last = childrenOf(container).at(-1);
  const lastEnd = last === undefined ? container.offset + 1 : endOf(last);
  const { comma, free } = behind(text, lastEnd);
  const separator = last === undefined || comma !== undefined ? '' : ',';
  const trailing = comma === undefined ? '' : ',';
  const before = text.slice(0, lastEnd) + separator + text.slice(lastEnd, free);
  const after = text.slice(free);
  // A comment that goes to the end of its line would swallow what comes on it.
  const write = isSpread(text, container) || ENDS_LINE.test(after) ? onLines : onSameLine;
  return before + write(text, container, { ...item, trailing, after });
}

/** Nothing more stands on the line. */
const ENDS_LINE = /^[ \t]*[\r\n]/;

interface Insertion extends Item {
  /** The comma behind it, where others have one too. */
  readonly trailing: string;
  readonly after: string;
}

function onLines(text: string, container: Node, { key, value, trailing, after }: Insertion): string {
  const style = styleOf(text, rootOf(text));
  const outer = marginOf(text, container.offset);
  const [first] = childrenOf(container);
  const margin =
    first !== undefined && isOnItsOwnLine(text, first) ? marginOf(text, first.offset) : outer + style.indent;
  const line = `${style.lineBreak}${margin}${keyText(key)}${renderOnLines(value, style, margin)}${trailing}`;
  return ENDS_LINE.test(after) ? line + after : `${line}${style.lineBreak}${outer}${after.trimStart()}`;
}

function onSameLine(_text: string, container: Node, { key, value, trailing, after }: Insertion): string {
  const isFirst = childrenOf(container).length === 0;
  const [open, close] = !isFirst ? [' ', ''] : container.type === 'array' ? ['', ''] : [' ', ' '];
  const written = `${open}${keyText(key)}${renderOnOneLine(value)}${trailing}`;
  return /^\s/.test(after) ? written + after : written + close + after;
}

function keyText(key: string | undefined): string {
  return key === undefined ? '' : `${JSON.stringify(key)}: `;
}

/** Takes a property or an item out, with its comma and the comment behind it on its line. */
function withoutNode(text: string, node: Node): string {
  const item = node.parent?.type === 'property' ? node.parent : node;
  const siblings = item.parent === undefined ? [] : childrenOf(item.parent);
  const at = siblings.indexOf(item);
  const previous = siblings[at - 1];
  const { comma } = behind(text, endOf(item));
  const { start, end } = extentOf(text, item, siblings[at + 1] === undefined);
  const rest = text.slice(end);
  // The one before it is the last now; only where commas trail anyway it keeps its own.
  const separating = previous === undefined || comma !== undefined ? undefined : behind(text, endOf(previous)).comma;
  if (separating === undefined) return text.slice(0, start) + rest;
  return text.slice(0, separating) + text.slice(separating + 1, start) + rest;
}

/** From where to where an item goes: whole lines, if nothing else stands on them. */
function extentOf(text: string, item: Node, isLast: boolean): { readonly start: number; readonly end: number } {
  const { comma, free } = behind(text, endOf(item));
  const restOfLine = /^[ \t]*(\r\n|\n|\r)/.exec(text.slice(free))?.[0];
  if (isOnItsOwnLine(text, item) && restOfLine !== undefined) {
    return { start: item.offset - marginOf(text, item.offset).length, end: free + restOfLine.length };
  }
  const blanksBefore = /[ \t]*$/.exec(text.slice(0, item.offset))?.[0] ?? '';
  if (isLast) return { start: item.offset - blanksBefore.length, end: free };
  // A comment between two items of one line is about the second.
  const end = restOfLine === undefined ? (comma ?? endOf(item)) + 1 : free;
  return { start: item.offset, end: end + (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0) };
}
