import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from './index.js';

describe('parseDuration', () => {
  it.each<[string | number, number]>([
    [0, 0],
    [5, 5_000],
    [0.25, 250],
    ['5', 5_000],
    ['0.5', 500],
    ['PT30S', 30_000],
    ['PT5M', 300_000],
    ['PT1H30M', 5_400_000],
    ['PT0.5S', 500],
    ['P1D', 86_400_000],
    ['P1DT2H3M4S', 93_784_000],
    ['PT0S', 0],
  ])('reads %j as %d ms', (value, expected) => {
    expect(parseDuration(value)).toBe(expected);
  });

  it.each<[string | number]>([
    [-1],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [''],
    ['-5'],
    ['5s'],
    ['1e3'],
    [' 5'],
    ['P'],
    ['PT'],
    ['P1DT'],
    ['30S'],
    ['PT30'],
    ['P1Y'],
    ['P1M'],
    ['-PT5S'],
    ['pt5s'],
    [1e306],
  ])('does not take %j for a duration', (value) => {
    expect(parseDuration(value)).toBeUndefined();
  });

  it('does not take a time that no number holds for a duration', () => {
    expect(parseDuration('9'.repeat(400))).toBeUndefined();
    expect(parseDuration(`PT${'9'.repeat(400)}S`)).toBeUndefined();
  });

  it('reads seconds the same as a number, as text and as ISO 8601', () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        const forms = [seconds, String(seconds), `PT${seconds}S`].map(parseDuration);
        expect(forms).toEqual(Array(3).fill(seconds * 1000));
      }),
    );
  });

  it('gives a finite time or nothing for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const ms = parseDuration(text);
        expect(ms === undefined || (Number.isFinite(ms) && ms >= 0)).toBe(true);
      }),
    );
  });
});
