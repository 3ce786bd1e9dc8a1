import { PassThrough } from 'node:stream';
import { Terminal } from '../../src/cli/terminal/terminal.js';

/** A keyboard, and the screen on which both stdout and stderr appear. */
export class Desk extends PassThrough {
  readonly isTTY = true;
  screen = '';
  raw = false;
  readonly terminal = new Terminal(this.#sink(), this.#sink(), false);
  #look: () => void = () => undefined;

  setRawMode(raw: boolean): void {
    this.raw = raw;
  }

  type(text: string): void {
    this.push(text);
  }

  async shows(text: string): Promise<void> {
    while (!this.screen.includes(text)) {
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  /** Settled when something is shown. */
  async changes(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#look = resolve;
    });
  }

  #sink(): { write: (text: string | Uint8Array) => void; isTTY: boolean } {
    return {
      isTTY: true,
      write: (text) => {
        this.screen += String(text);
        this.#look();
      },
    };
  }
}
