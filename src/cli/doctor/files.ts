import { access, constants, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The folder itself, or the nearest one above it that is there. */
export async function nearestFolder(folder: string): Promise<string> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined || dirname(path) === path) return path;
  }
}

/** Why files cannot be written into a folder, which is made when it is needed; `undefined`: they can. */
export async function whyNotWritable(folder: string): Promise<string | undefined> {
  const nearest = await nearestFolder(folder);
  const found = await stat(nearest).catch(() => undefined);
  if (found?.isDirectory() !== true) return `${nearest} is no folder`;
  const writable = await access(nearest, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return writable ? undefined : `${nearest} cannot be written to`;
}

/** What others may do with a file: `read`, `write` or both; `undefined` when it is not there. */
export async function othersMay(
  file: string,
): Promise<{ readonly read: boolean; readonly write: boolean; readonly folder: boolean } | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  return { read: (found.mode & 0o044) !== 0, write: (found.mode & 0o022) !== 0, folder: found.isDirectory() };
}
