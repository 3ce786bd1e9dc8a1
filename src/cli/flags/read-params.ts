import { readFile } from 'node:fs/promises';
import { buffer as readStream } from 'node:stream/consumers';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { parseJsonArgument } from './call-arguments.js';
import { UsageError } from '../failure.js';

/**
 * A tool's parameters as the command line gives them: JSON, `@FILE` with JSON, `-` for stdin, nothing for `{}`.
 *
 * @throws UsageError when it cannot be read or is not a JSON object.
 */
export async function readParams(argument: string | undefined): Promise<JsonObject> {
  if (argument === undefined) return {};
  const source = argument.startsWith('@') ? `file ${argument.slice(1)}` : argument === '-' ? 'stdin' : 'PARAMS';
  const content = await load(argument, source);
  if (source === 'PARAMS' && !/^\s*([{["]|-?\d|true|false|null)/.test(content)) {
    throw new UsageError(`PARAMS: "${content}" is neither JSON nor key=value`);
  }
  const value = parseJsonArgument(content, source, { isTyped: source === 'PARAMS' });
  if (!isJsonObject(value)) throw new UsageError(`${source}: expected a JSON object such as '{"text":"hello"}'`);
  return value;
}

async function load(argument: string, source: string): Promise<string> {
  if (argument === '@') throw new UsageError('PARAMS: expected the name of a file after "@"');
  if (argument !== '-' && !argument.startsWith('@')) return argument;
  const bytes = await loadBytes(argument, source);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${source}: not valid JSON: it is not in UTF-8`);
  }
}

async function loadBytes(argument: string, source: string): Promise<Uint8Array> {
  try {
    return argument === '-' ? await readStream(process.stdin) : await readFile(argument.slice(1));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`cannot read ${source}: ${code === 'ENOENT' ? 'there is no such file' : message}`);
  }
}
