import { describe, expect, it } from 'vitest';
import { ContentFetcher, type Wanted } from './content-fetcher.js';
import { documentSettings, type DocumentOptions } from './document-options.js';
import type { FetchedContent } from './fetcher.js';

const WANTED: Wanted = {
  uri: 'test:page',
  purpose: 'page',
  accessUri: 'test:document',
  place: { uri: 'dpe://com.example.docs/report' },
  signal: undefined,
};

function fetcherOf(body: FetchedContent['body'], options: DocumentOptions = {}): ContentFetcher {
  const fetchers = { test: () => Promise.resolve({ body }) };
  return new ContentFetcher(documentSettings('http://server', { ...options, fetchers }), new AbortController().signal);
}

async function* piecesOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.byteLength; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** Gives one piece, then nothing any more; `left` says whether it was let go of. */
function hangingBody() {
  const told = { left: 0 };
  let tell: () => void;
  const asked = new Promise<void>((resolve) => (tell = resolve));
  const pieces = [new TextEncoder().encode('{')];
  const iterator = {
    next: () => {
      const value = pieces.shift();
      if (value !== undefined) return Promise.resolve({ done: false as const, value });
      tell();
      return new Promise<never>(() => undefined);
    },
    return: () => {
      told.left += 1;
      return new Promise<never>(() => undefined);
    },
  };
  return { told, asked, body: { [Symbol.asyncIterator]: () => iterator } };
}

describe('JSON that is fetched', () => {
  it.each([1, 2, 3, 5, 64])('is the same in pieces of %i bytes, whatever characters they cut', async (size) => {
    const value = { text: 'é 表 😀 é', keys: ['ö', '🧪'] };
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    expect((await fetcherOf(piecesOf(bytes, size)).json(WANTED)).value).toEqual(value);
  });

  it('is the same when it is larger than what is decoded at a time, and cut within characters', async () => {
    const value = Array.from({ length: 200_000 }, (_, index) => `表${index}é😀`);
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    expect(bytes.byteLength).toBeGreaterThan(3_000_000);
    expect((await fetcherOf(piecesOf(bytes, 65_537)).json(WANTED)).value).toEqual(value);
  });

  it.each([
    ['ends within a character', Uint8Array.of(0x22, 0xe8, 0xa1), 'it is no text in UTF-8'],
    ['is no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'it is no text in UTF-8'],
    ['is nothing', new Uint8Array(), 'it is empty'],
    ['stops early', new TextEncoder().encode('{"pages":['), 'it is no JSON'],
  ])('is refused when it %s', async (_, bytes, what) => {
    const error = { reason: 'not-json', message: expect.stringContaining(what) as string };
    await expect(fetcherOf(bytes).json(WANTED)).rejects.toMatchObject(error);
    await expect(fetcherOf(piecesOf(bytes, 2)).json(WANTED)).rejects.toMatchObject(error);
  });

  it('is let go of at the first piece that is too much', async () => {
    let given = 0;
    let isLeft = false;
    const body = (async function* () {
      try {
        for (; given < 100; given += 1) yield await Promise.resolve(new Uint8Array(10));
      } finally {
        isLeft = true;
      }
    })();
    await expect(fetcherOf(body, { maxFetchBytes: 25 }).json(WANTED)).rejects.toMatchObject({ reason: 'too-large' });
    expect(given).toBe(2);
    expect(isLeft).toBe(true);
  });

  it('is let go of when the caller gives up, though it hangs', async () => {
    const { told, asked, body } = hangingBody();
    const controller = new AbortController();
    const reading = fetcherOf(body).json({ ...WANTED, signal: controller.signal });
    await asked;
    controller.abort(new Error('changed my mind'));
    await expect(reading).rejects.toThrow('changed my mind');
    expect(told.left).toBe(1);
  });

  it('is let go of when its time is up, though it hangs', async () => {
    const { told, body } = hangingBody();
    const reading = fetcherOf(body, { fetchTimeoutMs: 20 }).json(WANTED);
    await expect(reading).rejects.toMatchObject({ reason: 'timeout' });
    expect(told.left).toBe(1);
  });

  it('is not waited for when the caller has given up before', async () => {
    const reading = fetcherOf(hangingBody().body).json({ ...WANTED, signal: AbortSignal.abort(new Error('before')) });
    await expect(reading).rejects.toThrow('before');
  });
});
