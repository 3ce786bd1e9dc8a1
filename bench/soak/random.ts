/** A source of chance that gives the same again for the same seed. */
export class Chance {
  #state: number;

  /** @param seed - an integer. */
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to but not including 1. (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Whether something of this probability (0..1) happens. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of them. @throws RangeError when there is none. */
  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new RangeError('There is nothing to pick from');
    return item;
  }

  /** One of them, the more often the larger its weight. */
  weighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    const found = items.find(({ weight }) => (left -= weight) < 0);
    return found ?? this.pick(items);
  }

  /** Another one, that goes its own way from here on. */
  fork(): Chance {
    return new Chance(this.integer(0, 2 ** 31));
  }
}
