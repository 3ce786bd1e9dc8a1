import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { spawnTarget } from './spawn-command.js';

/** Where a program is looked for. */
export interface CommandSearch {
  /** The environment that the program would start with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder that it would start in; the working directory otherwise. */
  readonly cwd?: string | undefined;
  readonly platform?: NodeJS.Platform;
}

/**
 * The file that a command would start, as the system looks for it.
 *
 * @returns its path, on Windows that of `cmd.exe` where that runs it; `undefined` when there is none that can be started.
 */
export function findCommand(
  command: string,
  { env, cwd, platform = process.platform }: CommandSearch,
): string | undefined {
  if (platform === 'win32') {
    const defined = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >;
    const { command: file, verbatim } = spawnTarget(command, [], { platform, env: defined });
    // What cmd.exe is to run was found already.
    return verbatim || existsSync(file) ? file : undefined;
  }
  if (command.includes('/')) {
    const file = isAbsolute(command) ? command : resolve(cwd ?? '.', command);
    return isExecutable(file) ? file : undefined;
  }
  const folders = (env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder === '' ? '.' : folder, command)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
