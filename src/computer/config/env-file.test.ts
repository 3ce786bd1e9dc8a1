import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject, McpServerConfig } from '../../protocol/index.js';
import { envFilePath, withEnvFile } from './env-file.js';
import { maskServerConfig, secretsOf } from './mask-config.js';
import { parseConfig, readServerEntry } from './parse-config.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-env-'));
  await writeFile(join(folder, '.env'), '# of the server\nTOKEN=from-the-file\nPORT=8080\n__proto__=odd-name\n');
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

function configured(entry: JsonObject, file = join(folder, 'mcp.json')): McpServerConfig {
  const server = parseConfig(JSON.stringify({ servers: { a: entry } }), { file }).servers.get('a');
  if (server === undefined) throw new Error('no server');
  return server.config;
}

describe('envFilePath', () => {
  it('is relative to the configuration file, and knows the folders that VS Code names', () => {
    const file = join(folder, 'mcp.json');
    expect(envFilePath('.env', file)).toBe(join(folder, '.env'));
    expect(envFilePath('../x/.env', file)).toBe(resolve(folder, '..', 'x', '.env'));
    expect(envFilePath(join(folder, 'y'), join('elsewhere', 'mcp.json'))).toBe(join(folder, 'y'));
    expect(envFilePath('${workspaceFolder}/.env', file)).toBe(join(folder, '.env'));
    expect(envFilePath('${workspaceFolder}/.env', join(folder, '.vscode', 'mcp.json'))).toBe(join(folder, '.env'));
    expect(envFilePath('${userHome}/.env', file)).toBe(join(homedir(), '.env'));
    expect(envFilePath('~/.env', file)).toBe(join(homedir(), '.env'));
    expect(envFilePath('~.env', file)).toBe(join(folder, '~.env'));
    expect(envFilePath('.env', undefined)).toBe(resolve('.env'));
    expect(envFilePath('${input:folder}/.env', file)).toBe('${input:folder}/.env');
  });
});

describe('withEnvFile', () => {
  it.each([
    ['beside the other fields', { command: 'x', env: { PORT: '1' }, envFile: '.env' }],
    ['within server_parameters', { server_parameters: { command: 'x', env: { PORT: '1' }, envFile: '.env' } }],
  ])('puts the variables of a file named %s under those of env', async (_what, entry) => {
    const { env } = (await withEnvFile(configured(entry))).server_parameters as { env: object };
    expect(Object.entries(env)).toEqual([
      ['TOKEN', 'from-the-file'],
      ['PORT', '1'],
      ['__proto__', 'odd-name'],
    ]);
  });

  it('works in the mcpServers form, and reads the file as it is at each start', async () => {
    const text = '{"mcpServers":{"a":{"command":"x","envFile":"later.env"}}}';
    const config = parseConfig(text, { file: join(folder, 'mcp.json') }).servers.get('a')?.config;
    if (config === undefined) throw new Error('no server');
    await writeFile(join(folder, 'later.env'), 'A=1');
    expect((await withEnvFile(config)).server_parameters).toMatchObject({ env: { A: '1' } });
    await writeFile(join(folder, 'later.env'), 'A=2');
    expect((await withEnvFile(config)).server_parameters).toMatchObject({ env: { A: '2' } });
  });

  it('makes secrets of the values, and shows Agents where the file is and nothing of it', async () => {
    const config = configured({ command: 'x', envFile: '.env' });
    expect(secretsOf(await withEnvFile(config))).toEqual(expect.arrayContaining(['from-the-file', '8080']));
    expect(maskServerConfig(config).server_parameters).toMatchObject({ env: null, envFile: join(folder, '.env') });
    // Errors have to be able to say it.
    expect(secretsOf(config)).toEqual([]);
  });

  it('leaves a configuration without one alone', async () => {
    const stdio = configured({ command: 'x' });
    const remote = configured({ url: 'http://h', envFile: '.env' });
    expect(await withEnvFile(stdio)).toBe(stdio);
    expect(await withEnvFile(remote)).toBe(remote);
  });

  it('refuses a file that cannot be used, with its path and line and nothing of its text', async () => {
    await writeFile(join(folder, 'broken.env'), 'A=1\nsecret');
    await writeFile(join(folder, 'large.env'), `A=${'x'.repeat(1024 * 1024)}`);
    const problem = async (envFile: string): Promise<string> =>
      withEnvFile(configured({ command: 'x', envFile })).then(
        () => 'none',
        (error: unknown) => String(error),
      );
    expect(await problem('none.env')).toBe(
      `ConfigError: servers.a.envFile: there is no file ${join(folder, 'none.env')}`,
    );
    expect(await problem('broken.env')).toContain(`${join(folder, 'broken.env')}, line 2: expected NAME=value`);
    expect(await problem('broken.env')).not.toContain('secret');
    expect(await problem('large.env')).toContain('larger than 1 MiB');
    expect(await problem('.')).toMatch(/is not a file|cannot be read/);
    expect(await problem('${input:folder}/.env')).toContain('expected an absolute path');
  });

  it.skipIf(process.platform === 'win32')('does not wait for a named pipe', async () => {
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'pipe')]);
    await expect(withEnvFile(configured({ command: 'x', envFile: 'pipe' }))).rejects.toThrow('is not a file');
  });

  it('refuses a path that is none when the configuration is read', () => {
    expect(() => configured({ command: 'x', envFile: 7 })).toThrow('servers.a.envFile: expected the path of a file');
    expect(() => readServerEntry('a', { server_parameters: { command: 'x', envFile: '' } })).toThrow(
      'servers.a.server_parameters.envFile: expected the path',
    );
  });
});
