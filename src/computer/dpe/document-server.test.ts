import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { DocumentServer } from './document-server.js';
import { DocumentStore } from './document-store.js';
import { SignedUrls } from './signed-urls.js';

const SIZE = 30_000_000;

/** Settled when a document has been read, as far as it was. */
async function whenRead(store: DocumentStore): Promise<void> {
  const read = store.read.bind(store);
  await new Promise<void>((resolve) => {
    vi.spyOn(store, 'read').mockImplementation(async (name) => {
      const file = await read(name);
      if (file === undefined) return undefined;
      const close = async (): Promise<void> => {
        await file.close();
        resolve();
      };
      return { ...file, close };
    });
  });
}

describe('DocumentServer', () => {
  it.each([
    ['reads too slowly', 1e12, true],
    ['does not end its request', 1, false],
  ])('cuts off who %s', async (_what, minBytesPerSecond, isWhole) => {
    const now = Date.now;
    const store = new DocumentStore();
    const urls = new SignedUrls(undefined, now);
    const options = {
      store,
      urls,
      corsOrigins: '*',
      maxConnections: 5,
      minBytesPerSecond,
      patienceMs: 200,
      now,
    } as const;
    const server = await DocumentServer.listen(options, { host: '127.0.0.1', port: 0 });
    try {
      const chunks = (): Iterable<Uint8Array> => [Buffer.alloc(SIZE)];
      const document = { kind: 'inline', mimeType: undefined, size: SIZE, chunks } as const;
      const { name } = await store.put(document, new AbortController().signal);
      const letGo = whenRead(store);
      const uri = new URL(urls.sign('http://h', { name, mimeType: undefined, expiresAt: now() + 60_000 }));
      const socket = connect(server.port, '127.0.0.1');
      socket.write(`GET ${uri.pathname}${uri.search} HTTP/1.1\r\nhost: x\r\n${isWhole ? '\r\n' : ''}`);
      const closed = once(socket, 'close');
      await once(socket, 'readable');
      // What has been sent is taken only once the server must have given up.
      if (isWhole) await letGo;
      socket.resume();
      await closed;
      expect(socket.bytesRead).toBeLessThan(SIZE);
    } finally {
      await server.close();
      await store.close();
    }
  });
});
