import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/index.js';
import { faulty } from '../fixtures/mcp-servers/faulty.js';
import { RunningCli } from '../support/cli.js';
import { marker, processesWith } from '../support/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'a2c-faults-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const MIB = 1024 * 1024;
let files = 0;

/** Writes a configuration file. @returns its path. */
function configOf(servers: JsonObject): string {
  files += 1;
  const file = join(folder, `computer-${files}.json`);
  writeFileSync(file, JSON.stringify({ servers }));
  return file;
}

const inState = (computer: RunningCli, server: string, state: string) =>
  computer.line((line) => line['server'] === server && line['state'] === state);

describe('a2c computer run', () => {
  it('that is killed with SIGKILL lets its servers see the end of stdin [F-A-computer-killed]', async () => {
    const word = marker();
    const eofFile = join(folder, 'eof');
    await using computer = new RunningCli(['computer', 'run', configOf({ a: faulty({ word, eofFile }) })]);
    await inState(computer, 'a', 'running');
    expect(processesWith(word)).toHaveLength(1);
    await computer.stop('SIGKILL');
    await vi.waitFor(
      () => {
        expect(existsSync(eofFile)).toBe(true);
        expect(processesWith(word)).toEqual([]);
      },
      { timeout: 10_000 },
    );
  });

  it.skipIf(process.platform !== 'linux')(
    'takes no memory without bound for a gigabyte in one line or a flood of stderr [F-X-huge-line] [F-X-stderr-flood] [F-B-stderr-bounded] [F-B-endless-line]',
    async () => {
      const servers = {
        endless: faulty({ stdoutBytes: 1024 * MIB }),
        line: faulty({ lineBytes: 1024 * MIB }),
        noise: faulty({ only: [], stderrEvery50Ms: 8 * MIB }),
        fine: faulty({ only: ['echo'] }),
      };
      const file = configOf(servers);
      await using computer = new RunningCli(['computer', 'run', file]);
      const [{ pid } = { pid: 0 }] = processesWith(file);
      await inState(computer, 'noise', 'running');
      await inState(computer, 'fine', 'running');
      for (const name of ['endless', 'line']) {
        expect(await inState(computer, name, 'backing-off')).toMatchObject({
          reason: expect.stringContaining('without a newline') as string,
        });
      }
      // Once more, a second or more later; the other one makes its noise all the while.
      const again = (name: string): boolean =>
        computer.lines.filter((line) => line['server'] === name && line['state'] === 'backing-off').length > 1;
      await computer.line(() => again('endless') && again('line'));
      const [, peak = ''] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
      // The process itself, and at most 64 MiB of each of two lines, some of it twice.
      expect(Number(peak)).toBeGreaterThan(50_000);
      expect(Number(peak)).toBeLessThan(500_000);
      expect(computer.lines.filter((line) => line['server'] === 'noise').map((line) => line['state'])).toEqual([
        'starting',
        'running',
      ]);
      expect(await computer.stop()).toBe(0);
    },
    30_000,
  );
});
