import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { groupGone, signalGroup } from './process-group.js';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts a program in a group of its own. @returns its process id, which is the group's. */
async function startGroup(
  command: string,
  ...args: string[]
): Promise<{ child: ChildProcessByStdio<null, Readable, null>; pid: number }> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  started.push(child);
  await once(child, 'spawn');
  return { child, pid: child.pid ?? 0 };
}

describe.skipIf(process.platform === 'win32')('groupGone', () => {
  it.skipIf(process.platform !== 'linux')('counts for nothing what has died and is never collected', async () => {
    // What the shell starts leads a group; `sleep` takes the place of the shell, and collects nobody.
    const { child } = await startGroup('sh', '-c', "setsid sh -c 'echo $$' & exec sleep 60");
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    const dead = Number(chunk.toString());
    expect(await groupGone(dead, 5_000)).toBe(true);
    expect(signalGroup(dead, 0)).toBe(true);
  });

  it('says no when somebody lives on', async () => {
    const { child, pid } = await startGroup('sleep', '60');
    expect(await groupGone(pid, 300)).toBe(false);
    child.kill('SIGKILL');
    expect(await groupGone(pid, 5_000)).toBe(true);
  });

  it('says yes at once for a group that there is not', async () => {
    const { child, pid } = await startGroup('true');
    if (child.exitCode === null) await once(child, 'exit');
    expect(await groupGone(pid, 0)).toBe(true);
  });
});
