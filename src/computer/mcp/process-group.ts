import { spawn } from 'node:child_process';

/** Whether children lead a process group of their own here (everywhere but on Windows). */
export const HAS_GROUPS = process.platform !== 'win32';

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

/** Waits until nobody of the group is left, at most `ms` milliseconds. */
export async function groupGone(pid: number, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (signalGroup(pid, 0)) {
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
