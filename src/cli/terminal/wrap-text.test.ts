import { describe, expect, it } from 'vitest';
import { wrapText } from './wrap-text.js';

describe('wrapText', () => {
  it.each([
    ['a short text', 'one two', 20, ['one two']],
    ['a long text, between words', 'one two three', 9, ['one two', '  three']],
    ['a text that begins with blanks', '    one two', 9, ['    one', '  two']],
    ['a word that is too long', 'abcdefghij kl', 5, ['abcdefghij', '  kl']],
    ['wide characters as two columns', '路径 路径', 6, ['路径', '  路径']],
    ['styles as no columns', '\u001B[1mone\u001B[22m two', 7, ['\u001B[1mone\u001B[22m two']],
    ['nothing', '', 5, ['']],
  ])('breaks %s', (_, text, width, lines) => {
    expect(wrapText(text, width, '  ')).toEqual(lines);
  });

  it('breaks nothing where the width is unlimited', () => {
    const text = 'word '.repeat(100);
    expect(wrapText(text, Number.POSITIVE_INFINITY, '')).toEqual([text]);
  });
});
