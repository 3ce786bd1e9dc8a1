import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { ConfigError } from './config-error.js';
import { fieldPath } from './field-path.js';
import { syntaxExcerpt } from './syntax-excerpt.js';

/** The keys of an object, in the order that counts. */
export type KeysOf = (object: object) => readonly string[];

/** What a text holds. */
export interface JsonText {
  readonly value: unknown;
  /** The keys in the order of the text: JavaScript itself puts names such as `10` and `2` first, by their number. */
  readonly keysOf: KeysOf;
}

/** How UTF-16 begins, which Windows PowerShell writes with `>`, once it was taken for UTF-8. */
const ODD_ENCODING = /^(?:\uFFFD|.?\0)/;

/**
 * Reads a configuration file's text: JSON, also with a byte-order mark, CRLF, comments and trailing commas.
 *
 * @param file - how error messages name the file.
 * @throws ConfigError when it is not JSON, is empty, gives a key twice or uses the key `__proto__`.
 */
export function readJson(text: string, file?: string): JsonText {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (bare.trim() === '') throw new ConfigError('the file is empty; write {} for no servers', { field: '', file });
  const errors: ParseError[] = [];
  try {
    const root = parseTree(bare, errors, { allowTrailingComma: true });
    const first = errors[0];
    if (first !== undefined && ODD_ENCODING.test(text)) {
      throw new ConfigError('the file is not in UTF-8; save it as UTF-8', { field: '', file });
    }
    if (first !== undefined || root === undefined) throw syntaxError(bare, first, file);
    const keys = new WeakMap<object, string[]>();
    return { value: toValue(root, [], { file, keys }), keysOf: (object) => keys.get(object) ?? Object.keys(object) };
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError('nested too deep', { field: '', file });
    throw error;
  }
}

function syntaxError(text: string, error: ParseError | undefined, file: string | undefined): ConfigError {
  const offset = error?.offset ?? 0;
  const before = text.slice(0, offset).split('\n');
  const position = {
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
    excerpt: syntaxExcerpt(text, offset),
  };
  const problem = error === undefined ? 'InvalidSymbol' : printParseErrorCode(error.error);
  const words = problem.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const place = `line ${position.line}, column ${position.column}`;
  return new ConfigError(`not valid JSON at ${place}: ${words}`, { field: '', file, position });
}

interface Reading {
  readonly file: string | undefined;
  /** Filled while reading: the keys of each object as they stand in the text. */
  readonly keys: WeakMap<object, string[]>;
}

function toValue(node: Node, path: readonly PropertyKey[], reading: Reading): unknown {
  if (node.type === 'array') return (node.children ?? []).map((item, at) => toValue(item, [...path, at], reading));
  if (node.type !== 'object') return node.value;
  const object: Record<string, unknown> = {};
  const keys: string[] = [];
  for (const property of node.children ?? []) {
    const [keyNode, valueNode] = property.children ?? [];
    const key = String(keyNode?.value);
    const place = { field: fieldPath(...path, key), file: reading.file };
    if (key === '__proto__') throw new ConfigError('"__proto__" cannot be a key; choose another name', place);
    if (Object.hasOwn(object, key)) throw new ConfigError('this key is given twice; remove one of the two', place);
    object[key] = valueNode === undefined ? undefined : toValue(valueNode, [...path, key], reading);
    keys.push(key);
  }
  reading.keys.set(object, keys);
  return object;
}

/**
 * Refuses `__proto__` as a key anywhere in a configuration given as a value.
 *
 * @throws ConfigError naming the place, also for what nests deeper than 64 levels (a cycle).
 */
export function refuseProto(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (path.length > 64) throw new ConfigError('nested too deep', { field: fieldPath(...path.slice(0, 3)) });
  for (const key of Object.keys(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === '__proto__') {
      throw new ConfigError('"__proto__" cannot be a key; choose another name', { field: fieldPath(...here) });
    }
    refuseProto((value as Record<string, unknown>)[key], here);
  }
}
