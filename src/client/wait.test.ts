import { describe, expect, it } from 'vitest';
import { abortable, delay, reasonOf } from './wait.js';

describe('delay', () => {
  it('resolves in time, and rejects with the reason when it is aborted', async () => {
    await expect(delay(1)).resolves.toBeUndefined();
    const stop = new AbortController();
    const waiting = delay(60_000, stop.signal);
    stop.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(delay(60_000, stop.signal)).rejects.toThrow('stop');
    await expect(delay(1, new AbortController().signal)).resolves.toBeUndefined();
  });
});

describe('abortable', () => {
  it('gives what the promise gives, or the reason', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(1), undefined)).resolves.toBe(1);
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(abortable(Promise.reject(new Error('own')), signal)).rejects.toThrow('own');
    const never = new Promise<never>(() => undefined);
    await expect(abortable(never, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });

  it('leaves no rejection behind that nobody handles', async () => {
    let reject: (error: Error) => void = () => undefined;
    const late = new Promise<never>((_resolve, fail) => {
      reject = fail;
    });
    await expect(abortable(late, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    reject(new Error('late'));
  });
});

describe('reasonOf', () => {
  it('makes an Error of any reason', () => {
    expect(reasonOf(AbortSignal.abort('text'))).toMatchObject({ message: 'Aborted', cause: 'text' });
    expect(reasonOf(AbortSignal.abort()).name).toBe('AbortError');
  });
});
