import { pathToFileURL } from 'node:url';
import { isJsonObject } from '../../protocol/index.js';
import type { Root } from '../mcp/server-requests.js';
import { envFilePath } from './env-file.js';

const EXPECTED = 'expected a path, a "file:" URI, or { "uri": …, "name": … }';
const EXPECTED_URI = 'expected a "file:" URI, such as "file:///data"';

/** Where a list of roots stands. */
export interface RootsPlace {
  /** The configuration file. */
  readonly file?: string | undefined;
  /** Throws the error that names a place within the list. */
  readonly fail: (problem: string, ...path: PropertyKey[]) => never;
}

/**
 * Reads what MCP servers are told of as their roots: paths, relative to the folder of the configuration file or to the
 * working directory where there is none, `file:` URIs, or objects with such a URI and a name. A path may begin with `~`.
 *
 * @throws what `fail` throws.
 */
export function readRoots(value: unknown, { file, fail }: RootsPlace): readonly Root[] {
  if (!Array.isArray(value)) return fail('expected a list of paths or "file:" URIs');
  return (value as unknown[]).map((entry, index) => {
    if (typeof entry === 'string') return { uri: uriOf(entry, file, (problem) => fail(problem, index)) };
    if (!isJsonObject(entry)) return fail(EXPECTED, index);
    const { uri, name } = entry;
    if (typeof uri !== 'string' || !isFileUri(uri)) return fail(EXPECTED_URI, index, 'uri');
    if (name === undefined) return { uri };
    return typeof name === 'string' ? { uri, name } : fail('expected a string', index, 'name');
  });
}

function uriOf(text: string, file: string | undefined, fail: (problem: string) => never): string {
  if (text.trim() === '' || text.includes('\0')) return fail(EXPECTED);
  // One letter before the colon is a drive.
  if (/^([a-z][a-z\d+.-]+:\/\/|file:)/i.test(text)) return isFileUri(text) ? text : fail(EXPECTED_URI);
  const path = envFilePath(text, file);
  // A server may ask from its first moment on, and is told the same whatever an input's value is.
  return /\$\{[^}]*\}/.test(path)
    ? fail('placeholders are not filled in here; write the path itself')
    : pathToFileURL(path).href;
}

function isFileUri(text: string): boolean {
  return /^file:\/\//i.test(text) && URL.canParse(text);
}
