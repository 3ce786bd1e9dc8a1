import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Coalescer, SingleRun } from './coalesce.js';

describe('Coalescer', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('acts at once, then at most once per interval, and never misses the last request', () => {
    const act = vi.fn();
    const coalescer = new Coalescer(act, 100);
    coalescer.request();
    coalescer.request();
    coalescer.request();
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(99);
    expect(act).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    expect(act).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(500);
    expect(act).toHaveBeenCalledTimes(2);
    coalescer.request();
    expect(act).toHaveBeenCalledTimes(3);
  });

  it('drops what is pending when it is closed', () => {
    const act = vi.fn();
    const coalescer = new Coalescer(act, 100);
    coalescer.request();
    coalescer.request();
    coalescer.close();
    vi.advanceTimersByTime(500);
    coalescer.request();
    expect(act).toHaveBeenCalledTimes(1);
  });
});

describe('SingleRun', () => {
  it('answers requests that come while it runs by one more run', async () => {
    let runs = 0;
    const single = new SingleRun(async () => {
      runs += 1;
      await Promise.resolve();
      return true;
    });
    const first = single.request();
    await Promise.resolve();
    for (let count = 0; count < 50; count += 1) void single.request();
    await first;
    expect(runs).toBe(2);
    await single.request();
    expect(runs).toBe(3);
  });
});
