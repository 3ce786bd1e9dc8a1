import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { officeServer } from '../fixtures/computer/office.js';
import { RunningCli, runCli, startServer } from '../support/cli.js';
import { BUCKET, S3_KEYS, S3Server } from '../support/s3-server.js';
import { hasVersitygw } from '../support/versitygw.js';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'a2c-s3-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

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
