import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { CLI } from '../support/cli.js';

const PRINT_LOADS = pathToFileURL(join(import.meta.dirname, '..', 'fixtures', 'print-loads.mjs')).href;
const DIST = `${pathToFileURL(dirname(dirname(CLI))).href}/`;

/** The packages, and the files of ours outside `dist/cli`, that a command line loads. */
async function loadedBy(args: readonly string[]): Promise<{ packages: string[]; beyond: string[]; count: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'a2c-loads-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const LOADS = join(folder, 'loads.txt');
  await promisify(execFile)(process.execPath, ['--import', PRINT_LOADS, CLI, ...args], {
    env: { ...process.env, LOADS },
  });
  const urls = [...new Set((await readFile(LOADS, 'utf8')).trim().split('\n'))];
  const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  const own = urls.filter((url) => url.startsWith(DIST)).map((url) => url.slice(DIST.length));
  return {
    packages: [...new Set(packages)].toSorted(),
    beyond: own.filter((file) => !file.startsWith('cli/')).toSorted(),
    count: own.length,
  };
}

it('loads next to nothing to print the version', async () => {
  const { packages, beyond, count } = await loadedBy(['--version']);
  expect([packages, beyond]).toEqual([[], []]);
  expect(count).toBeLessThan(6);
});

it.runIf(existsSync('/dev/full'))('says so when there is no room for the version', async () => {
  const { code, stderr } = (await promisify(execFile)('/bin/sh', [
    '-c',
    `"$0" "$1" --version > /dev/full`,
    process.execPath,
    CLI,
  ]).catch((error: unknown) => error as { code: number; stderr: string })) as { code?: number; stderr: string };
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: cannot write to stdout: ENOSPC[^\n]*\n$/)]);
});

it.each([['--help'], ['help', 'agent', 'call'], ['computer', 'run', '--help'], ['completion', 'bash']])(
  'loads no more than the table of commands for %s %s',
  async (...args) => {
    const { packages, beyond } = await loadedBy(args);
    expect(packages).toEqual(['commander']);
    expect(beyond).toEqual(['protocol/basics.js']);
  },
);

it('loads nothing of other roles for a command of one', async () => {
  const { beyond } = await loadedBy(['init', join(tmpdir(), `a2c-start-${process.pid}`, 'mcp.json'), '--force']);
  onTestFinished(() => rm(join(tmpdir(), `a2c-start-${process.pid}`), { recursive: true, force: true }));
  expect(beyond.filter((file) => !file.startsWith('protocol/'))).toEqual([]);
});
