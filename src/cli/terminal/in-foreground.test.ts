import { describe, expect, it } from 'vitest';
import { inForeground } from './in-foreground.js';

describe('inForeground', () => {
  it.each([
    ['its group has the terminal', '812 (node) S 800 812 800 34816 812 4194304', true],
    ['another group has the terminal', '812 (node) S 800 812 800 34816 800 4194304', false],
    ['a name with brackets', '812 (a) b (c) S 800 812 800 34816 800 4194304', false],
    ['there is no terminal', '812 (node) S 800 812 800 0 -1 4194304', true],
    ['the system does not say', '', true],
  ])('%s', (_, stat, verdict) => {
    expect(inForeground(() => stat)).toBe(verdict);
  });
});
