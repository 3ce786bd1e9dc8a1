import { describe, expect, it } from 'vitest';
import { shownParams } from './shown-params.js';

describe('shownParams', () => {
  it('keeps short arguments on one line', () => {
    expect(shownParams({ path: 'a.txt', deep: { n: 1 } })).toBe('{"path":"a.txt","deep":{"n":1}}');
  });

  it('folds long ones to a line each, and cuts what is very long, telling its length', () => {
    expect(shownParams({ path: 'a.txt', content: 'x'.repeat(1_000) })).toBe(
      `\n  "path": "a.txt"\n  "content": "${'x'.repeat(199)}… (1002 characters)`,
    );
  });

  it('says how many are not shown', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, index]));
    expect(shownParams(many).split('\n')).toHaveLength(17);
    expect(shownParams(many)).toMatch(/… and 25 more$/);
  });

  it('leaves out what could move the cursor', () => {
    expect(shownParams({ path: '\u009b31m' })).toBe('{"path":"31m"}');
  });
});
