import { spawnSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { runCommandInput, type CommandRun, type CommandToRun } from './run-command-input.js';

function run(command: Partial<CommandToRun>, how: Partial<CommandRun> = {}): Promise<string> {
  return runCommandInput(
    { id: 'c', command: process.execPath, args: [], shell: false, ...command },
    { env: process.env, timeoutMs: 10_000, signal: new AbortController().signal, ...how },
  );
}

const node = (script: string, ...more: string[]): Partial<CommandToRun> => ({ args: ['-e', script, ...more] });
const SHOW = 'console.log(JSON.stringify(process.argv.slice(1)))';
/** What would do something if a shell read it. */
const SYNTAX = ['$HOME', 'a b; echo x', '`id`', '$(id)', "it's", '"', '%PATH%', '*', 'a\nb', '-n', ''];

describe('runCommandInput', () => {
  it('runs a program without a shell, its arguments as they are', async () => {
    expect(await run(node(SHOW, ...SYNTAX))).toBe(JSON.stringify(SYNTAX));
    expect(await run(node('console.log("a\\nb")'))).toBe('a\nb');
    await expect(run({ command: 'echo $HOME' })).rejects.toThrow('could not be started (ENOENT)');
  });

  it.skipIf(process.platform === 'win32')(
    'runs a line in the shell when asked, its arguments still as data',
    async () => {
      const env = { ...process.env, NAME: 'ann' };
      expect(await run({ command: 'echo "$NAME" | tr a-z A-Z', shell: true }, { env })).toBe('ANN');
      const line = `true && '${process.execPath}' -e '${SHOW}' \n`;
      expect(await run({ command: line, args: SYNTAX.slice(0, -2), shell: true })).toBe(
        JSON.stringify(SYNTAX.slice(0, -2)),
      );
    },
  );

  it.each<[string, Partial<CommandToRun>, Partial<CommandRun>, string]>([
    ['fails', node('console.log("secret"); process.exit(3)'), {}, 'exit code 3'],
    ['fails in a shell', { command: 'echo secret; exit 3', shell: true }, {}, 'exit code 3'],
    ['hangs', node('setInterval(() => 0, 1000)'), { timeoutMs: 300 }, 'did not end within 300 ms'],
    ['is not there', { command: 'no-such-program-here' }, {}, 'could not be started (ENOENT)'],
    ['is empty', { command: '' }, {}, 'could not be started (it is empty'],
    ['holds a null byte', node('0', 'secret\0'), {}, 'could not be started (it is empty, or holds a null byte)'],
    ['prints too much', node('console.log("secret".repeat(1e6))'), {}, 'printed more than'],
  ])('says so when a command %s, without what it printed', async (_what, command, how, problem) => {
    const failure = await run(command, how).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'InputError', inputId: 'c' });
    expect(String(failure)).toContain(problem);
    expect(String(failure)).not.toContain('secret');
  });

  it('waits for a time that no timer can hold', async () => {
    expect(await run(node('console.log(1)'), { timeoutMs: 10 ** 11 })).toBe('1');
  });

  it('takes the value of a command that leaves something in the background, and ends that', async () => {
    const value = await run({ command: 'sh', args: ['-c', 'sleep 987 & echo $!'] });
    // A zombie waits for its parent only.
    const isThere = (): boolean => {
      const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', value], { encoding: 'utf8' });
      return /^[^Z\s]/.test(stdout.trim());
    };
    expect(Number(value)).toBeGreaterThan(0);
    await vi.waitFor(() => {
      expect(isThere()).toBe(false);
    });
  });

  it('ends a running command when it is cancelled', async () => {
    const cancel = new AbortController();
    const value = run(node('setInterval(() => 0, 1000)'), { signal: cancel.signal });
    cancel.abort();
    await expect(value).rejects.toThrow('cancelled');
    await expect(run(node(SHOW), { signal: cancel.signal })).rejects.toThrow('cancelled');
  });
});
