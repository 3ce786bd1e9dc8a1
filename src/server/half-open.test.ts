import { Duplex } from 'node:stream';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { destroyOnceEnded } from './half-open.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A connection whose peer neither sends nor ends. */
function connection(): Duplex {
  return new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => {
      done();
    },
    autoDestroy: false,
  });
}

it('destroys a socket that only our side has ended, after a while', async () => {
  const socket = connection();
  destroyOnceEnded(socket);
  destroyOnceEnded(socket);
  expect(socket.listenerCount('finish')).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(socket.destroyed).toBe(false);
  socket.end();
  await vi.advanceTimersByTimeAsync(4_900);
  expect(socket.destroyed).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(socket.destroyed).toBe(true);
});

it('leaves no timer behind for a socket that closes by itself', async () => {
  const socket = connection();
  destroyOnceEnded(socket);
  socket.end();
  await vi.advanceTimersByTimeAsync(10);
  expect(vi.getTimerCount()).toBe(1);
  socket.destroy();
  await vi.advanceTimersByTimeAsync(10);
  expect(vi.getTimerCount()).toBe(0);
});
