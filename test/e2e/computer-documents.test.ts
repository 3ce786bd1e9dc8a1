import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunningCli, runCli, startServer } from '../support/cli.js';

const DOCUMENT = 'dpe://com.example.demo/welcome';
const root = join(import.meta.dirname, '..', '..');
let folder = '';
/** The one started last is the first. */
let running: RunningCli[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-cli-documents-'));
  const args = [join(root, 'dist/cli/demo/bundled-server.js')];
  const config = { servers: { demo: { command: process.execPath, args } } };
  await writeFile(join(folder, 'computer.json'), JSON.stringify(config));
});
afterEach(async () => {
  for (const one of running) await one[Symbol.asyncDispose]();
  running = [];
  await rm(folder, { recursive: true });
});

async function serverUrl(): Promise<string> {
  const { server, url } = await startServer();
  running.unshift(server);
  return url;
}

describe('a2c computer run --documents', () => {
  it.each<[string, () => string, RegExp]>([
    [
      'http',
      () => 'http',
      /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{64}\.json\?type=application%2Fjson&expires=\d+&signature=/,
    ],
    ['file:DIR', () => `file:${join(folder, 'kept')}`, /^file:\/\/.*\/kept\/[0-9a-f]{64}\.json$/],
  ])('%s lets an Agent fetch a document', async (kind, documents, uri) => {
    const env = { A2C_SERVER: await serverUrl(), A2C_OFFICE: 'office' };
    const args = ['computer', 'run', join(folder, 'computer.json'), '--name', 'laptop', '--documents', documents()];
    const computer = new RunningCli(args, { env });
    running.unshift(computer);
    await computer.line((line) => line['server'] === 'demo' && line['state'] === 'running');
    await computer.event('joined');
    const shown = await runCli(['agent', 'dpe', 'laptop', DOCUMENT, '--json'], { env });
    const access = JSON.parse(shown.stdout) as Record<string, unknown>;
    expect(access['uri']).toMatch(uri);
    if (kind === 'http') expect((await fetch(String(access['uri']))).headers.get('etag')).not.toBeNull();
    const fetched = await runCli(['agent', 'dpe', 'laptop', DOCUMENT, '--fetch'], { env });
    expect(JSON.parse(fetched.stdout)).toMatchObject({ title: 'Welcome to A2C-SMCP' });
    if (kind === 'file:DIR') expect(await readdir(join(folder, 'kept'))).toHaveLength(1);
  });
});
