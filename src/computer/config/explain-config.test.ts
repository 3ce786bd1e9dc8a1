import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Canaries } from '../../../test/support/canaries.js';
import { checkVrlScripts } from './check-vrl-scripts.js';
import { explainConfig } from './explain-config.js';
import { readConfig } from './parse-config.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-explain-'));
  await writeFile(join(folder, 'tool'), '#!/bin/sh\n');
  await chmod(join(folder, 'tool'), 0o755);
  await writeFile(join(folder, 'data'), '');
});
afterAll(() => rm(folder, { recursive: true }));

const explain = (value: unknown, env: Record<string, string> = {}): ReturnType<typeof explainConfig> =>
  explainConfig(readConfig(value), { env: { PATH: folder, ...env } });
const problems = (value: unknown): string[][] => explain(value).warnings.map(({ field, problem }) => [field, problem]);

describe.skipIf(process.platform === 'win32')('the explanation of a configuration', () => {
  it('says what starts, what stands where, and where values come from', () => {
    const value = {
      inputs: [
        { id: 'env', type: 'promptString' },
        { id: 'typed', type: 'promptString', password: true },
        { id: 'usual', type: 'pickString', options: ['a'], default: 'a' },
        { id: 'made', type: 'command', command: 'x', args: ['${input:env}'] },
      ],
      servers: {
        a: {
          command: 'tool',
          args: ['${input:made}', '${env:SET}', '${env:UNSET}'],
          forbidden_tools: ['f'],
          default_tool_meta: { auto_apply: true },
          tool_meta: { t: { auto_apply: false }, u: { auto_apply: true, alias: 'v' } },
        },
        b: { url: 'https://h/${input:typed}', disabled: true, vrl: '.' },
        c: { command: '${input:usual}' },
        d: { command: 'nowhere', env: { PATH: '/none' } },
      },
    };
    const { servers, inputs } = explain(value, { A2C_SMCP_ENV: 'x', SET: '' });
    expect(servers).toMatchObject([
      {
        name: 'a',
        type: 'stdio',
        disabled: false,
        target: 'tool ${input:made} ${env:SET} ${env:UNSET}',
        program: join(folder, 'tool'),
        inputs: ['made'],
        variables: [
          { name: 'SET', isSet: true },
          { name: 'UNSET', isSet: false },
        ],
        forbiddenTools: ['f'],
        autoApply: { everyTool: true, tools: { t: false } },
        hasVrl: false,
      },
      {
        name: 'b',
        type: 'streamable',
        sseFallback: true,
        disabled: true,
        target: 'https://h/${input:typed}',
        hasVrl: true,
      },
      { name: 'c', target: '${input:usual}' },
      { name: 'd', program: null },
    ]);
    expect(servers[2]).not.toHaveProperty('program');
    expect(inputs).toEqual([
      { id: 'env', type: 'promptString', variable: 'A2C_SMCP_ENV', source: 'environment', servers: ['a'] },
      { id: 'typed', type: 'promptString', variable: 'A2C_SMCP_TYPED', source: 'person', servers: ['b'] },
      { id: 'usual', type: 'pickString', variable: 'A2C_SMCP_USUAL', source: 'person-or-default', servers: ['c'] },
      { id: 'made', type: 'command', variable: 'A2C_SMCP_MADE', source: 'command', servers: ['a'] },
    ]);
  });

  it.each<[object, string, string]>([
    [{ command: 'nowhere' }, 'servers.s.command', 'the program is not found; install it, or write its whole path'],
    [{ command: './data' }, 'servers.s.command', 'the program is not found; install it, or write its whole path'],
    [{ command: 'tool', args: ['${env:NONE}'] }, 'servers.s', '${env:NONE} is not set in the environment'],
    [
      { command: 'tool', args: ['${input:tokn}'] },
      'servers.s',
      '${input:tokn} has no definition in "inputs"; did you mean "token"?',
    ],
    [{ url: 'nope' }, 'servers.s.url', 'expected an http: or https: URL'],
    [{ url: 'ftp://example.com/mcp' }, 'servers.s.url', 'expected an http: or https: URL'],
    [{ command: 'tool', cwd: '/none' }, 'servers.s.cwd', 'there is no such folder'],
    [{ command: 'tool', envFile: '/none' }, 'servers.s.envFile', 'there is no such file'],
    [
      { command: 'tool', env: { API_KEY: 'secret' } },
      'servers.s.env',
      'the value of "API_KEY" may be a secret: make it an input and write ${input:ID}',
    ],
    [{ command: 'tool', agrs: [] }, 'servers.s.agrs', '"agrs" is not a known field; did you mean "args"?'],
  ])('warns of %j', (server, field, problem) => {
    const inputs = [{ id: 'token', type: 'promptString' }];
    expect(problems({ inputs, servers: { s: server, u: { command: 'tool', args: ['${input:token}'] } } })).toEqual([
      [field, problem],
    ]);
  });

  it.each<[object, string]>([
    [{ id: 'x', type: 'promptString' }, 'no server uses the input "x"'],
    [{ id: 'i', type: 'promptString', default: '${input:i}' }, 'the input "i" needs its own value: i → i'],
    [{ id: 'i', type: 'promptString', default: '${input:j}' }, '${input:j} has no definition in "inputs"'],
    [
      { id: 'i', type: 'promptString', password: true, default: 'secret' },
      'the default of the password "i" stands in the file for everybody who reads it',
    ],
  ])('warns of the input %j', (input, problem) => {
    const servers = { s: { command: 'tool', args: (input as { id: string }).id === 'i' ? ['${input:i}'] : [] } };
    expect(problems({ inputs: [input], servers })).toEqual([['inputs[0]', problem]]);
  });

  it('shows no secret', () => {
    const canaries = new Canaries();
    const secret = (name: string): string => canaries.plant(name);
    const value = {
      inputs: [
        { id: 'p', type: 'promptString', password: true, default: secret('default') },
        { id: 'c', type: 'command', command: 'x', args: ['--token', secret('argument of an input')] },
      ],
      servers: {
        a: { command: 'tool', args: [`--key=${secret('argument')}`, '${input:p}'], env: { A: secret('env') } },
        b: { url: `https://u:${secret('userinfo')}@h/?q=${secret('query')}`, headers: { X: secret('header') } },
      },
    };
    const shown = JSON.stringify(explain(value, { A2C_SMCP_P: secret('environment') }));
    expect(shown).toContain('******');
    expect(canaries.in(shown)).toEqual([]);
  });

  it('says which VRL scripts do not compile', async () => {
    const server = (vrl: string): object => ({ command: 'x', vrl });
    const config = readConfig({
      servers: { good: server('.a = 1'), bad: server('.a = nope('), none: { command: 'x' } },
    });
    expect(await checkVrlScripts(config)).toEqual([
      { server: 'bad', problem: expect.stringMatching(/line 1/) as string },
    ]);
  });
});
