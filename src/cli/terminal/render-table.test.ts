import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, renderTable } from './render-table.js';

describe('renderTable', () => {
  it('puts columns under each other, wide characters counted as two', () => {
    expect(
      renderTable([
        ['a', 'first'],
        ['路径', 'second'],
        ['long name', 'third'],
      ]),
    ).toEqual(['a          first', '路径       second', 'long name  third']);
  });

  it('counts neither combining marks nor what is not seen at all', () => {
    expect(displayWidth('e\u0301 a\u200Bb\u200Dc\uFE0F')).toBe(5);
  });

  it('cuts a line that is too long for the terminal', () => {
    expect(renderTable([['name', 'a description that does not fit']], 20)).toEqual(['name  a description…']);
  });

  it('gives no lines for no rows', () => {
    expect(renderTable([])).toEqual([]);
  });

  it('never takes more columns than there are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: 'grapheme' }))),
        fc.integer({ min: 1, max: 80 }),
        (rows, width) => {
          for (const line of renderTable(rows, width)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
