import { readFile } from 'node:fs/promises';

/** What a file of another host holds, or why it cannot be read: a sentence without any value of it. */
export type ReadDocument = { readonly value: unknown } | { readonly problem: string };

/** Nobody writes a configuration that is longer; a host that keeps its history in the file may come near. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a file by its ending: TOML, YAML, or JSON with comments. */
export async function readDocument(file: string): Promise<ReadDocument> {
  let text: string;
  try {
    const bytes = await readFile(file);
    if (bytes.byteLength > MAX_BYTES) return { problem: 'is larger than 64 MiB' };
    text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    return { problem: `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` };
  }
  if (text.trim() === '') return { value: {} };
  if (file.endsWith('.toml')) return readToml(text);
  return file.endsWith('.yaml') ? readYaml(text) : readJsonText(text);
}

async function readJsonText(text: string): Promise<ReadDocument> {
  const { ConfigError, readJson } = await import('../../computer/index.js');
  try {
    return { value: readJson(text).value };
  } catch (error) {
    if (error instanceof ConfigError) return { problem: error.message };
    throw error;
  }
}

/** The messages of these parsers quote the text, which may hold secrets: only their places are told. */
async function readToml(text: string): Promise<ReadDocument> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    return { value: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { problem: `not valid TOML at line ${error.line}, column ${error.column}` };
  }
}

async function readYaml(text: string): Promise<ReadDocument> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  const [place] = error?.linePos ?? [];
  if (error !== undefined) {
    return { problem: `not valid YAML at line ${place?.line ?? 1}, column ${place?.col ?? 1}` };
  }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) as unknown };
  } catch {
    return { problem: 'not valid YAML: its aliases cannot be followed' };
  }
}
