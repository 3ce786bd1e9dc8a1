import { access, constants, stat } from 'node:fs/promises';
import { delimiter, dirname, extname, isAbsolute, join, resolve } from 'node:path';

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

/** Where to look for a command. */
export interface CommandPlace {
  /** The environment that the program would have. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** The file that a command stands for, as the system looks for it; `undefined` when there is none that can be run. */
export async function findCommand(command: string, { env, cwd, platform }: CommandPlace): Promise<string | undefined> {
  const isPath = platform === 'win32' ? /[\\/]/.test(command) : command.includes('/');
  const folders = isPath ? [cwd] : (env['PATH'] ?? env['Path'] ?? '').split(delimiter);
  const endings = platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  for (const folder of folders) {
    for (const ending of extname(command) === '' ? endings : ['']) {
      const file = (isAbsolute(command) ? command : join(resolve(cwd, folder), command)) + ending;
      if (await isProgram(file)) return file;
    }
  }
  return undefined;
}

async function isProgram(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** What others may do with a file: `read`, `write` or both; `undefined` when it is not there. */
export async function othersMay(
  file: string,
): Promise<{ readonly read: boolean; readonly write: boolean; readonly folder: boolean } | undefined> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return undefined;
  return { read: (found.mode & 0o044) !== 0, write: (found.mode & 0o022) !== 0, folder: found.isDirectory() };
}
