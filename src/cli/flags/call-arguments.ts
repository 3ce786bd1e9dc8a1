import { readFile } from 'node:fs/promises';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { UsageError } from '../failure.js';
import { expandHome } from '../shell/complete-path.js';

/** How much of a line is shown around what is wrong in it, in characters. */
const SHOWN = 30;

/**
 * Reads JSON.
 *
 * @param name - the argument or file, in errors.
 * @param options - `isTyped`: an error may show what stands there. @default true
 * @throws UsageError with the place, and what stands there.
 */
export function parseJsonArgument(text: string, name: string, { isTyped = true } = {}): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new UsageError(`${name}: ${syntaxProblem(json, isTyped)}`);
  }
}

function syntaxProblem(json: string, isTyped: boolean): string {
  const errors: ParseError[] = [];
  parse(json, errors, { disallowComments: true });
  const [first] = errors;
  const offset = first?.offset ?? json.length;
  const before = json.slice(0, offset).split('\n');
  const column = (before.at(-1) ?? '').length;
  const line = json.split('\n')[before.length - 1] ?? '';
  const start = Math.max(0, column - SHOWN);
  const problem = first === undefined ? '' : `: ${printParseErrorCode(first.error)}`;
  const words = problem.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const problemAt = `not valid JSON at line ${before.length}, column ${column + 1}${words}`;
  // What stands in a file may be a secret; what was typed is on the screen anyway.
  if (!isTyped) return problemAt;
  const excerpt = `${start > 0 ? '…' : ''}${line.slice(start, column)}▸${line.slice(column, column + SHOWN)}`;
  return `${problemAt}, at ▸ in ${excerpt}`;
}

/**
 * Reads an argument that is JSON, or `@FILE` with JSON.
 *
 * @param name - the argument, in errors.
 * @throws UsageError when the file cannot be read or what is in it is not JSON.
 */
export async function readJsonArgument(word: string, name: string): Promise<unknown> {
  if (!word.startsWith('@')) return parseJsonArgument(word, name);
  const file = expandHome(word.slice(1));
  if (file === '') throw new UsageError(`${name}: expected the name of a file after "@"`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    return parseJsonArgument(text, file, { isTyped: false });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      error instanceof TypeError ? 'it is not in UTF-8' : code === 'ENOENT' ? 'there is no such file' : message;
    throw new UsageError(`${name}: cannot read ${file}: ${why}`);
  }
}

/**
 * The arguments of a tool as they were typed: nothing, all of them as JSON or `@FILE`, or `key=value` each. Where the
 * tool wants a text the value is one; else it is JSON where it can be read as such. `key:=value` is JSON in any case.
 *
 * @param schema - the tool's schema of its parameters, whatever it is.
 * @throws UsageError saying which word cannot be read.
 */
export async function toolArguments(words: readonly string[], schema: unknown): Promise<JsonObject> {
  const [first, ...others] = words;
  if (first === undefined) return {};
  if (/^[{[@]/.test(first)) {
    if (others.length > 0) throw new UsageError('the arguments are one JSON object, or key=value words, not both');
    const value = await readJsonArgument(first, 'arguments');
    if (!isJsonObject(value)) throw new UsageError('arguments: expected a JSON object such as {"text":"hello"}');
    return value;
  }
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {};
  const pairs = words.map((word) => pairOf(word, properties));
  const twice = pairs.find(([key], index) => pairs.findIndex(([other]) => other === key) < index);
  if (twice !== undefined) throw new UsageError(`"${twice[0]}" is given twice`);
  return Object.fromEntries(pairs);
}

function pairOf(word: string, properties: JsonObject): [string, unknown] {
  const [, key = '', colon, value = ''] = /^([^=]*?)(:?)=(.*)$/s.exec(word) ?? [];
  if (key === '') throw new UsageError(`"${word}": expected key=value, such as text="hello world"`);
  if (colon === ':' && value.trim() === '')
    throw new UsageError(`"${word}": expected JSON after ":=", such as ${key}:=5`);
  if (colon === ':') return [key, parseJsonArgument(value, key)];
  const wanted = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const isText = isJsonObject(wanted) && wanted['type'] === 'string';
  return [key, isText ? value : jsonOrText(value)];
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
