import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { linkedSignal } from './linked-signal.js';

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(signal.reason);
    });
  });
}

describe('linkedSignal', () => {
  it('follows the first parent that is aborted, with its reason', async () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = linkedSignal([one.signal, undefined, two.signal], 60_000);
    const reason = aborted(signal);
    two.abort('two');
    one.abort('one');
    expect(await reason).toBe('two');
  });

  it('is aborted at once by a parent that is aborted already', () => {
    const parent = AbortSignal.abort('before');
    expect(linkedSignal([new AbortController().signal, parent], 60_000).signal.reason).toBe('before');
  });

  it('is aborted after its time, also when memory is collected meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const reason = aborted(linkedSignal([new AbortController().signal], 50).signal);
    collect();
    expect(await reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('says once that it was aborted, by whatever', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const seen: unknown[] = [];
    const { signal } = linkedSignal([one.signal, two.signal], 60_000, () => seen.push(signal.reason));
    two.abort('two');
    one.abort('one');
    expect(seen).toEqual(['two']);
  });

  it('follows nobody any more once it is released', () => {
    const parent = new AbortController();
    const { signal, release } = linkedSignal([parent.signal], 60_000);
    release();
    release();
    parent.abort();
    expect(signal.aborted).toBe(false);
  });
});
