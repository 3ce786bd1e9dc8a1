import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
const filesystem = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

/** A port that is free now; the examples name a fixed one, as a reader would. */
async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  await once(holder, 'close');
  return port;
}

/** An empty folder in which the package is installed. */
const home = mkdtempSync(join(tmpdir(), 'a2c-examples-'));
const running: ChildProcessWithoutNullStreams[] = [];

beforeAll(() => {
  mkdirSync(join(home, 'node_modules'));
  symlinkSync(root, join(home, 'node_modules', 'a2c-smcp'));
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
});

afterAll(async () => {
  for (const child of running.reverse()) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(home, { recursive: true });
});

/** Starts an example as it stands in the README, on another port and without asking a registry. */
function start(name: string, port: number, folder = 'three-roles'): ChildProcessWithoutNullStreams {
  const source = readFileSync(join(root, 'examples', folder, `${name}.ts`), 'utf8')
    .replaceAll('8000', String(port))
    .replace(`'npx'`, JSON.stringify(process.execPath))
    .replace(`['-y', '@modelcontextprotocol/server-filesystem', '.']`, JSON.stringify([filesystem, '.']));
  const file = join(home, `${name}.ts`);
  writeFileSync(file, source);
  const child = spawn(process.execPath, ['--import', tsx, file], { cwd: home });
  running.push(child);
  return child;
}

async function output(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  let seen = '';
  child.stderr.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    seen += `${line}\n`;
    if (pattern.test(seen)) return seen;
  }
  throw new Error(`ended without ${String(pattern)}: ${seen}`);
}

describe('the examples of the documentation', () => {
  it('serve, host, call, tell outcomes apart, follow a desktop and watch', async () => {
    const port = await freePort();
    await output(start('serve', port), /Server at http:\/\/127\.0\.0\.1:\d+/);
    await output(start('host', port), /files: running, \d+ tools/);
    expect(await output(start('call', port), /package\.json/)).toContain('[FILE] package.json');
    expect(await output(start('outcomes', port, 'agent'), /answered: /)).toMatch(/failed in the tool[^]*\[ 'files' \]/);
    const desktop = start('desktop', port, 'agent');
    const left = once(desktop, 'exit');
    expect(await output(desktop, /windows/)).toContain('0 windows');
    // An office has one Agent at a time.
    await left;
    await output(start('watch', port, 'agent'), /laptop: list_directory/);
  });
});
