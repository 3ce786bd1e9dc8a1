import { describe, expect, it } from 'vitest';
import { budgetSeconds } from './budget.js';

describe('budgetSeconds', () => {
  it.each([
    [0.1, 1],
    [1, 1],
    [1000, 1],
    [1001, 2],
    [60_000, 60],
    [3_600_000, 3600],
  ])('[R-6.2-range] rounds %d ms up to %d s', (ms, seconds) => {
    expect(budgetSeconds(ms)).toBe(seconds);
  });

  it.each([[0], [-1], [-1000], [3_600_001], [Number.NaN], [Infinity]])('[R-6.2-range] refuses %s ms', (ms) => {
    expect(() => budgetSeconds(ms)).toThrow(/^timeoutMs must be above 0 and at most 3600000/);
  });
});
