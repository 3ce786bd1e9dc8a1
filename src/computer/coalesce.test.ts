import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Coalescer, SingleRun } from './coalesce.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('Coalescer', () => {
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

  it('misses no request that comes during a further run that changed nothing', async () => {
    let [state, known] = [0, 0];
    const act = vi.fn(async () => {
      const seen = state;
      await Promise.resolve();
      // News that come after the answer was made and before it is here.
      if (act.mock.calls.length === 2) state = 1;
      if (act.mock.calls.length <= 2) void single.request();
      const changed = seen !== known;
      known = seen;
      return changed;
    });
    const single = new SingleRun(act);
    await single.request();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([state, known]).toEqual([1, 1]);
  });

  it('ends with a peer that asks again within every run, and runs at once when that asks later', async () => {
    const act = vi.fn(() => {
      void single.request();
      return Promise.resolve(false);
    });
    const single = new SingleRun(act);
    await single.request();
    expect(act).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(act).toHaveBeenCalledTimes(8);
    void single.request();
    await vi.advanceTimersByTimeAsync(0);
    expect(act.mock.calls.length).toBeGreaterThan(8);
  });
});
