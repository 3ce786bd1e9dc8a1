import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { bodyPieces } from './body-pieces.js';
import { UsedMemory } from './used-memory.js';

describe('bodyPieces', () => {
  it('gives the very pieces that were read, in order, and reads no further than it is asked', async () => {
    const given = Array.from({ length: 50 }, (_, index) => Buffer.from([index]));
    let read = 0;
    const body = new Readable({
      highWaterMark: 2,
      read() {
        this.push(given[read] ?? null);
        read += 1;
      },
    });
    const seen: Uint8Array[] = [];
    for await (const piece of bodyPieces(body)) {
      seen.push(piece);
      expect(read).toBeLessThanOrEqual(seen.length + 3);
    }
    expect(seen.every((piece, index) => piece === given[index])).toBe(true);
    expect(seen).toHaveLength(50);
  });

  it('fails as the body does, also when that is cut off, and lets go of it when nobody wants more', async () => {
    const failing = new Readable({ read: () => undefined });
    failing.push(Buffer.from('a'));
    const pieces = bodyPieces(failing);
    expect((await pieces.next()).value).toEqual(Buffer.from('a'));
    const next = pieces.next();
    failing.destroy(new Error('cut'));
    await expect(next).rejects.toThrow('cut');
    const failed = new Readable({ read: () => undefined });
    failed.on('error', () => undefined);
    failed.destroy(new Error('before'));
    await new Promise((resolve) => failed.once('close', resolve));
    await expect(bodyPieces(failed).next()).rejects.toThrow('before');
    const closed = new Readable({ read: () => undefined });
    const waiting = bodyPieces(closed).next();
    closed.destroy();
    await expect(waiting).rejects.toThrow('cut off');
    const left = new Readable({ read: () => undefined });
    left.push(Buffer.from('b'));
    for await (const piece of bodyPieces(left)) {
      expect(piece).toEqual(Buffer.from('b'));
      break;
    }
    expect(left.destroyed).toBe(true);
  });
});

describe('UsedMemory', () => {
  it('gives memory back at once, and leaves alone what may be shared', () => {
    const used = new UsedMemory();
    const buffer = new ArrayBuffer(64 * 1024);
    used.free(buffer);
    expect(buffer.byteLength).toBe(0);
    const pooled = Buffer.from('small').buffer;
    used.free(pooled);
    expect(pooled.byteLength).toBeGreaterThan(0);
    used.free(new SharedArrayBuffer(64 * 1024));
  });
});
