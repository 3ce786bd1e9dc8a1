import { describe, expect, it } from 'vitest';
import { readWithNonNumbers } from './non-numbers.js';

/** What a decoder gets to read that takes JSON only. */
function read(text: unknown): unknown[] {
  const tried: unknown[] = [];
  readWithNonNumbers(text, (chunk) => {
    tried.push(chunk);
    try {
      JSON.parse(String(chunk));
    } catch {
      throw new Error('invalid payload');
    }
  });
  return tried;
}

describe('readWithNonNumbers', () => {
  it.each([
    ['[NaN,-Infinity,Infinity]', '[null,null,null]'],
    ['{"NaN":"NaN","a":[NaN, 1e5]}', '{"NaN":"NaN","a":[null, 1e5]}'],
    ['["\\\\","\\"NaN",NaN]', '["\\\\","\\"NaN",null]'],
  ])('reads %s as %s', (text, expected) => {
    expect(read(text)).toEqual([text, expected]);
  });

  it('leaves alone what can be read as it is', () => {
    expect(read('["NaN"]')).toEqual(['["NaN"]']);
  });

  it('throws what is wrong otherwise', () => {
    const failing = (): never => {
      throw new Error('unknown packet type');
    };
    expect(() => {
      readWithNonNumbers('NaN', failing);
    }).toThrow('unknown packet type');
    expect(() => {
      readWithNonNumbers(new Uint8Array(1), failing);
    }).toThrow('unknown packet type');
    expect(() => read('[NaNny]')).toThrow('invalid payload');
  });

  it.each([
    ['quotes behind backslashes', '\\"'.repeat(450_000)],
    ['a string that never ends', `"${'a'.repeat(900_000)}`],
    ['a backslash at the end of it', `"${'\\"'.repeat(450_000)}\\`],
    ['quotes alone', '"'.repeat(900_000)],
    ['minus signs', '-'.repeat(900_000)],
  ])('refuses a packet of the largest size in no time: NaN and %s', (_title, rest) => {
    expect(() => read(`["e",NaN,${rest}`)).toThrow('invalid payload');
  });
});
