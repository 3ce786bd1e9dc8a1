import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteWord, splitLine } from './split-line.js';

const texts = (line: string): string[] => splitLine(line).words.map(({ text }) => text);

describe('splitLine', () => {
  it.each([
    ['', []],
    ['  \t ', []],
    ['tools', ['tools']],
    ['  start   files ', ['start', 'files']],
    ['start "my files"', ['start', 'my files']],
    ["start 'my files'", ['start', 'my files']],
    ['start my\\ files', ['start', 'my files']],
    ['tc echo message="hello world" n=1', ['tc', 'echo', 'message=hello world', 'n=1']],
    ['start "a \\"b\\" \\\\ c"', ['start', 'a "b" \\ c']],
    ["start 'a\\b'", ['start', 'a\\b']],
    ['inputs load @C:\\users\\me\\inputs.json', ['inputs', 'load', '@C:\\users\\me\\inputs.json']],
    ['start ""', ['start', '']],
    ['tc {"a": "b c"}', ['tc', '{"a": "b c"}']],
    ['tc   [1,  2]   ', ['tc', '[1,  2]']],
    ['inputs value set token {"it\'s": "\\"raw\\""}', ['inputs', 'value', 'set', 'token', '{"it\'s": "\\"raw\\""}']],
    ['{ "first": 1 }', ['{', 'first:', '1', '}']],
    ['tc "{" x', ['tc', '{', 'x']],
  ])('reads %j as %j', (line, words) => {
    expect(texts(line)).toEqual(words);
  });

  it.each([
    ['start "my', '"'],
    ["start 'my", "'"],
    ['start "my files"', undefined],
    ['tc {"a": "b', undefined],
  ])('knows of %j which quote is still open', (line, open) => {
    expect(splitLine(line).open).toBe(open);
  });

  it('reads back what quoteWord has written, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (words) => {
        expect(texts(['command', ...words.map(quoteWord)].join(' '))).toEqual(['command', ...words]);
      }),
    );
  });

  it('takes any line without an error, its words in order', () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        const starts = splitLine(line).words.map(({ start }) => start);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
    );
  });
});
