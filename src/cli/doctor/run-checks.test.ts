import { describe, expect, it } from 'vitest';
import { ok, type Check, type Finding } from './check.js';
import type { DoctorContext } from './context.js';
import { runChecks } from './run-checks.js';

const context = {} as DoctorContext;
const never = new Promise<readonly Finding[]>(() => undefined);
const check = (id: string, run: Check['run']): Check => ({ id, title: id, run });

async function all(
  checks: readonly Check[],
  timeoutMs = 20,
  signal = new AbortController().signal,
): Promise<unknown[]> {
  const seen: unknown[] = [];
  for await (const { check: one, findings } of runChecks(checks, context, { timeoutMs, signal })) {
    seen.push([one.id, findings.map(({ verdict, found }) => `${verdict}: ${found}`)]);
  }
  return seen;
}

describe('runChecks', () => {
  it('runs all at once and tells in the order of the table', async () => {
    let finish: (findings: readonly Finding[]) => void = () => undefined;
    const first = new Promise<readonly Finding[]>((resolve) => (finish = resolve));
    const second = (): readonly Finding[] => {
      finish([ok('late')]);
      return [ok('early')];
    };
    expect(await all([check('a', () => first), check('b', second)], 5_000)).toEqual([
      ['a', ['ok: late']],
      ['b', ['ok: early']],
    ]);
  });

  it('ends a check that never ends, also one that does not listen to its signal', async () => {
    expect(await all([check('deaf', () => never), check('b', () => [ok('fine')])])).toEqual([
      ['deaf', ['fail: no outcome within 0.02 s']],
      ['b', ['ok: fine']],
    ]);
  });

  it('makes a finding of what a check throws, at once or later', async () => {
    const late = check('late', () => Promise.reject(new Error('broken later')));
    const soon = check('soon', () => {
      throw new Error('broken');
    });
    expect(await all([late, soon])).toEqual([
      ['late', ['fail: broken later']],
      ['soon', ['fail: broken']],
    ]);
  });

  it('stops at once when the person has had enough', async () => {
    const stop = new AbortController();
    const interrupting = check('a', () => {
      stop.abort(new Error('enough'));
      return never;
    });
    await expect(all([interrupting], 60_000, stop.signal)).rejects.toThrow('enough');
  });
});
