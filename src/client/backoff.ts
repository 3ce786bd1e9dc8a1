/** How long to wait between attempts, in milliseconds. */
export interface Backoff {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * The wait before the next attempt: doubled each time up to the maximum, of which a random part of up to one half is
 * taken off, so that many clients do not come back in step.
 *
 * @param attempt - how many attempts failed before, from 0.
 * @returns milliseconds.
 */
export function backoffDelay(attempt: number, backoff: Backoff, random: () => number = Math.random): number {
  const full = Math.min(backoff.maxMs, backoff.minMs * 2 ** attempt);
  return full * (1 - random() / 2);
}
