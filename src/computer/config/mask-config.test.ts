import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mcpServerConfigSchema, mcpServerInputSchema, type JsonObject } from '../../protocol/index.js';
import { maskServerConfig, maskText, secretsOf } from './mask-config.js';
import { maskInput } from './mask-input.js';

interface Vectors {
  readonly cases: readonly { source: JsonObject; shown: JsonObject }[];
  readonly inputs: readonly { source: JsonObject; shown: JsonObject }[];
}
const vectors = JSON.parse(
  readFileSync(new URL('../../../test-vectors/config-masking.json', import.meta.url), 'utf8'),
) as Vectors;

function stdio(parameters: JsonObject, rest: JsonObject = {}): JsonObject {
  const config = mcpServerConfigSchema.parse({ name: 'a', type: 'stdio', server_parameters: parameters, ...rest });
  return maskServerConfig(config);
}

describe('maskServerConfig', () => {
  it.each(vectors.cases.map((row, index) => ({ ...row, index })))(
    'shows vector $index as given [R-7.1-masking]',
    ({ source, shown }) => {
      const config = mcpServerConfigSchema.parse({ name: 'a', ...source });
      expect(maskServerConfig(config).server_parameters).toMatchObject(shown);
    },
  );

  it.each(vectors.inputs)('shows the input $source.id as given', ({ source, shown }) => {
    expect(maskInput(mcpServerInputSchema.parse(source))).toEqual(shown);
  });

  it.each([
    [
      ['-e', 'API_KEY=abc', 'run'],
      ['-e', 'API_KEY=******', 'run'],
    ],
    [
      ['--header', 'Authorization: Bearer abc'],
      ['--header', 'Authorization: ******'],
    ],
    [
      ['--header', 'Authorization: Bearer ${input:x}'],
      ['--header', 'Authorization: Bearer ${input:x}'],
    ],
    [
      ['--auth', '--verbose'],
      ['--auth', '--verbose'],
    ],
    [
      ['--token', '-abc'],
      ['--token', '******'],
    ],
    [
      ['--db', 'postgres://u:p@h/db'],
      ['--db', 'postgres://******@h/db'],
    ],
    [['--db=postgres://${input:a/b@c}:p@h/db?x=${input:q?#}'], ['--db=postgres://******@h/db?x=${input:q?#}']],
    [['https://h/cb#access_token=abc'], ['https://h/cb#******']],
    [
      ['--author', 'ann', '--keyboard', 'us'],
      ['--author', 'ann', '--keyboard', 'us'],
    ],
    [
      ['--token', 'QWJjZGVm=='],
      ['--token', '******'],
    ],
  ])('masks the arguments %j', (args, shown) => {
    expect(stdio({ command: 'x', args })['server_parameters']).toMatchObject({ args: shown });
  });

  it('masks texts in fields it does not know, at both levels', () => {
    const shown = stdio({ command: 'x', vault: { path: 'abc', n: 1 } }, { oauth: { client_secret: 'abc', on: true } });
    expect(shown).toMatchObject({ oauth: { client_secret: '******', on: true } });
    expect(shown['server_parameters']).toMatchObject({ vault: { path: '******', n: 1 } });
  });

  it('leaves its argument alone', () => {
    const config = mcpServerConfigSchema.parse({
      name: 'a',
      type: 'stdio',
      server_parameters: { command: 'x', env: { A: 'abc' } },
    });
    maskServerConfig(config);
    expect(config.server_parameters).toMatchObject({ env: { A: 'abc' } });
  });

  it.each([
    [{ type: 'promptString', password: true, default: '${env:TOKEN}' }, {}],
    [{ type: 'promptString', password: true, default: 'a-${env:TOKEN}' }, { default: '******' }],
    [{ type: 'promptString', default: 'db://u:p@h/${env:X}' }, { default: 'db://******@h/${env:X}' }],
    [{ type: 'pickString', options: ['a'], default: '${input:x}' }, {}],
    [{ type: 'promptString', vault: { path: 'abc', n: 1 } }, { vault: { path: '******', n: 1 } }],
    [{ type: 'command', command: 'pass', args: ['${env:X}'], timeout: 'PT9S', shell: true }, {}],
    [{ type: 'command', command: 'C:\\bin\\pass.exe', shell: true }, {}],
    [{ type: 'command', command: 'curl -u a:b h', shell: true }, { command: '******' }],
    [{ type: 'command', command: 'TOKEN=abc', shell: true }, { command: '******' }],
    [{ type: 'command', command: '${env:TOOLS}/pass' }, {}],
  ])('shows of the input %j its placeholders, its time and shell, but no secret', (source, masked) => {
    const input = mcpServerInputSchema.parse({ id: 'a', description: 'd', ...source });
    expect(maskInput(input)).toEqual({ ...input, ...masked });
  });

  it('masks secret arguments of a command input', () => {
    const base = { id: 'a', type: 'command', description: '', command: 'vault' };
    expect(maskInput(mcpServerInputSchema.parse({ ...base, args: ['--token', 'abc'] }))).toMatchObject({
      args: ['--token', '******'],
    });
    expect(maskInput(mcpServerInputSchema.parse({ ...base, args: { '--token': 'abc', read: 'path' } }))).toMatchObject({
      args: { '--token': '******', read: 'path' },
    });
  });
});

describe('maskText', () => {
  it.each([
    ['${input:a}', '${input:a}'],
    ['Bearer ${input:a}', 'Bearer ${input:a}'],
    ['${input:a}:${input:b}', '${input:a}:${input:b}'],
    ['${env:a b/@}', '${env:a b/@}'],
    ['Bearer ${env:A}', 'Bearer ${env:A}'],
    ['abc ${env:A}', '******'],
    ['${env:}', '******'],
    ['${Env:A}', '******'],
    ['abc ${input:a}', '******'],
    ['${input:}', '******'],
    ['', '******'],
  ])('shows %j as %j', (text, shown) => {
    expect(maskText(text)).toBe(shown);
  });
});

describe('secretsOf', () => {
  it('collects everything that masking hides, in the readings in which programs report it', () => {
    const secrets = secretsOf(
      mcpServerConfigSchema.parse({
        name: 'a',
        type: 'streamable',
        server_parameters: {
          url: 'https://us%40er:p%C3%A4ss@h/?token=query-1',
          headers: { Authorization: 'Bearer header-1', 'X-Db': 'postgres://dbuser:dbpass@h/db' },
        },
      }),
    );
    expect(secrets).toEqual(
      expect.arrayContaining(['us%40er', 'us@er', 'päss', 'query-1', 'header-1', 'dbuser', 'dbpass']),
    );
  });

  it('leaves out what messages must be able to name', () => {
    const env = { PATH: '/opt/tools/bin', LC_ALL: 'de_DE.UTF-8', TOKEN: 'token-1' };
    const config = { name: 'a', type: 'stdio', server_parameters: { command: 'x', env } };
    expect(secretsOf(mcpServerConfigSchema.parse(config))).toEqual(['token-1']);
  });
});
