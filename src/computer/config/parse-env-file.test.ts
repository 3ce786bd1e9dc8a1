import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.js';
import { parseEnvFile } from './parse-env-file.js';

describe('parseEnvFile', () => {
  it.each<[string, Record<string, string>]>([
    ['', {}],
    ['A=1', { A: '1' }],
    ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['# comment\n\n  # another\nA=1 # not of it\nB=a#b\nC=#', { A: '1', B: 'a#b', C: '' }],
    ['export A=1\n export\tB = two words ', { A: '1', B: 'two words' }],
    ['A=\nB=""\nC=\'\'', { A: '', B: '', C: '' }],
    ['A="x # y" # z\nB=\'x # y\'', { A: 'x # y', B: 'x # y' }],
    ['A="l1\\nl2\\t\\"q\\" \\\\ \\$X"', { A: 'l1\nl2\t"q" \\ $X' }],
    ["A='l1\\nl2 $X ${input:x}'", { A: 'l1\\nl2 $X ${input:x}' }],
    ['KEY="-----BEGIN-----\r\nabc\r\n-----END-----"\r\nB=1', { KEY: '-----BEGIN-----\nabc\n-----END-----', B: '1' }],
    ["A='one\ntwo'\nB=1", { A: 'one\ntwo', B: '1' }],
    ['A="one \\\ntwo"', { A: 'one two' }],
    ['A=x=y==\nB=it\'s "so"', { A: 'x=y==', B: 'it\'s "so"' }],
    ['a.b-c=1\n_A9=2', { 'a.b-c': '1', _A9: '2' }],
    ['A=1\nB=2\nA=3', { B: '2', A: '3' }],
    ['constructor=1', { constructor: '1' }],
  ])('reads %j', (text, expected) => {
    expect(Object.fromEntries(parseEnvFile(text))).toEqual(expected);
  });

  it('takes a variable of any name', () => {
    expect([...parseEnvFile('__proto__=x')]).toEqual([['__proto__', 'x']]);
  });

  it.each([
    ['secret', 'line 1: expected NAME=value'],
    ['A=1\n\n9B=secret', 'line 3: expected NAME=value'],
    ['A="secret', 'line 1: a quote is opened and not closed'],
    ['A=1\nB=\'secret\nC="', 'line 2: a quote is opened and not closed'],
    ['A="x" secret', 'line 1: something stands after the closing quote'],
    ['A=1\n=secret', 'line 2: expected NAME=value'],
    ['A\0=\0secret\0', 'NUL'],
  ])('refuses %j with the line and not what stands in it', (text, problem) => {
    expect(() => parseEnvFile(text)).toThrow(problem);
    expect(() => parseEnvFile(text)).not.toThrow('secret');
  });

  it('reads back what is written in double quotes', () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/);
    const value = fc.string().filter((text) => !/[\0\r]/.test(text));
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key }), (pairs) => {
        const text = pairs.map(([key, item]) => `${key}="${item.replace(/[\\"]/g, '\\$&')}"`).join('\n');
        expect([...parseEnvFile(text)]).toEqual(pairs);
      }),
    );
  });

  it('throws nothing but ConfigErrors, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('A', '=', '"', "'", '\\', '\n', '#', ' ') }), (text) => {
        try {
          parseEnvFile(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
        }
      }),
    );
    const began = performance.now();
    expect(parseEnvFile(`A=${' '.repeat(500_000)}x`).get('A')).toBe('x');
    expect(parseEnvFile(`A="${'\\\\'.repeat(250_000)}"`).get('A')).toHaveLength(250_000);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
