import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { StartThrottle } from './start-throttle.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('StartThrottle', () => {
  const never = new AbortController().signal;

  it('lets two in, and the next when one leaves', async () => {
    const throttle = new StartThrottle();
    const entered: number[] = [];
    const releases = [1, 2, 3, 4].map(async (id) => {
      const release = await throttle.acquire(never);
      entered.push(id);
      return release;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(entered).toEqual([1, 2]);
    const release = await releases[0];
    release?.();
    release?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(entered).toEqual([1, 2, 3]);
  });

  it('takes a slot back after five seconds', async () => {
    const throttle = new StartThrottle({ slots: 1 });
    await throttle.acquire(never);
    let entered = false;
    void throttle.acquire(never).then(() => (entered = true));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(entered).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(entered).toBe(true);
  });

  it('forgets who gave up', async () => {
    const throttle = new StartThrottle({ slots: 1 });
    const release = await throttle.acquire(never);
    const controller = new AbortController();
    const waiting = throttle.acquire(controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    release();
    await expect(throttle.acquire(AbortSignal.abort())).rejects.toThrow();
    expect(await throttle.acquire(never)).toBeTypeOf('function');
  });
});
