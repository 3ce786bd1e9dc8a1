import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, type Stats } from 'node:fs';
import { open, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { ConfigError } from './config-error.js';
import { editJsonText, type ConfigEdit } from './edit-json-text.js';
import { readJson } from './read-json.js';

/** What is to change: a list, or a function that makes it from what the file holds right now. */
export type ConfigEdits = readonly ConfigEdit[] | ((document: unknown) => readonly ConfigEdit[]);

/** How often a file is read anew because somebody else changed it meanwhile. */
const ATTEMPTS = 20;
/** For a new file: it may come to hold what others must not see. */
const NEW_FILE_MODE = 0o600;

/**
 * Changes values in a configuration file. Comments, order, indentation and line endings stay. The file is replaced as a
 * whole, so that whoever reads it meanwhile finds the old or the new content: by a file beside it that takes over its
 * mode, and its owner where that is possible. Links are followed. A change that somebody else makes at the same moment
 * is not lost.
 *
 * @param edits - in order; see {@link ConfigEdit}. A function may be called more than once.
 * @param options - `create`: a file that is not there is made, readable by its owner alone.
 * @returns whether anything changed.
 * @throws ConfigError when the file is not there, does not parse, has no such place, or cannot be written.
 * @example
 * await editConfigFile('mcp.json', (document) => {
 *   const server = pathOfServer(document, 'files') ?? [];
 *   return [{ path: [...server, 'tool_meta', 'read_file', 'auto_apply'], value: true }];
 * });
 */
export async function editConfigFile(
  file: string,
  edits: ConfigEdits,
  { create = false }: { readonly create?: boolean } = {},
): Promise<boolean> {
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = await readTarget(file, create);
      const list = typeof edits === 'function' ? edits(readJson(before.text ?? '{}', file).value) : edits;
      const after = editJsonText(before.text ?? '{}\n', list, file);
      if (after === before.text) return false;
      if (await replace(before, after)) return true;
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(`cannot be changed (${code ?? message})`, { field: '', file });
  }
  throw new ConfigError('cannot be changed: somebody else keeps changing it', { field: '', file });
}

interface Target {
  /** Without links. */
  readonly path: string;
  /** `undefined`: there is no file yet. */
  readonly text: string | undefined;
}

async function readTarget(file: string, create: boolean): Promise<Target> {
  try {
    const path = await realpath(file);
    return { path, text: await readFile(path, 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const isDangling = lstatSync(file, { throwIfNoEntry: false }) !== undefined;
    if (isDangling) throw new ConfigError('is a link to a file that is not there', { field: '', file });
    if (!create) throw new ConfigError('there is no such file', { field: '', file });
    const folder = await realpath(dirname(file));
    return { path: join(folder, basename(file)), text: undefined };
  }
}

/** @returns false when the file is not any more what was read. */
async function replace({ path, text: before }: Target, after: string): Promise<boolean> {
  const fresh = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
  try {
    await write(fresh, after, before === undefined ? undefined : await stat(path));
    // Without a pause between the two, so that no other change of this process comes between.
    if (currentText(path) !== before) return false;
    renameSync(fresh, path);
    await syncFolder(dirname(path));
    return true;
  } finally {
    await rm(fresh, { force: true });
  }
}

async function write(file: string, text: string, like: Stats | undefined): Promise<void> {
  const handle = await open(file, 'wx', NEW_FILE_MODE);
  try {
    await handle.writeFile(text);
    if (like !== undefined) {
      // Only root may give files away; taking a mode over comes after that, which may take bits away.
      if (like.uid !== process.getuid?.()) await handle.chown(like.uid, like.gid).catch(() => undefined);
      await handle.chmod(like.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function currentText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** So that the new name survives a power cut as well; not every system lets a folder be opened. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
