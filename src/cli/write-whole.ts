import { randomUUID } from 'node:crypto';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import { CommandError, UsageError } from './failure.js';

/**
 * @throws UsageError when there is such a file already, so that this is known before anything is fetched, or it is no
 * name of a file.
 */
export async function assertFree(file: string): Promise<void> {
  if (await isTaken(file)) throw new UsageError(`${file} exists; replace it with --force`);
}

/** @throws UsageError for what no file can be called, whether or not it may be replaced. */
async function isTaken(file: string): Promise<boolean> {
  if (file === '') throw new UsageError('expected the name of a file, got an empty text');
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) throw new UsageError(`${file} is a folder; give the name of a file in it`);
  return found !== undefined;
}

/**
 * Writes a file once all of its content is there: under another name beside it until then, so that what fails leaves
 * nothing behind and an older file stays as it was. Who may read it is what the user's umask says, unless `mode` allows
 * less.
 *
 * @returns how many bytes were written.
 * @throws UsageError when it is a folder or an empty text; CommandError saying why it cannot be written; what reading
 * the content throws.
 */
export async function writeWhole(
  file: string,
  content: AsyncIterable<Uint8Array>,
  { replace, mode = 0o666 }: { readonly replace: boolean; readonly mode?: number },
): Promise<number> {
  await isTaken(file);
  const part = `${file}.${randomUUID().slice(0, 8)}.part`;
  const refuse = (error: unknown): never => {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it exists; replace it with --force' : message;
    throw new CommandError(`Cannot write ${file}: ${why}`);
  };
  const handle = await open(part, 'wx', mode).catch(refuse);
  let size = 0;
  try {
    try {
      for await (const chunk of content) {
        await handle.writeFile(chunk).catch(refuse);
        size += chunk.byteLength;
      }
    } finally {
      await handle.close();
    }
    await (replace ? rename(part, file) : moveToFree(part, file)).catch(refuse);
  } finally {
    await rm(part, { force: true });
  }
  return size;
}

/** Unlike a rename, a link does not replace what came there meanwhile; not every file system has links. */
async function moveToFree(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await assertFree(file);
    await rename(part, file);
  }
}
