import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HttpDpeResolver } from '../../computer/index.js';
import { openDocuments } from './documents-flag.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-flag-'));
  await writeFile(join(folder, 'file'), '');
});
beforeEach(() => {
  vi.stubEnv('A2C_CACHE_DIR', join(folder, 'cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('--documents', () => {
  it.each<[string, boolean, RegExp]>([
    ['http', false, /^http:\/\/127\.0\.0\.1:\d+$/],
    ['http:localhost:0', false, /^http:\/\/localhost:\d+$/],
    ['http:[::1]:0', false, /^http:\/\/\[::1\]:\d+$/],
    ['http:127.0.0.2:0', true, /^http:\/\/127\.0\.0\.2:\d+$/],
  ])('%s serves them', async (documents, insecure, url) => {
    await using resolver = await openDocuments({ documents, insecure });
    expect(resolver).toBeInstanceOf(HttpDpeResolver);
    expect((resolver as HttpDpeResolver).url).toMatch(url);
  });

  it.each(['file', 'http'])(
    '%s keeps them in the cache of this program, as long as the Computer runs',
    async (documents) => {
      const resolver = await openDocuments({ documents });
      expect(await readdir(join(folder, 'cache'))).toEqual([expect.stringMatching(/^a2c-documents-/)]);
      await resolver?.[Symbol.asyncDispose]();
      expect(await readdir(join(folder, 'cache'))).toEqual([]);
    },
  );

  it('keeps them among the temporary files where there can be no cache', async () => {
    vi.stubEnv('A2C_CACHE_DIR', join(folder, 'file', 'cache'));
    await using resolver = await openDocuments({ documents: 'file' });
    expect(resolver).not.toBeNull();
  });

  it.each([
    ['tape', /^--documents: expected file\[:DIR\] or http\[:HOST:PORT\].*, got "tape"$/],
    ['file:', /^--documents: expected file\[:DIR\], got "file:"$/],
    ['http:', /^--documents: expected http\[:HOST:PORT\], got "http:"$/],
    ['http:localhost', /^--documents http: expected http\[:HOST:PORT\]/],
    ['http:localhost:x', /^--documents http: expected http/],
    ['http:localhost:70000', /^--documents http: expected http.*65535/],
    ['http:::1:80', /^--documents http: expected http/],
    ['http:0.0.0.0:0', /^--documents http: expected an address that Agents reach, not 0\.0\.0\.0$/],
    ['http:192.0.2.1:0', /^--documents http: 192\.0\.2\.1 is reachable from other machines.*--insecure$/],
    ['http:none.invalid:0', /^--documents http: none\.invalid is reachable/],
  ])('%s is refused', async (documents, message) => {
    await expect(openDocuments({ documents })).rejects.toThrow(message);
  });

  it('says what is wrong with a folder or a port before the Computer starts', async () => {
    await expect(openDocuments({ documents: `file:${folder}/file` })).rejects.toThrow(/^--documents file: /);
    await using other = await HttpDpeResolver.listen();
    const { port } = new URL(other.url);
    const taken = openDocuments({ documents: `http:127.0.0.1:${port}` });
    await expect(taken).rejects.toThrow(/^--documents http: .*EADDRINUSE/);
    await expect(openDocuments({ documents: 'http:192.0.2.1:0', insecure: true })).rejects.toThrow(/EADDRNOTAVAIL/);
  });
});
