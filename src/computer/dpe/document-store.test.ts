import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { documentSource, type InlineDocument } from './document-source.js';
import { DocumentStore } from './document-store.js';
import { PrivateFolder } from './private-folder.js';

const { signal } = new AbortController();
const MINUTE = 60_000;
let base = '';
let now = 0;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'document-store-'));
  now = Date.now();
});
afterEach(async () => {
  await rm(base, { recursive: true });
});

function inline(text: string): InlineDocument {
  return { kind: 'inline', mimeType: 'text/plain', size: text.length, chunks: () => [Buffer.from(text)] };
}

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

const clock = (): number => now;

describe('DocumentStore', () => {
  it('keeps one file for one content, whether it comes whole or in pieces, and names it in the same way', async () => {
    await using store = ownStore();
    const one = await store.put(inline('abc'), signal);
    const two = await store.putStream(pieces('a', 'bc'), { mimeType: 'text/plain', signal });
    expect(two).toEqual(one);
    expect(await readdir(base)).toEqual([one.name]);
    expect(await readFile(one.path, 'utf8')).toBe('abc');
    expect((await stat(one.path)).mode & 0o777).toBe(0o600);
  });

  it('refuses what is too large, before or while it is written, and leaves nothing of it', async () => {
    await using store = ownStore({ maxDocumentBytes: 4 });
    await expect(store.put(inline('abcde'), signal)).rejects.toThrow(/limit of 4 bytes/);
    await expect(store.putStream(pieces('abc', 'de'), { mimeType: undefined, signal })).rejects.toThrow(/limit of 4/);
    const failing = (async function* (): AsyncGenerator<Uint8Array> {
      yield* pieces('a');
      throw new Error('cut');
    })();
    await expect(store.putStream(failing, { mimeType: undefined, signal })).rejects.toThrow('cut');
    const ended = { mimeType: undefined, signal: AbortSignal.abort() };
    await expect(store.putStream(pieces('a'), ended)).rejects.toThrow();
    expect(await readdir(base)).toEqual([]);
  });

  it('makes room by removing what is unused for longest, never what was just given out or is being read', async () => {
    await using store = ownStore({ maxTotalBytes: 8 });
    const first = await store.put(inline('1111'), signal);
    now += 2 * MINUTE;
    const second = await store.put(inline('2222'), signal);
    await expect(store.put(inline('33333'), signal)).rejects.toThrow(/full/);
    now += 2 * MINUTE;
    expect(store.isThere(first)).toBe(true);
    const third = await store.put(inline('3333'), signal);
    expect((await readdir(base)).sort()).toEqual([first.name, third.name].sort());
    expect(store.isThere(second)).toBe(false);

    now += 2 * MINUTE;
    const reading = await store.read(first.name);
    const fourth = await store.put(inline('4444'), signal);
    expect((await readdir(base)).sort()).toEqual([first.name, fourth.name].sort());
    await reading?.close();
    now += 2 * MINUTE;
    await store.put(inline('5555'), signal);
    expect(store.isThere(first)).toBe(false);
  });

  it('removes what nobody asked for in time, also what another process left, and no file that is not its own', async () => {
    const old = now / 1000 - 3600 * 30;
    const kept = ['notes.txt', `${'b'.repeat(64)}.json`, 'new.part'];
    for (const name of [...kept, `${'a'.repeat(64)}.json`, 'old.part']) await writeFile(join(base, name), 'x');
    for (const name of ['notes.txt', `${'a'.repeat(64)}.json`, 'old.part']) await utimes(join(base, name), old, old);
    await using store = ownStore();
    const { name } = await store.put(inline('abc'), signal);
    expect((await readdir(base)).sort()).toEqual([...kept, name].sort());
    now += 25 * 60 * MINUTE;
    await store.put(inline('def'), signal);
    expect(await readdir(base)).not.toContain(name);
  });

  it('tells a document that comes again from one of the same characters that is another', async () => {
    await using store = ownStore();
    const given = (content: JsonObject): InlineDocument => {
      const source = documentSource('dpe://h/1', [content], { mimeType: undefined });
      if (source.kind !== 'inline') throw new Error('not inline');
      return source;
    };
    const contents = [{ text: 'abcd' }, { blob: 'abcd' }, { text: 'abcd', mimeType: 'text/plain' }];
    const first = await Promise.all(contents.map((content) => store.put(given(content), signal)));
    expect(first.map(({ size }) => size)).toEqual([4, 3, 4]);
    expect(new Set(first.map(({ name }) => name)).size).toBe(3);
    for (const [index, content] of contents.entries()) {
      expect(await store.put(given(content), signal)).toEqual(first[index]);
    }
    await rm(first[0]?.path ?? '');
    const again = await store.put(given({ text: 'abcd' }), signal);
    expect(await readFile(again.path, 'utf8')).toBe('abcd');
  });

  it('writes a file anew that is not whole, and reads only what is in the folder', async () => {
    await using store = ownStore();
    const { path, name } = await store.put(inline('abc'), signal);
    await writeFile(path, 'a');
    await store.put(inline('abc'), signal);
    expect(await readFile(path, 'utf8')).toBe('abc');
    for (const other of ['', '..', `../${base}/${name}`, `${name}/`, 'a'.repeat(64), `${'c'.repeat(64)}.json`]) {
      expect(await store.read(other)).toBeUndefined();
    }
  });

  it('lets several processes use one folder at the same time', async () => {
    await using one = ownStore();
    await using two = ownStore();
    const texts = Array.from({ length: 20 }, (_, index) => String(index % 5));
    const stored = await Promise.all(
      texts.map((text, index) => (index % 2 === 0 ? one : two).put(inline(text), signal)),
    );
    expect(new Set(stored.map((document) => document.name)).size).toBe(5);
    expect(await readdir(base)).toHaveLength(5);
  });

  it.each(['maxDocumentBytes', 'maxTotalBytes', 'maxAgeMs'])('refuses %s that is no limit', (name) => {
    expect(() => new DocumentStore({ [name]: 0 })).toThrow(name);
    expect(() => new DocumentStore({ [name]: Number.NaN })).toThrow(name);
  });

  function ownStore(limits = {}): DocumentStore & AsyncDisposable {
    const store = new DocumentStore({ folder: base, ...limits }, clock);
    return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
  }
});

