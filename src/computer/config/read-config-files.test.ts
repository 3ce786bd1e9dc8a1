import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.js';
import { readConfigFiles } from './read-config-files.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-config-'));
  await writeFile(join(folder, 'one.json'), '{"servers":{"a":{"command":"x"},"b":{"command":"x"}}}');
  await writeFile(join(folder, 'two.json'), '\uFEFF{"mcpServers":{"a":{"url":"http://h"}},}');
  await writeFile(join(folder, 'broken.json'), '{"servers":{"a":{"command":7}}}');
  await writeFile(join(folder, 'utf16.json'), Buffer.from('{}', 'utf16le'));
  await writeFile(join(folder, 'utf16-bom.json'), Buffer.from('\uFEFF{}', 'utf16le'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('readConfigFiles', () => {
  it('merges files in order, later ones over earlier ones', async () => {
    const { servers } = await readConfigFiles([join(folder, 'one.json'), join(folder, 'two.json')]);
    expect([...servers].map(([name, { config }]) => [name, config.type])).toEqual([
      ['a', 'streamable'],
      ['b', 'stdio'],
    ]);
    expect((await readConfigFiles([])).servers.size).toBe(0);
  });

  it.each([
    ['broken.json', 'servers.a.command: expected a string, got a number'],
    ['none.json', 'there is no such file'],
    ['.', 'cannot be read (EISDIR)'],
    ['utf16.json', 'the file is not in UTF-8; save it as UTF-8'],
    ['utf16-bom.json', 'the file is not in UTF-8; save it as UTF-8'],
  ])('names the file that cannot be used: %s', async (name, problem) => {
    const file = join(folder, name);
    const failure: unknown = await readConfigFiles([join(folder, 'one.json'), file]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect((failure as ConfigError).message).toBe(
      [file, problem].join(': ') + (name === 'broken.json' ? '; put it in quotes' : ''),
    );
  });
});
