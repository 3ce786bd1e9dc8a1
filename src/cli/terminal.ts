import { styleText } from 'node:util';

/** A stream that a command writes to. */
export interface Sink {
  write(content: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The styles that commands use. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/** Results on stdout, everything else on stderr. The only way in which a command prints. */
export class Terminal {
  readonly #out: Sink;
  readonly #err: Sink;
  readonly #colour: boolean;

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

  /** The columns of the terminal; unlimited where stdout is not one. */
  get width(): number {
    return this.#out.columns ?? Number.POSITIVE_INFINITY;
  }

  /** Prints a line of the result. */
  line(text = ''): void {
    this.#out.write(`${text}\n`);
  }

  /** Writes content as it is, ending with a line break if it has none. */
  bytes(content: Uint8Array): void {
    this.#out.write(content);
    if (content.at(-1) !== 0x0a) this.line();
  }

  /** Prints one value as one line of JSON. */
  json(value: unknown): void {
    this.#out.write(`${JSON.stringify(value)}\n`);
  }

  /** Prints a line for a person on stderr. */
  note(text: string): void {
    this.#err.write(`${text}\n`);
  }

  /** Prints an error as one line on stderr. */
  error(text: string): void {
    this.#err.write(`${this.style('red', 'error:')} ${text.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  }

  /** Prints an error answer as one line of JSON on stderr. */
  errorJson(value: unknown): void {
    this.#err.write(`${JSON.stringify(value)}\n`);
  }

  /** The text in a style, where colours are shown. */
  style(style: Style, text: string): string {
    return this.#colour ? styleText(style, text) : text;
  }
}
