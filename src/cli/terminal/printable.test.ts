import { describe, expect, it } from 'vitest';
import { printable } from './printable.js';

describe('printable', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['a\r\u0008b\u007f', 'ab'],
    ['\u202eevil', 'evil'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['路径 👋', '路径 👋'],
  ])('makes %j safe', (text, safe) => {
    expect(printable(text)).toBe(safe);
  });
});
