import { readFileSync } from 'node:fs';

/**
 * Whether this process may read from its terminal: the system stops a command in the background that does. Known on
 * Linux; elsewhere taken for granted.
 */
export function inForeground(stat: () => string = ownStat): boolean {
  // After the name, which may hold anything: state, parent, process group, session, terminal, its foreground group.
  const [, , group, , , foreground] = stat()
    .replace(/^.*\) /s, '')
    .split(' ');
  return foreground === undefined || Number(foreground) < 0 || group === foreground;
}

function ownStat(): string {
  try {
    return readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return '';
  }
}
