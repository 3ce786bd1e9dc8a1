const NEWLINE = 10;

/** Sizes and receivers of {@link LineFramer}. */
export interface LineFramerOptions {
  /** A longer complete line goes to `onOversize`, in bytes. */
  readonly maxLine: number;
  /** More bytes than this without a newline are given up. */
  readonly maxPending: number;
  /** One complete line without its newline. */
  onLine(line: Buffer): void;
  /** One complete line of more than `maxLine` bytes. */
  onOversize(line: Buffer): void;
  /** There is no end of the line in sight: called once, then everything is ignored. */
  onOverflow(size: number): void;
}

/**
 * Cuts a byte stream into lines. Pieces of an unfinished line are kept as they came and joined once, so that a long
 * line costs its length and not its square.
 */
export class LineFramer {
  readonly #options: LineFramerOptions;
  #parts: Buffer[] = [];
  #pending = 0;
  #overflowed = false;

  constructor(options: LineFramerOptions) {
    this.#options = options;
  }

  /** Takes the next bytes and reports the lines that they complete. */
  push(chunk: Buffer): void {
    if (this.#overflowed) return;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #finish(piece: Buffer): void {
    const line = this.#pending === 0 ? piece : Buffer.concat([...this.#parts, piece]);
    this.#clear();
    if (line.length > this.#options.maxLine) this.#options.onOversize(line);
    else this.#options.onLine(line);
  }

  #keep(piece: Buffer): void {
    this.#parts.push(piece);
    this.#pending += piece.length;
    if (this.#pending <= this.#options.maxPending) return;
    const size = this.#pending;
    this.#overflowed = true;
    this.#clear();
    this.#options.onOverflow(size);
  }

  #clear(): void {
    this.#parts = [];
    this.#pending = 0;
  }
}
