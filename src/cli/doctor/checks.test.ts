import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAuthority, makeCertificate } from '../../../test/support/certificates.js';
import type { Check, Finding } from './check.js';
import { CHECKS } from './checks.js';
import { Surroundings, type DoctorContext, type DoctorMachine } from './context.js';

let folder: string;
let home: string;
let round = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-doctor-'));
});
beforeEach(async () => {
  home = join(folder, `home-${++round}`);
  await mkdir(home);
});
afterAll(() => rm(folder, { recursive: true }));

const FLAGS: DoctorContext['flags'] = {
  config: [],
  server: undefined,
  office: undefined,
  token: undefined,
  tokenFile: undefined,
  path: '/socket.io/',
  proxy: undefined,
  ca: [],
  cert: undefined,
  key: undefined,
  logins: undefined,
  timeout: 10,
  json: false,
};

const machine = (changes: Partial<DoctorMachine> = {}): DoctorMachine => ({
  env: { PATH: process.env['PATH'] },
  platform: 'linux',
  home,
  nodeVersion: 'v22.1.0',
  package: { version: '1.2.3', engines: { node: '>=20.19' } },
  terminal: { stdin: true, stdout: true, colour: true, columns: 80 },
  now: Date.now,
  ...changes,
});

interface Case extends Partial<DoctorMachine> {
  readonly files?: readonly string[];
  readonly flags?: Partial<DoctorContext['flags']>;
}

async function look(id: string, { files = [], flags, ...changes }: Case = {}): Promise<readonly Finding[]> {
  await using context = new Surroundings(files, { ...FLAGS, ...flags }, machine(changes));
  const check = CHECKS.find((one): one is Check => one.id === id);
  if (check === undefined) throw new Error(`there is no check ${id}`);
  return await check.run(context, new AbortController().signal);
}

const verdicts = (findings: readonly Finding[]): string[] =>
  findings.map(({ verdict, found }) => `${verdict}: ${found}`);

