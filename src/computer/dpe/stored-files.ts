import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A document in the store. */
export interface StoredDocument {
  /** The hash of the bytes in hex, and an extension. */
  readonly name: string;
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** A file of the store that is being written. */
export const DRAFT = '.part';
/** How old a file that is being written must be for its writer to be gone, in ms. */
const ABANDONED_MS = 60 * 60_000;

interface StoredFile {
  readonly path: string;
  readonly size: number;
  /** On the clock of `Date.now()`. */
  readonly usedAt: number;
}

/** Which files of a folder may stay. */
export interface StoreLimits {
  /** How long a file stays that nobody asks for, in ms. */
  readonly maxAgeMs: number;
  /** How long a file stays in any case, in ms: the Agent may be about to fetch it. */
  readonly graceMs: number;
  /** In bytes. */
  readonly maxTotalBytes: number;
  /** Files that are being read. */
  readonly isInUse: (path: string) => boolean;
  readonly now: () => number;
}

/**
 * Removes the files of a folder that are too old, then the ones unused for longest until there is room. Several
 * processes may do so at once.
 *
 * @param wanted - how much room is needed, in bytes.
 * @returns how much the files that stay have altogether, in bytes.
 */
export async function removeOldFiles(folder: string, wanted: number, limits: StoreLimits): Promise<number> {
  const now = limits.now();
  let total = 0;
  const candidates: StoredFile[] = [];
  for (const file of await storedFiles(folder, now)) {
    total += file.size;
    if (!limits.isInUse(file.path) && now - file.usedAt > limits.graceMs) candidates.push(file);
  }
  const removable = candidates.reduce((sum, { size }) => sum + size, 0);
  // Nothing goes for room that would not be enough.
  const room = total - removable + wanted <= limits.maxTotalBytes ? limits.maxTotalBytes - wanted : Infinity;
  for (const file of candidates.sort((a, b) => a.usedAt - b.usedAt)) {
    if (now - file.usedAt <= limits.maxAgeMs && total <= room) break;
    if (await removeUnlessUsed(file)) total -= file.size;
  }
  return total;
}

async function storedFiles(folder: string, now: number): Promise<readonly StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    if (found?.isFile() !== true) continue;
    if (/^[0-9a-f]{64}\.[a-z]+$/.test(name)) files.push({ path, size: found.size, usedAt: found.mtimeMs });
    else if (name.endsWith(DRAFT) && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
  return files;
}

/** Another process may have given it out in the meantime. */
async function removeUnlessUsed({ path, usedAt }: StoredFile): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined && found.mtimeMs !== usedAt) return false;
  await rm(path, { force: true });
  return true;
}
