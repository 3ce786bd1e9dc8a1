import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from './glob.js';

/** What the same pattern means as a regular expression. */
function oracle(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

const short = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\n', '名'), maxLength: 8 });
const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '\n', '名'), maxLength: 8 });

describe('matchesGlob', () => {
  it.each([
    ['read_file', 'read_file', true],
    ['read_file', 'read_files', false],
    ['read_file', 'Read_file', false],
    ['*', '', true],
    ['*', 'anything', true],
    ['read*', 'read', true],
    ['*file', 'read_file', true],
    ['r*d*e', 'read_file', true],
    ['a*a', 'a', false],
    ['a*ab*ab', 'aab', false],
    ['a.c', 'abc', false],
    ['[ab]', 'a', false],
    ['?', 'a', false],
    ['**', 'x', true],
  ])('%j and %j: %j', (given, text, fits) => {
    expect(matchesGlob(given, text)).toBe(fits);
  });

  it('decides as the regular expression of the pattern does', () => {
    fc.assert(
      fc.property(pattern, short, (given, text) => {
        expect(matchesGlob(given, text)).toBe(oracle(given).test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds every text that a pattern was made from', () => {
    fc.assert(
      fc.property(fc.array(short, { minLength: 1 }), fc.array(short), (parts, fill) => {
        const text = parts.map((part, index) => part + (index < parts.length - 1 ? (fill[index] ?? '') : '')).join('');
        expect(matchesGlob(parts.join('*'), text)).toBe(true);
      }),
    );
  });

  it('takes no time worth telling for a pattern that is made to', () => {
    const began = performance.now();
    expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(20_000))).toBe(false);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