async function config(content: object): Promise<string> {
  const file = join(home, 'mcp.json');
  await writeFile(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

it('has an id of its own for each check', () => {
  const ids = CHECKS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('The check of Node.js', () => {
  it.each([
    ['v20.18.9', 'fail'],
    ['v18.20.0', 'fail'],
    ['v20.19.0', 'ok'],
    ['v20.20.1', 'ok'],
    ['v24.0.0', 'ok'],
  ])('finds %s: %s', async (nodeVersion, verdict) => {
    expect(await look('node', { nodeVersion })).toMatchObject([{ verdict }]);
  });
});

describe('The check of folders', () => {
  it('shows each, and which variable moves one that cannot be written to', async () => {
    const blocked = join(home, 'file');
    await writeFile(blocked, '');
    const findings = await look('places', { env: { A2C_STATE_DIR: join(blocked, 'state') } });
    expect(verdicts(findings)).toEqual([
      `ok: ${home}/.config/a2c: the configuration`,
      `ok: ${home}/.config/a2c/logins: logins at MCP servers`,
      `ok: ${home}/.cache/a2c: documents, which can be made again`,
      `warn: ${blocked}/state: the history of the shells, the audit file; ${blocked} is no folder`,
    ]);
    expect(findings[3]?.todo).toContain('A2C_STATE_DIR');
  });
});

describe('The check of the configuration', () => {
  it('counts the servers and repeats warnings, and takes the usual file where none is named', async () => {
    const usual = join(home, '.config', 'a2c');
    await mkdir(usual, { recursive: true });
    await writeFile(
      join(usual, 'computer.json'),
      '{ "servers": { "a": { "command": "node", "agrs": [] }, "b": { "command": "x", "disabled": true } } }',
    );
    const findings = await look('configuration');
    expect(findings).toMatchObject([
      { verdict: 'warn', found: expect.stringContaining('agrs') as string },
      { verdict: 'ok', found: `${usual}/computer.json: 1 MCP server, 1 disabled` },
    ]);
    expect(await look('configuration', { env: { A2C_CONFIG_DIR: join(home, 'none') } })).toMatchObject([
      { verdict: 'skipped' },
    ]);
  });
});

describe('The check of commands', () => {
  it('looks for each as the server would be started: with its PATH and its folder', async () => {
    const bin = join(home, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'tool'), '', { mode: 0o755 });
    await writeFile(join(bin, 'data'), '', { mode: 0o644 });
    const file = await config({
      inputs: [{ id: 'secret', type: 'promptString', description: 's' }],
      servers: {
        onPath: { command: 'tool', env: { PATH: bin, KEY: '${input:secret}' } },
        byPath: { command: './bin/tool', cwd: home },
        data: { command: 'data', env: { PATH: bin } },
        none: { command: 'uvx', env: { PATH: bin } },
        lost: { command: 'node', cwd: join(home, 'nowhere') },
        web: { url: 'http://127.0.0.1:1/mcp' },
        off: { command: 'nothing', disabled: true },
      },
    });
    const findings = await look('commands', { files: [file] });
    expect(verdicts(findings)).toEqual([
      `ok: onPath: ${bin}/tool`,
      `ok: byPath: ${home}/bin/tool`,
      'fail: data: there is no program data on PATH',
      'fail: none: there is no program uvx on PATH',
      `fail: lost: there is no folder ${home}/nowhere`,
      expect.stringMatching(/^skipped: PATH is /) as string,
    ]);
    expect(findings[3]?.todo).toContain('docs.astral.sh/uv');
  });
});

describe('The check of inputs', () => {
  it('names the variable of each that nobody could be asked for, and runs no program', async () => {
    const file = await config({
      inputs: [
        { id: 'none', type: 'promptString', description: 'd' },
        { id: 'usual', type: 'promptString', description: 'd', default: 'x' },
        { id: 'set', type: 'promptString', description: 'd' },
        { id: 'program', type: 'command', description: 'd', command: `touch ${home}/ran` },
      ],
      servers: {
        a: {
          command: 'node',
          args: ['${input:none}', '${input:usual}', '${input:set}', '${input:program}', '${env:NO}', '${input:usaul}'],
        },
      },
    });
    const findings = await look('inputs', { files: [file], env: { A2C_SMCP_SET: 'canary' } });
    expect(verdicts(findings)).toEqual([
      'warn: a: Input "none": has no value; set A2C_SMCP_NONE or give it a default',
      expect.stringMatching(/^warn: a: Variable "NO": is not set in the environment/) as string,
      expect.stringMatching(/^warn: a: Input "usaul": is not defined; did you mean "usual"/) as string,
    ]);
    expect(findings.map(({ todo }) => todo?.includes('a person is asked'))).toEqual([true, false, false]);
    await expect(rm(join(home, 'ran'))).rejects.toThrow('ENOENT');
  });
});

describe('The check of permissions', () => {
  it('finds what others can read or change', async () => {
    const file = await config({ servers: { a: { command: 'node', env: { API_KEY: 'sk-canary-1234567890' } } } });
    const logins = join(home, '.config', 'a2c', 'logins');
    await mkdir(logins, { recursive: true, mode: 0o755 });
    await chmod(logins, 0o755);
    const token = join(home, 'token');
    await writeFile(token, 't', { mode: 0o600 });
    const flags = { tokenFile: token };
    const readable = `warn: ${logins} can be read by other users of this machine`;
    expect(verdicts(await look('permissions', { files: [file], flags }))).toEqual([readable]);
    await chmod(file, 0o644);
    await chmod(token, 0o666);
    const findings = await look('permissions', { files: [file], flags });
    expect(verdicts(findings)).toEqual([
      `warn: ${file} can be read by other users of this machine`,
      `warn: ${token} can be changed by other users of this machine`,
      readable,
    ]);
    expect(findings.map(({ todo }) => todo)).toEqual([
      `chmod 600 ${file}`,
      `chmod 600 ${token}`,
      `chmod 700 ${logins}`,
    ]);
    expect(JSON.stringify(findings)).not.toContain('canary');
  });
});

describe('The check of logins', () => {
  it('tells which have ended, and no token', async () => {
    const logins = join(home, 'logins');
    await mkdir(logins);
    const past = Date.now() - 1_000;
    const keep = (name: string, content: object): Promise<void> =>
      writeFile(join(logins, `${name}.json`), JSON.stringify(content));
    await keep('a', { serverUrl: 'https://a.test/mcp', tokens: { accessToken: 'canary', expiresAt: past } });
    await keep('b', {
      serverUrl: 'https://b.test/mcp',
      tokens: { accessToken: 'canary', refreshToken: 'canary', expiresAt: past },
    });
    await keep('c', { serverUrl: 'https://c.test/mcp' });
    await keep('d', { serverUrl: 'https://d.test/mcp?key=canary', tokens: { accessToken: 'canary' } });
    await writeFile(join(logins, 'e.json'), '{');
    const found = verdicts(await look('logins', { flags: { logins } })).sort();
    expect(found).toEqual([
      'ok: b.test: is renewed when it is needed',
      'ok: d.test: good',
      `warn: ${logins}/e.json cannot be read`,
      'warn: that at a.test has expired',
      'warn: that at c.test has ended',
    ]);
  });
});

describe('The check of the network', () => {
  it('tells which proxy and certificates are in force, and nothing secret of them', async () => {
    const authority = await makeAuthority('Corp CA');
    const { cert, key } = await makeCertificate(authority, { hosts: ['laptop'] });
    const files = { ca: join(home, 'ca.pem'), cert: join(home, 'cert.pem'), key: join(home, 'key.pem') };
    await writeFile(files.ca, authority.cert);
    await writeFile(files.cert, cert);
    await writeFile(files.key, key);
    const flags = { server: 'https://a2c.example.com', ca: [files.ca], cert: files.cert, key: files.key };
    const env = { HTTPS_PROXY: 'http://ann:canary@proxy.example.com:3128', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    const findings = await look('network', { flags, env });
    expect(verdicts(findings)).toEqual([
      'ok: proxy proxy.example.com:3128, from HTTPS_PROXY',
      expect.stringMatching(/^ok: the client certificate laptop is good for \d+ days$/) as string,
      expect.stringMatching(/^ok: .*ca\.pem: the authority Corp CA is good for \d+ days$/) as string,
      expect.stringMatching(/^warn: NODE_TLS_REJECT_UNAUTHORIZED=0/) as string,
    ]);
    const later = await look('network', { flags, env: {}, now: () => Date.now() + 800 * 24 * 3_600_000 });
    expect(verdicts(later)).toEqual([
      'fail: the client certificate laptop has expired',
      `fail: ${files.ca}: the authority Corp CA has expired`,
    ]);
    expect(JSON.stringify(findings)).not.toContain('canary');
    await writeFile(files.ca, authority.cert + cert);
    const many = { NODE_EXTRA_CA_CERTS: files.ca };
    expect(verdicts(await look('network', { flags: { ca: [files.ca] }, env: many }))).toEqual([
      `ok: ${files.ca}: 2 authorities, all of them good`,
      `ok: NODE_EXTRA_CA_CERTS ${files.ca}: 2 authorities`,
    ]);
    expect(verdicts(await look('network', { env: { NODE_EXTRA_CA_CERTS: join(home, 'none') } }))).toEqual([
      `warn: NODE_EXTRA_CA_CERTS ${home}/none cannot be read`,
    ]);
    const direct = await look('network', { flags: { server: 'http://127.0.0.1:1' }, env });
    expect(direct[0]?.found).toBe(
      'the Server is reached directly; elsewhere proxy proxy.example.com:3128, from HTTPS_PROXY',
    );
  });
});
