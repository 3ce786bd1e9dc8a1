import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { abortable } from '../../client/index.js';
import type { LineSource } from './shell.js';

/** Lines from a pipe or a file: no prompt, nobody to ask. */
export class PipedLines implements LineSource, Disposable {
  onInterrupt: () => void = () => undefined;
  readonly #lines: AsyncIterator<string>;
  readonly #close: () => void;
  readonly #signal: AbortSignal;

  constructor(input: Readable, signal: AbortSignal) {
    const readline = createInterface({ input, terminal: false, crlfDelay: Number.POSITIVE_INFINITY });
    this.#lines = readline[Symbol.asyncIterator]();
    this.#signal = signal;
    this.#close = () => {
      readline.close();
    };
  }

  async readLine(): Promise<string | undefined> {
    try {
      const next = await abortable(this.#lines.next(), this.#signal);
      return next.done === true ? undefined : next.value;
    } catch (error) {
      if (this.#signal.aborted) return undefined;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}
