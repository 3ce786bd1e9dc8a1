import { readFile } from 'node:fs/promises';
import { text as readStream } from 'node:stream/consumers';
import { isJsonObject, type JsonObject } from '../protocol/index.js';
import { UsageError } from './failure.js';

/**
 * A tool's parameters as the command line gives them: JSON, `@FILE` with JSON, `-` for stdin, nothing for `{}`.
 *
 * @throws UsageError when it cannot be read or is not a JSON object.
 */
export async function readParams(argument: string | undefined): Promise<JsonObject> {
  if (argument === undefined) return {};
  const source = argument.startsWith('@') ? `file ${argument.slice(1)}` : argument === '-' ? 'stdin' : 'PARAMS';
  const value = parse(await load(argument, source), source);
  if (!isJsonObject(value)) throw new UsageError(`${source}: expected a JSON object such as '{"text":"hello"}'`);
  return value;
}

async function load(argument: string, source: string): Promise<string> {
  try {
    if (argument === '-') return await readStream(process.stdin);
    if (argument.startsWith('@')) return await readFile(argument.slice(1), 'utf8');
    return argument;
  } catch (error) {
    throw new UsageError(`cannot read ${source}: ${(error as Error).message}`);
  }
}

function parse(content: string, source: string): unknown {
  try {
    return JSON.parse(content.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`${source}: not valid JSON: ${(error as Error).message}`);
  }
}
