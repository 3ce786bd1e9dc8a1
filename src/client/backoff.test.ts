import { describe, expect, it } from 'vitest';
import { backoffDelay } from './backoff.js';

describe('backoffDelay', () => {
  it.each([
    [0, 0, 1000],
    [1, 0, 2000],
    [5, 0, 5000],
    [2000, 0, 5000],
    [0, 1, 500],
    [9, 0.5, 3750],
  ])('after %d failures and with a random part of %d is %d ms', (attempt, random, expected) => {
    expect(backoffDelay(attempt, { minMs: 1000, maxMs: 5000 }, () => random)).toBe(expected);
  });
});
