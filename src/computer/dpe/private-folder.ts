import { chmod, lstat, mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PREFIX = 'a2c-documents-';
/** Says whose temporary folder it is, and by its age whether that process is still there. */
const MARKER = '.owner';
/** How often the marker is made new, in ms. */
const BEAT_MS = 10 * 60_000;
/** How old a marker must be for its folder to be a leftover, in ms. */
const OLD_MS = 60 * 60_000;
/** The same for a folder without a marker: its process ended before it wrote one. */
const UNMARKED_OLD_MS = 24 * OLD_MS;

/** A folder that only this user can read. */
export class PrivateFolder {
  readonly path: string;
  readonly #beat: NodeJS.Timeout | undefined;

  private constructor(path: string, isTemporary: boolean) {
    this.path = path;
    if (!isTemporary) return;
    this.#beat = setInterval(() => {
      const now = new Date();
      utimes(join(path, MARKER), now, now).catch(() => undefined);
    }, BEAT_MS);
    this.#beat.unref();
  }

  /**
   * Uses a given folder, and makes it if it is not there.
   *
   * @throws Error when it is a link, no folder, or another user's: others could choose or read what the Agent gets.
   */
  static async given(path: string): Promise<PrivateFolder> {
    const folder = resolve(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const found = await lstat(folder);
    if (!found.isDirectory()) throw new Error('The folder for documents is not a folder');
    if (!isOwn(found.uid)) throw new Error('The folder for documents belongs to another user');
    if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
    return new PrivateFolder(folder, false);
  }

  /**
   * Makes a folder for this process, and removes those of processes that ended without removing theirs.
   *
   * @param base - where it is made; made itself if it is not there.
   */
  static async temporary(base = tmpdir()): Promise<PrivateFolder> {
    await mkdir(base, { recursive: true, mode: 0o700 });
    await removeLeftovers(base);
    const folder = await mkdtemp(join(base, PREFIX));
    await writeFile(join(folder, MARKER), String(process.pid), { mode: 0o600 });
    return new PrivateFolder(folder, true);
  }

  /** Removes a temporary folder; a given one stays. */
  async close(): Promise<void> {
    if (this.#beat === undefined) return;
    clearInterval(this.#beat);
    await rm(this.path, { recursive: true, force: true });
  }
}

/** What cannot be read or removed stays: it may be somebody else's, or be removed by another process just now. */
async function removeLeftovers(base: string): Promise<void> {
  const names = await readdir(base).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = join(base, name);
    if (await isLeftover(folder)) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isLeftover(folder: string): Promise<boolean> {
  try {
    const found = await lstat(folder);
    if (!found.isDirectory() || !isOwn(found.uid)) return false;
    const marker = await lstat(join(folder, MARKER)).catch(() => undefined);
    if (marker === undefined) return Date.now() - found.mtimeMs > UNMARKED_OLD_MS;
    // A process of another container is not seen from here, but keeps its marker new.
    if (Date.now() - marker.mtimeMs <= OLD_MS) return false;
    return !isAlive(Number(await readFile(join(folder, MARKER), 'utf8')));
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isOwn(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
