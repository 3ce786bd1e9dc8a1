import { MAX_TIMEOUT_SECONDS } from '../protocol/index.js';

/**
 * A call's budget as it crosses the wire. Protocol §6.2.
 *
 * @param timeoutMs - milliseconds.
 * @returns whole seconds, rounded up.
 * @throws RangeError when it is not above zero, or more than an hour.
 */
export function budgetSeconds(timeoutMs: number): number {
  const seconds = Math.ceil(timeoutMs / 1_000);
  if (!(seconds >= 1 && timeoutMs <= MAX_TIMEOUT_SECONDS * 1_000)) {
    throw new RangeError(`timeoutMs must be above 0 and at most ${MAX_TIMEOUT_SECONDS * 1_000}, got ${timeoutMs}`);
  }
  return seconds;
}
