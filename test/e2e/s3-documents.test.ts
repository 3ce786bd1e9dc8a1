import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { officeServer } from '../fixtures/computer/office.js';
import { RunningCli, runCli, startServer } from '../support/cli.js';
import { startProxy } from '../support/proxy.js';
import { BUCKET, S3_KEYS, S3Server } from '../support/s3-server.js';
import { hasVersitygw } from '../support/versitygw.js';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'a2c-s3-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** What calls itself a store, and keeps what it gets. @returns its port. */
async function startStore(): Promise<number> {
  const objects = new Map<string, Buffer>();
  const store = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://store');
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.once('end', () => {
      if (request.method === 'PUT') objects.set(pathname, Buffer.concat(pieces));
      const found = objects.get(pathname);
      response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json', etag: '"tag"' });
      response.end(request.method === 'GET' ? found : undefined);
    });
  });
  await once(store.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    store.closeAllConnections();
    await once(store.close(), 'close');
  });
  return (store.address() as AddressInfo).port;
}

describe('a2c computer run --documents s3', () => {
  it.runIf(hasVersitygw())(
    'brings a document to an Agent through a bucket, with keys from the environment',
    async () => {
      await using store = await S3Server.start();
      const uri = 'dpe://com.docs/report';
      const resources = [{ uri, name: 'Report', mimeType: 'application/json' }];
      const contents = { [uri]: [{ uri, mimeType: 'application/json', text: '{"pages":[]}' }] };
      const config = join(folder, 'computer.json');
      writeFileSync(config, JSON.stringify({ servers: { docs: officeServer({ resources, contents }) } }));
      const { server, url } = await startServer();
      onTestFinished(() => server[Symbol.asyncDispose]());
      const at = ['--server', url, '--office', 'o'];
      const place = `s3:${BUCKET}/cli?endpoint=${store.endpoint}`;
      const env = { AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId, AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey };
      const run = ['computer', 'run', config, '--name', 'c', '--documents', place, '--log-level', 'debug', ...at];
      await using computer = new RunningCli(run, { env });
      await computer.event('joined');
      await computer.line((line) => line['server'] === 'docs' && line['state'] === 'running');
      const { stdout } = await runCli(['agent', 'dpe', 'c', uri, '--fetch', ...at]);
      expect(stdout).toBe('{"pages":[]}');
      const shown = JSON.stringify(computer.lines) + computer.stderr;
      expect(shown).not.toMatch(new RegExp(`X-Amz-|${S3_KEYS.accessKeyId}|${S3_KEYS.secretAccessKey}`));
    },
  );

  it('brings it there, and from there to the Agent, through the proxy of the network', async () => {
    await using proxy = await startProxy({ credentials: 'ann:canary' });
    const port = await startStore();
    const uri = 'dpe://com.docs/report';
    const resources = [{ uri, name: 'Report', mimeType: 'application/json' }];
    const contents = { [uri]: [{ uri, mimeType: 'application/json', text: '{"pages":[]}' }] };
    const config = join(folder, 'proxied.json');
    writeFileSync(config, JSON.stringify({ servers: { docs: officeServer({ resources, contents }) } }));
    const { server, url } = await startServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const at = ['--server', url, '--office', 'o'];
    const env = {
      A2C_PROXY: `http://ann:canary@127.0.0.1:${proxy.port}`,
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    };
    const place = `s3:docs?endpoint=http://a2c.test:${port}`;
    await using computer = new RunningCli(['computer', 'run', config, '--name', 'c', '--documents', place, ...at], {
      env,
    });
    await computer.event('joined');
    await computer.line((line) => line['server'] === 'docs' && line['state'] === 'running');
    const fetched = await runCli(['agent', 'dpe', 'c', uri, '--fetch', ...at], { env });
    expect(fetched).toMatchObject({ code: 0, stdout: '{"pages":[]}' });
    const seen = proxy.seen.map((line) => line.replace(/docs\/.*/, 'docs/'));
    expect(seen).toEqual(['HEAD', 'PUT', 'GET'].map((method) => `${method} http://a2c.test:${port}/docs/`));
    const refused = await runCli([
      'agent',
      'dpe',
      'c',
      uri,
      '--fetch',
      ...at,
      '--proxy',
      `ann:wrong-canary@127.0.0.1:${proxy.port}`,
    ]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(`the proxy wants other credentials (through the proxy 127.0.0.1:${proxy.port})`);
    expect(refused.stderr).not.toContain('canary');
  });

  it('says what to install where the AWS SDK is missing, and other commands do without it', async () => {
    const there = join(folder, 'without-sdk');
    const modules = join(root, 'node_modules');
    mkdirSync(join(there, 'node_modules'), { recursive: true });
    for (const name of readdirSync(modules)) {
      if (!name.startsWith('.') && name !== '@aws-sdk') {
        symlinkSync(join(modules, name), join(there, 'node_modules', name), 'junction');
      }
    }
    cpSync(join(root, 'dist'), join(there, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(there, 'package.json'));
    const a2c = (...args: string[]): Promise<{ code: unknown; stderr: string }> =>
      new Promise((resolve) => {
        execFile(process.execPath, [join(there, 'dist', 'cli', 'main.js'), ...args], (error, _, stderr) => {
          resolve({ code: error?.code ?? 0, stderr });
        });
      });
    const missing = await a2c('computer', 'run', '--documents', 's3:docs?region=eu-central-1');
    expect(missing).toEqual({
      code: 2,
      stderr: expect.stringContaining('npm install @aws-sdk/client-s3 @aws-sdk/s3-request-presigner') as string,
    });
    expect((await a2c('computer', 'run', '--help')).code).toBe(0);
  });
});
