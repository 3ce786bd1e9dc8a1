import { printable } from '../terminal/printable.js';
import { cutToWidth } from '../terminal/render-table.js';
import type { Terminal } from '../terminal/terminal.js';

/** How often the time is drawn, in milliseconds. */
const DRAW_MS = 1_000;
const ERASE_LINE = '\r\u001B[2K';

/** Shows for how long something runs, each second, from the first one on. */
export class CallClock implements Disposable {
  readonly #live: (line: string | undefined) => void;
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;

  /**
   * @param text - the line for a number of seconds.
   * @param live - draws it; without a line it takes it away.
   */
  constructor(text: (seconds: number) => string, live: (line: string | undefined) => void) {
    this.#live = live;
    this.#timer = setInterval(() => {
      live(text(Math.round(this.seconds)));
    }, DRAW_MS);
  }

  /** For how long it has run, in seconds. */
  get seconds(): number {
    return (performance.now() - this.#began) / 1_000;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#live(undefined);
  }
}

/** A line at the end of a terminal's screen, below what is printed; nothing where nobody reads. */
export function lineBelow(terminal: Terminal): (line: string | undefined) => void {
  let close: ((ending: string) => void) | undefined;
  if (!terminal.attended || !terminal.interactive) return () => undefined;
  return (line) => {
    close?.(ERASE_LINE);
    close = line === undefined ? undefined : terminal.openQuestion(fitting(line, terminal));
  };
}

/** One line that does not reach the end of a row. */
export function fitting(line: string, { width }: Terminal): string {
  return cutToWidth(printable(line).replaceAll(/\s+/g, ' '), width - 1);
}
