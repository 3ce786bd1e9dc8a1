import { describe, expect, it } from 'vitest';
import { TypedEvents } from './typed-events.js';

interface Events {
  a: [number];
}

function events(): { bus: TypedEvents<Events>; errors: unknown[] } {
  const errors: unknown[] = [];
  return { bus: new TypedEvents<Events>((error) => errors.push(error)), errors };
}

describe('TypedEvents', () => {
  it('calls the listeners in order until each is taken off', () => {
    const { bus } = events();
    const seen: string[] = [];
    const listener = (value: number): void => {
      seen.push(`twice ${value}`);
    };
    const off = bus.on('a', listener);
    bus.on('a', listener);
    bus.emit('a', 1);
    off();
    off();
    bus.emit('a', 2);
    bus.clear();
    bus.emit('a', 3);
    expect(seen).toEqual(['twice 1', 'twice 1', 'twice 2']);
  });

  it('knows whether anybody listens', () => {
    const { bus } = events();
    expect(bus.has('a')).toBe(false);
    const off = bus.on('a', () => undefined);
    expect(bus.has('a')).toBe(true);
    off();
    expect(bus.has('a')).toBe(false);
  });

  it('reports listeners that throw or reject, and calls the others', async () => {
    const { bus, errors } = events();
    let called = 0;
    bus.on('a', () => {
      throw new Error('thrown');
    });
    const rejecting: (value: number) => unknown = () => Promise.reject(new Error('rejected'));
    bus.on('a', rejecting);
    bus.on('a', () => called++);
    bus.emit('a', 1);
    await Promise.resolve();
    await expect.poll(() => errors).toEqual([new Error('thrown'), new Error('rejected')]);
    expect(called).toBe(1);
  });
});