describe('The temporary folder of a process', () => {
  const DAY_AGO = Date.now() / 1000 - 25 * 3600;

  /** As a process left it. */
  async function leave(name: string, marker: string | undefined, seconds: number): Promise<void> {
    const folder = join(base, name);
    await mkdir(folder);
    await writeFile(join(folder, 'document.json'), '{}');
    if (marker !== undefined) {
      await writeFile(join(folder, '.owner'), marker);
      await utimes(join(folder, '.owner'), seconds, seconds);
    }
    await utimes(folder, seconds, seconds);
  }

  it('goes with those that ended processes left, when they are old; others stay', async () => {
    const ended = String(spawnSync(process.execPath, ['-e', '']).pid);
    await leave('a2c-documents-old', ended, DAY_AGO);
    await leave('a2c-documents-unmarked', undefined, DAY_AGO);
    await leave('a2c-documents-strange', 'x', DAY_AGO);
    await leave('a2c-documents-new', ended, Date.now() / 1000);
    await leave('a2c-documents-alive', String(process.pid), DAY_AGO);
    await leave('a2c-documents-starting', undefined, Date.now() / 1000);
    await leave('others', ended, DAY_AGO);
    const folder = await PrivateFolder.temporary(base);
    const stay = ['a2c-documents-alive', 'a2c-documents-new', 'a2c-documents-starting', 'others'];
    expect((await readdir(base)).map((name) => join(base, name)).sort()).toEqual(
      [...stay.map((name) => join(base, name)), folder.path].sort(),
    );
    await folder.close();
    expect((await readdir(base)).sort()).toEqual(stay);
  });
});
