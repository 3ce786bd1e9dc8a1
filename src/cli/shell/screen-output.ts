import { Writable } from 'node:stream';
import { displayWidth } from '../terminal/render-table.js';

/** What is used of a terminal's stdout. */
export interface ScreenStream {
  write(text: string): unknown;
  readonly columns?: number;
  on?(event: 'resize', listener: () => void): unknown;
  off?(event: 'resize', listener: () => void): unknown;
}

/** The part of the screen that a line editor writes to: it can be muted, for a time in which others write. */
export class ScreenOutput extends Writable {
  readonly isTTY = true;
  muted = true;
  readonly #stream: ScreenStream;
  readonly #resized = (): void => {
    this.emit('resize');
  };

  constructor(stream: ScreenStream) {
    super({ decodeStrings: false });
    this.#stream = stream;
    stream.on?.('resize', this.#resized);
  }

  /** The columns of the terminal. */
  get columns(): number {
    // A terminal that nobody gave a size says 0.
    const { columns = 0 } = this.#stream;
    return columns > 0 ? columns : 80;
  }

  /** Writes also while muted. */
  draw(text: string): void {
    this.#stream.write(text);
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: () => void): void {
    if (!this.muted) this.#stream.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stream.off?.('resize', this.#resized);
    done(error);
  }
}

/** How many rows of a screen these lines take. */
export function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
}
