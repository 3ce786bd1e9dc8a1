import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeeperThan, isJsonObject, jsonByteLength } from './index.js';

describe('isJsonObject', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [Object.create(null), true],
    [JSON.parse('{"__proto__":1}'), true],
    [[], false],
    [null, false],
    [undefined, false],
    ['{}', false],
    [new Uint8Array(1), false],
    [new ArrayBuffer(1), false],
    [Buffer.from('a'), false],
  ])('%o: %s', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});

describe('isDeeperThan', () => {
  it('counts objects and lists, not scalars or binary', () => {
    expect(isDeeperThan(1, 0)).toBe(false);
    expect(isDeeperThan(new Uint8Array(1), 0)).toBe(false);
    expect(isDeeperThan({}, 0)).toBe(true);
    expect(isDeeperThan({}, 1)).toBe(false);
    expect(isDeeperThan({ a: 1, b: [1] }, 1)).toBe(true);
    expect(isDeeperThan({ a: 1, b: [1] }, 2)).toBe(false);
  });

  it('sees what stands under __proto__', () => {
    expect(isDeeperThan(JSON.parse('{"__proto__":{"__proto__":{}}}'), 2)).toBe(true);
  });

  it('agrees with a count of the brackets', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 6 }), (value, levels) => {
        let depth = 0;
        let deepest = 0;
        const text = JSON.stringify(value).replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
        for (const character of text) {
          if ('{['.includes(character)) deepest = Math.max(deepest, (depth += 1));
          if ('}]'.includes(character)) depth -= 1;
        }
        expect(isDeeperThan(value, levels)).toBe(deepest > levels);
      }),
    );
  });

  it('survives what would exhaust the stack, and cycles', () => {
    const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown;
    expect(isDeeperThan(deep, 128)).toBe(true);
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(isDeeperThan(cycle, 128)).toBe(true);
  });
});

describe('jsonByteLength', () => {
  it('counts bytes of UTF-8', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonByteLength(value)).toBe(new TextEncoder().encode(JSON.stringify(value)).length);
      }),
    );
    expect(jsonByteLength('é')).toBe(4);
  });

  it('gives 0 for what JSON leaves out and throws for what it cannot hold', () => {
    expect(jsonByteLength(undefined)).toBe(0);
    expect(() => jsonByteLength(1n)).toThrow(TypeError);
  });
});
