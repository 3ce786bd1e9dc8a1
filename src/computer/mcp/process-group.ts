import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** Whether children lead a process group of their own here (everywhere but on Windows). */
export const HAS_GROUPS = process.platform !== 'win32';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;
const LOOK_AT_PAUSE_MS = 40;
/** How Linux marks what has ended and was not collected by its parent. */
const DEAD_STATES = ['Z', 'X'];

/**
 * Sends a signal to a child and everything it started. On Windows, where there are no groups, `taskkill /T` ends the
 * tree whatever the signal. A group that is gone is fine.
 *
 * @returns whether there was somebody to receive it.
 */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  if (HAS_GROUPS) {
    try {
      return process.kill(-pid, signal);
    } catch (error) {
      // EPERM: somebody is there, but a process of another user.
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  }
  if (signal === 0) return false;
  const killer = spawn('taskkill', ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  killer.on('error', () => undefined);
  return true;
}

/**
 * Waits until nobody of the group lives, at most `ms` milliseconds. What has died counts for nothing, also where nobody
 * collects it, as in a container without an init process.
 *
 * @returns whether they are gone.
 */
export async function groupGone(pid: number, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  for (let pause = FIRST_PAUSE_MS; signalGroup(pid, 0); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    // Most are gone after the first pauses; only then it is worth to look at every process.
    if (pause >= LOOK_AT_PAUSE_MS && (await areAllDead(pid))) return true;
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, Math.min(pause, deadline - Date.now())));
  }
  return true;
}

/** Whether the group has members to be seen here, none of which lives. */
async function areAllDead(group: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  let dead = 0;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'latin1').catch(() => '');
    // PID (NAME) STATE PARENT GROUP …, where the name may hold anything.
    const [state = '', , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (processGroup !== String(group)) continue;
    if (!DEAD_STATES.includes(state)) return false;
    dead += 1;
  }
  return dead > 0;
}
