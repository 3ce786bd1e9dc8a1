import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonStart } from './json-start.js';

describe('jsonStart', () => {
  it('is the beginning of the JSON text, and all of it where that is short', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat({ max: 60 }), (value, length) => {
        const whole = JSON.stringify(value);
        const start = jsonStart(value, length);
        expect(start.slice(0, length)).toBe(whole.slice(0, length));
        if (whole.length < length) expect(start).toBe(whole);
      }),
    );
  });

  it('takes own keys of any name, bytes, and what JSON has no form for', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":null}') as object;
    expect(jsonStart(value, 100)).toBe(JSON.stringify(value));
    expect(jsonStart({ a: new Uint8Array(1_000_000), b: new ArrayBuffer(9), c: undefined }, 100)).toBe(
      '{"a":"[binary]","b":"[binary]","c":null}',
    );
  });

  it('looks at no more than it needs', () => {
    const rest = new Proxy([], {
      get: () => {
        throw new Error('looked at');
      },
    });
    expect(jsonStart({ a: 'x'.repeat(5_000_000), rest }, 100).length).toBeLessThan(120);
    expect(jsonStart([['x'.repeat(200)], rest], 100).length).toBeLessThan(120);
  });
});
