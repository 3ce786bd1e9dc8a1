import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file, piece by piece. */
export interface ReferencedFile extends AsyncDisposable {
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Opens the file that an MCP server names, where that is allowed.
 *
 * @param folders - those below which it must be, wherever links lead.
 * @throws Error, without the path, when it is somewhere else or cannot be read.
 */
export async function readReferencedFile(uri: string, folders: readonly string[]): Promise<ReferencedFile> {
  const refused = new Error('The document is a file that may not be copied: it is not below a folder that is allowed');
  if (folders.length === 0) throw refused;
  const path = await realpath(pathOf(uri)).catch(() => undefined);
  if (path === undefined || !(await isBelow(path, folders))) throw refused;
  // Not a link any more, nor something that is never at its end.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const close = (): Promise<void> => handle.close();
  const found = await handle.stat();
  if (found.isFile()) return { chunks: chunksOf(handle), [Symbol.asyncDispose]: close };
  await close();
  throw new Error('The document is at the address of something that is no file');
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw new Error('The document is at a file address that is none');
  }
}

async function isBelow(path: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined) continue;
    const inside = relative(real, path);
    if (inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)) return true;
  }
  return false;
}

function chunksOf(handle: FileHandle): AsyncIterable<Uint8Array> {
  return handle.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>;
}
