import { styleText } from 'node:util';
import { printable } from './printable.js';
import { wrapText } from './wrap-text.js';

/** A stream that a command writes to. */
export interface Sink {
  write(content: string | Uint8Array): unknown;
  /** Where a stream tells that it takes more. */
  once?(event: 'drain', listener: () => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The styles that commands use. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/** What stands at the end of the screen and is to stay there, below the lines that are printed. */
export interface Overlay {
  /** Takes it off the screen, the cursor at the beginning of its line. */
  hide(): void;
  show(): void;
}

/** Results on stdout, everything else on stderr. The only way in which a command prints. */
export class Terminal {
  readonly #out: Sink;
  readonly #err: Sink;
  readonly #colour: boolean;
  /** What is being asked or typed now. */
  overlay: Overlay | undefined;

  /**
   * @param out - gets results.
   * @param err - gets everything else.
   * @param colour - whether styles are shown.
   */
  constructor(out: Sink, err: Sink, colour: boolean) {
    this.#out = out;
    this.#err = err;
    this.#colour = colour;
  }

  /** Whether a person reads stdout. */
  get interactive(): boolean {
    return this.#out.isTTY === true;
  }

  /** Whether a person reads stderr. */
  get attended(): boolean {
    return this.#err.isTTY === true;
  }

  /** The columns of the terminal; unlimited where stdout is not one. */
  get width(): number {
    // A terminal that nobody gave a size says 0.
    const { columns = 0 } = this.#out;
    return columns > 0 ? columns : Number.POSITIVE_INFINITY;
  }

  /** Prints a line of the result. */
  line(text = ''): void {
    this.#write(this.#out, `${text}\n`);
  }

  /**
   * Writes content as it is, as fast as it is read; where a person reads it ends with a line break.
   *
   * @throws the signal's reason.
   */
  async content(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    // The client is much to load for those who only print lines.
    const { abortable } = await import('../../client/index.js');
    let last: number | undefined;
    for await (const chunk of chunks) {
      last = chunk.at(-1) ?? last;
      if (this.#out.write(chunk) === false) await abortable(drained(this.#out), signal);
    }
    if (this.interactive && last !== 0x0a) this.line();
  }

  /** Wipes the screen for what is shown next, where a person reads; elsewhere it goes on below. */
  clear(): void {
    if (this.interactive) this.#write(this.#out, '\u001b[2J\u001b[H');
    else this.line();
  }

  /** Prints one value as one line of JSON. */
  json(value: unknown): void {
    this.#write(this.#out, `${JSON.stringify(value)}\n`);
  }

  /** Prints a line for a person on stderr. */
  note(text: string): void {
    this.log(`${text}\n`);
  }

  /** Writes something to stderr that has its line breaks already. */
  log(text: string): void {
    this.#write(this.#err, text);
  }

  /**
   * Shows a question on stderr that is being answered; lines that are printed meanwhile go above it.
   *
   * @returns a function for when it is answered, which gets what is still to be written to its line.
   */
  openQuestion(question: string): (ending: string) => void {
    const show = (): void => {
      this.#err.write(question);
    };
    const hide = (): void => {
      this.#err.write('\r\u001B[2K');
    };
    show();
    this.overlay = { hide, show };
    return (ending) => {
      this.overlay = undefined;
      this.#err.write(ending);
    };
  }

  /** Prints an error as one line on stderr. */
  error(text: string): void {
    this.log(`${this.style('red', 'error:')} ${printable(text).replaceAll(/\s*\n\s*/g, ' ')}\n`);
  }

  /** Prints an error answer as one line of JSON on stderr. */
  errorJson(value: unknown): void {
    this.log(`${JSON.stringify(value)}\n`);
  }

  /** Prints a line for a person, broken between words where the terminal ends; further lines stand below its text. */
  paragraph(text: string, indent = ''): void {
    for (const line of wrapText(`${indent}${text}`, this.width, indent === '' ? '  ' : indent)) this.line(line);
  }

  /** The text in a style, where colours are shown. */
  style(style: Style, text: string): string {
    return this.#colour ? styleText(style, text) : text;
  }

  #write(sink: Sink, text: string): void {
    const overlay = sink.isTTY === true ? this.overlay : undefined;
    overlay?.hide();
    sink.write(text);
    overlay?.show();
  }
}

function drained(sink: Sink): Promise<void> {
  return new Promise((resolve) => {
    if (sink.once === undefined) resolve();
    else sink.once('drain', resolve);
  });
}
