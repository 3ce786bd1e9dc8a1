import { existsSync, statSync } from 'node:fs';
import { win32 } from 'node:path';
import { ServerStartError } from './mcp-errors.js';

/** What of this process's environment a child sees unless its configuration adds to it. */
const INHERITED =
  process.platform === 'win32'
    ? 'APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP TMP USERNAME USERPROFILE WINDIR'
    : 'HOME LANG LC_ALL LOGNAME PATH SHELL TERM TMPDIR TZ USER';

/** Variables of this process that a child may see: paths and locale, nothing that may be a secret. */
export function safeEnvironment(source: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of INHERITED.split(' ')) {
    const value = source[name];
    // An exported shell function is code, not a value.
    if (value !== undefined && !value.startsWith('()')) env[name] = value;
  }
  return env;
}

/** Adds the configured variables to the safe ones. On Windows names differ only by more than their case. */
export function childEnvironment(
  added: Readonly<Record<string, string>> | null | undefined,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const env = safeEnvironment();
  for (const [name, value] of Object.entries(added ?? {})) {
    const same = platform === 'win32' ? Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase()) : name;
    // Not a plain assignment: a variable may be called `__proto__`.
    Object.defineProperty(env, same ?? name, { value, enumerable: true, configurable: true, writable: true });
  }
  return env;
}

/** @throws ServerStartError (`bad-config`) when the working directory is none. */
export function checkWorkingDirectory(cwd: string | null | undefined): void {
  if (cwd === null || cwd === undefined) return;
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found === undefined) throw new ServerStartError('bad-config', `Working directory does not exist: ${cwd} (cwd)`);
  if (!found.isDirectory()) throw new ServerStartError('bad-config', `Not a directory: ${cwd} (cwd)`);
}

/** The error for a command that the system did not find, with the places where it was looked for. */
export function commandNotFound(command: string, env: Readonly<Record<string, string>>): ServerStartError {
  const where = /[\\/]/.test(command) ? '' : `; searched PATH: ${env['PATH'] ?? env['Path'] ?? '(empty)'}`;
  return new ServerStartError('command-not-found', `Command not found: "${command}"${where}`);
}

/** What to hand to `spawn`. */
export interface SpawnTarget {
  readonly command: string;
  readonly args: readonly string[];
  /** Windows: the arguments are quoted already. */
  readonly verbatim: boolean;
}

/**
 * On Windows a command such as `npx` is a `.cmd` file, which only `cmd.exe` runs: finds it through PATH and PATHEXT and
 * quotes its arguments for both `cmd.exe` and the script. Elsewhere the command is passed as it is.
 */
export function spawnTarget(
  command: string,
  args: readonly string[],
  system: { platform: NodeJS.Platform; env: Readonly<Record<string, string>>; exists?: (path: string) => boolean },
): SpawnTarget {
  if (system.platform !== 'win32') return { command, args, verbatim: false };
  const file = findOnWindows(command, system.env, system.exists ?? existsSync);
  if (file === undefined || !/\.(?:cmd|bat)$/i.test(file)) return { command: file ?? command, args, verbatim: false };
  const line = [escapeMeta(win32.normalize(file)), ...args.map((arg) => escapeMeta(escapeMeta(quote(arg))))].join(' ');
  return { command: system.env['COMSPEC'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

/**
 * A line for the shell of the platform, with arguments after it that the shell reads no syntax in: `/bin/sh` takes them
 * as `"$@"`, for `cmd.exe` they are quoted.
 */
export function shellTarget(
  line: string,
  args: readonly string[],
  system: { platform: NodeJS.Platform; env: Readonly<Record<string, string>> },
): SpawnTarget {
  // After a line break the arguments would be a command of their own.
  const bare = line.trimEnd();
  if (system.platform !== 'win32') {
    const given = args.length === 0 ? [bare] : [`${bare} "$@"`, 'sh', ...args];
    return { command: '/bin/sh', args: ['-c', ...given], verbatim: false };
  }
  const whole = [bare, ...args.map((arg) => escapeMeta(quote(arg)))].join(' ');
  return { command: system.env['COMSPEC'] ?? 'cmd.exe', args: ['/d', '/s', '/c', `"${whole}"`], verbatim: true };
}

function findOnWindows(
  command: string,
  env: Readonly<Record<string, string>>,
  exists: (path: string) => boolean,
): string | undefined {
  const endings = (env['PATHEXT'] ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const names = win32.extname(command) === '' ? endings.map((ending) => command + ending) : [command];
  const folders = /[\\/]/.test(command) ? [''] : (env['PATH'] ?? '').split(win32.delimiter);
  return folders
    .flatMap((folder) => names.map((name) => (folder === '' ? name : win32.join(folder, name))))
    .find((path) => exists(path));
}

/** Quotes one argument for the C runtime: backslashes before a quote are doubled. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
}

function escapeMeta(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
