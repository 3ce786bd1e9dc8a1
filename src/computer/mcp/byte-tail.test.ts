import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteTail } from './byte-tail.js';

describe('ByteTail', () => {
  it('keeps the last bytes, in whatever pieces they came', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.integer({ min: 1, max: 60 }), (pieces, limit) => {
        const tail = new ByteTail(limit);
        for (const piece of pieces) tail.push(Buffer.from(piece));
        const all = Buffer.concat(pieces);
        expect(tail.seen).toBe(all.length);
        expect(tail.bytes().equals(all.subarray(-limit))).toBe(true);
      }),
    );
  });

  it('keeps no more for a stream of small pieces that does not end [F-B-stderr-bounded]', () => {
    const tail = new ByteTail(1_000);
    for (let index = 0; index < 100_000; index += 1) tail.push(Buffer.from('0123456789'));
    expect(tail.bytes()).toHaveLength(1_000);
    expect(tail.bytes().buffer.byteLength).toBeLessThan(100_000);
    expect(tail.seen).toBe(1_000_000);
  });

  it('keeps no large piece whole', () => {
    const tail = new ByteTail(1_000);
    tail.push(Buffer.alloc(10_000_000, 'x'));
    tail.push(Buffer.from('end'));
    expect(tail.bytes().toString()).toBe(`${'x'.repeat(997)}end`);
    expect(tail.bytes().buffer.byteLength).toBeLessThan(100_000);
  });
});
