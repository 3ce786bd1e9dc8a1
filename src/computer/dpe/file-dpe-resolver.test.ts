import { Buffer } from 'node:buffer';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileDpeResolver } from './file-dpe-resolver.js';

const { signal } = new AbortController();
const none = { mimeType: undefined };
let base = '';

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'file-dpe-'));
});
afterEach(async () => {
  await rm(base, { recursive: true });
});

describe('FileDpeResolver', () => {
  it('writes text as it is to a file that only this user can read, in a folder likewise', async () => {
    const folder = join(base, 'cache');
    await mkdir(folder, { mode: 0o755 });
    await using resolver = new FileDpeResolver({ folder });
    const contents = [{ uri: 'dpe://h/../../etc', text: 'äö', mimeType: 'application/json' }];
    const { uri, mimeType, size } = await resolver.resolve('dpe://h/../../etc', contents, none, { signal });
    expect({ mimeType, size }).toEqual({ mimeType: 'application/json', size: 4 });
    const path = fileURLToPath(uri);
    expect(dirname(path)).toBe(folder);
    expect(await readFile(path, 'utf8')).toBe('äö');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('writes blobs, takes the MIME type from the hint, and keeps one file for one content', async () => {
    await using resolver = new FileDpeResolver({ folder: base });
    const contents = [
      { uri: 'x', note: 1 },
      { uri: 'y', blob: Buffer.from([0, 255]).toString('base64') },
    ];
    const hint = { mimeType: 'application/pdf' };
    const one = await resolver.resolve('dpe://h/1', contents, hint, { signal });
    const two = await resolver.resolve('dpe://h/2', contents, hint, { signal });
    expect(one).toEqual(two);
    expect(one).toMatchObject({ mimeType: 'application/pdf', size: 2 });
    expect(await readdir(base)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.pdf$/)]);
  });

  it('removes a folder of its own when it is closed, and then resolves no more', async () => {
    const resolver = new FileDpeResolver();
    const { uri } = await resolver.resolve('dpe://h/1', [{ text: 'x' }], none, { signal });
    await resolver.close();
    await resolver.close();
    await expect(stat(dirname(fileURLToPath(uri)))).rejects.toThrow('ENOENT');
    await expect(resolver.resolve('dpe://h/1', [{ text: 'x' }], none, { signal })).rejects.toThrow('closed');
  });

  it('refuses what has no bytes, a link in place of the folder, and an aborted request', async () => {
    await symlink(base, `${base}-link`);
    try {
      const linked = new FileDpeResolver({ folder: `${base}-link` });
      await expect(linked.resolve('dpe://h/1', [{ text: 'x' }], none, { signal })).rejects.toThrow('not a folder');
    } finally {
      await rm(`${base}-link`);
    }
    const resolver = new FileDpeResolver({ folder: base });
    await expect(resolver.resolve('dpe://h/1', [{ uri: 'x' }], none, { signal })).rejects.toThrow('neither');
    const aborted = AbortSignal.abort();
    await expect(resolver.resolve('dpe://h/1', [{ text: 'x' }], none, { signal: aborted })).rejects.toThrow();
    expect(await readdir(base)).toEqual([]);
  });
});
