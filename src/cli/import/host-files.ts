import { readdirSync, statSync } from 'node:fs';
import { pathsLike, type HostContext } from './host-context.js';

/** VS Code and what is built from it, by the folder of their configuration. */
const CODE_FOLDERS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** The folders that a `{name}` of a path may stand for. */
const FOLDERS: Readonly<Record<string, (context: HostContext) => readonly string[]>> = {
  home: ({ home }) => [home],
  project: ({ project }) => [project],
  config: (context) => [configFolder(context)],
  xdg: (context) => [context.platform === 'win32' ? `${context.home}/.config` : xdgFolder(context)],
  code: (context) => CODE_FOLDERS.map((folder) => `${configFolder(context)}/${folder}/User`),
  zed: (context) => [context.platform === 'win32' ? `${configFolder(context)}/Zed` : `${xdgFolder(context)}/zed`],
  goose: (context) => [
    context.platform === 'win32' ? `${configFolder(context)}/Block/goose/config` : `${xdgFolder(context)}/goose`,
  ],
};

function xdgFolder({ env, home }: HostContext): string {
  const base = env['XDG_CONFIG_HOME'] ?? '';
  return base.startsWith('/') ? base : `${home}/.config`;
}

function configFolder(context: HostContext): string {
  const { platform, env, home } = context;
  if (platform === 'darwin') return `${home}/Library/Application Support`;
  if (platform !== 'win32') return xdgFolder(context);
  const base = env['APPDATA'] ?? '';
  return base === '' ? `${home}/AppData/Roaming` : base;
}

/** The files that a path of the table of hosts may stand for on a machine, there or not; a `*` stays. */
export function pathsOf(path: string, context: HostContext): string[] {
  const paths = pathsLike(context);
  const chosen = path.replace(/\{([A-Z_]+)\|((?:[^{}]|\{[^}]*\})*)\}/, (_whole, name: string, usual: string) => {
    const value = context.env[name] ?? '';
    return value === '' ? usual : value;
  });
  const [, name = '', rest = ''] = /^\{([a-z]+)\}(.*)$/s.exec(chosen) ?? [];
  const folders = FOLDERS[name];
  return folders === undefined
    ? [paths.normalize(chosen)]
    : folders(context).map((folder) => paths.normalize(folder + rest));
}

/** The files of that path that are there. */
export function findFiles(path: string, context: HostContext): string[] {
  return pathsOf(path, context).flatMap(matches).filter(isFile);
}

/** One `*` stands for any name of one step of the path. */
function matches(path: string): string[] {
  const star = path.indexOf('*');
  if (star === -1) return [path];
  const begin = Math.max(path.lastIndexOf('/', star), path.lastIndexOf('\\', star));
  const [before, after] = [path.slice(begin + 1, star), /^[^/\\]*/.exec(path.slice(star + 1))?.[0] ?? ''];
  const rest = path.slice(star + 1 + after.length);
  return namesIn(path.slice(0, begin))
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => `${path.slice(0, begin + 1)}${name}${rest}`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** What may not be looked at counts as there, so that it is said. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  }
}
