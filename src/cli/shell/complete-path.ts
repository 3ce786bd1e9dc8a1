import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';

/** `~` and `~/…` as the path in the home folder; anything else as it is. */
export function expandHome(path: string, home: string = homedir()): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path;
}

/** The files and folders whose path begins like this, folders with a separator at the end. */
export function completePath(begun: string, home: string = homedir()): string[] {
  const path = expandHome(begun, home);
  const folder = path === '' || path.endsWith('/') || path.endsWith(sep) ? path : dirname(path);
  const kept = begun.slice(0, Math.max(begun.lastIndexOf('/'), begun.lastIndexOf(sep)) + 1);
  const name = begun.slice(kept.length);
  return entriesOf(folder === '' ? '.' : folder)
    .filter((entry) => entry.startsWith(name) && (name.startsWith('.') || !entry.startsWith('.')))
    .map((entry) => `${kept}${entry}${isFolder(join(folder, entry)) ? '/' : ''}`);
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
