/** How many pieces are kept before they are made one. */
const MAX_PARTS = 256;

/** The last bytes of a stream. Whatever comes, in however small or large pieces, not much more is kept than asked for. */
export class ByteTail {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #kept = 0;
  #seen = 0;

  /** @param limit - how many bytes are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many bytes came in all. */
  get seen(): number {
    return this.#seen;
  }

  /** Takes the next bytes, which must not change any more. */
  push(chunk: Buffer): void {
    this.#seen += chunk.length;
    this.#parts.push(chunk);
    this.#kept += chunk.length;
    for (let first = this.#parts[0]; first && this.#kept - first.length >= this.#limit; first = this.#parts[0]) {
      this.#parts.shift();
      this.#kept -= first.length;
    }
    // A part of a large piece would keep the whole of it; and of many small ones the first would grow for ever.
    if (this.#parts.length > MAX_PARTS || this.#kept > 2 * this.#limit) this.#join();
  }

  /** The last bytes; fewer than came once there were more than are kept. */
  bytes(): Buffer {
    this.#join();
    return this.#parts[0] ?? Buffer.alloc(0);
  }

  #join(): void {
    if (this.#parts.length === 1 && this.#kept <= this.#limit) return;
    const joined = Buffer.concat(this.#parts);
    const kept = joined.length > this.#limit ? Buffer.from(joined.subarray(-this.#limit)) : joined;
    this.#parts = [kept];
    this.#kept = kept.length;
  }
}
