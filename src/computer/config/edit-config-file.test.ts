import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.js';
import { editConfigFile } from './edit-config-file.js';
import { pathOfServer } from './server-path.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-edit-'));
  file = join(folder, 'mcp.json');
});
afterEach(() => rm(folder, { recursive: true }));

describe('a change of a configuration file', () => {
  it.each(['servers', 'mcpServers', 'mcp.servers'])(
    'finds a server in the form of %s and keeps the rest',
    async (form) => {
      const [open, close] = form === 'mcp.servers' ? ['{ "mcp": {', '} }'] : ['{', '}'];
      const text = (meta: string): string =>
        `${open} // mine\n  "${form.replace('mcp.', '')}": {\n    "f/1": { "command": "x"${meta} }, // kept\n  },\n${close}\n`;
      await writeFile(file, text(''));
      const allow = (): Promise<boolean> =>
        editConfigFile(file, (document) => [
          { path: [...(pathOfServer(document, 'f/1') ?? []), 'tool_meta', 'read', 'auto_apply'], value: true },
        ]);
      expect(await allow()).toBe(true);
      expect(await readFile(file, 'utf8')).toBe(text(', "tool_meta": { "read": { "auto_apply": true } }'));
      expect(await allow()).toBe(false);
    },
  );

  it('finds no server that is not there', () => {
    for (const document of [{}, null, [], { servers: [] }, { servers: {} }, { mcp: { servers: { b: {} } } }]) {
      expect(pathOfServer(document, 'a')).toBeUndefined();
      expect(pathOfServer(document, 'toString')).toBeUndefined();
    }
  });

  it.skipIf(process.platform === 'win32')(
    'keeps the mode, follows links and leaves nothing beside the file',
    async () => {
      const link = join(folder, 'link.json');
      await writeFile(file, '{}');
      await chmod(file, 0o640);
      await symlink('mcp.json', link);
      await editConfigFile(link, [{ path: ['servers', 'a', 'command'], value: 'x' }]);
      expect((await stat(file)).mode & 0o777).toBe(0o640);
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ servers: { a: { command: 'x' } } });
      expect((await readdir(folder)).sort()).toEqual(['link.json', 'mcp.json']);
    },
  );

  it('loses none of many changes at once', async () => {
    await writeFile(file, '{}');
    const names = Array.from({ length: 10 }, (_, index) => `s${index}`);
    await Promise.all(names.map((name) => editConfigFile(file, [{ path: ['servers', name, 'command'], value: name }])));
    const { servers } = JSON.parse(await readFile(file, 'utf8')) as { servers: object };
    expect(Object.keys(servers).sort()).toEqual(names);
  });

  it.skipIf(process.platform === 'win32')('makes a file where it may, for its owner alone', async () => {
    const edits = [{ path: ['servers', 'a', 'command'], value: 'x' }];
    await expect(editConfigFile(file, edits)).rejects.toThrow('there is no such file');
    await editConfigFile(file, edits, { create: true });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe('{\n  "servers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n');
    await symlink('nowhere', join(folder, 'dangling'));
    await expect(editConfigFile(join(folder, 'dangling'), edits, { create: true })).rejects.toThrow('is a link');
  });

  it('leaves a file alone that does not parse, and says where', async () => {
    await writeFile(file, '{\n  "servers": {,}\n}');
    const failure = await editConfigFile(file, [{ path: ['a'], value: 1 }]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect((failure as Error).message).toContain('mcp.json: not valid JSON at line 2, column 15');
    expect(await readFile(file, 'utf8')).toBe('{\n  "servers": {,}\n}');
    expect(await readdir(folder)).toEqual(['mcp.json']);
  });

  it('says that it cannot be written', async () => {
    await writeFile(file, '{}');
    // Nobody can make a file below a file, root neither.
    const change = editConfigFile(join(file, 'x.json'), [{ path: ['a'], value: 1 }], { create: true });
    await expect(change).rejects.toThrow('cannot be changed (ENOTDIR)');
    expect(await readFile(file, 'utf8')).toBe('{}');
  });
});
