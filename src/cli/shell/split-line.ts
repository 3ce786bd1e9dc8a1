/** A word of a line that was typed. */
export interface Word {
  /** Without its quotes and escapes. */
  readonly text: string;
  /** Where it begins in the line. */
  readonly start: number;
  /** Whether it was taken as it stands, to the end of the line. */
  readonly raw: boolean;
  /** Whether any of it was quoted or escaped. */
  readonly quoted: boolean;
}

/** A line as words. */
export interface SplitLine {
  readonly words: readonly Word[];
  /** The quote that was begun and not ended. */
  readonly open: '"' | "'" | undefined;
}

const BLANK = /\s/;
/** What a backslash takes its meaning from; before anything else it is a character, as in the paths of Windows. */
const ESCAPABLE = /[\s"'\\]/;

/**
 * Splits a line into words: at blanks, but not in quotes. In `"…"` a backslash makes `"` and `\` ordinary, in `'…'`
 * nothing does. A word that begins with `{` or `[` goes on as it stands to the end of the line, unless it is the first:
 * JSON needs no quoting.
 */
export function splitLine(line: string): SplitLine {
  const words: Word[] = [];
  let at = 0;
  let open: SplitLine['open'];
  while (at < line.length) {
    if (BLANK.test(line.charAt(at))) {
      at += 1;
      continue;
    }
    if (words.length > 0 && /[{[]/.test(line.charAt(at))) {
      words.push({ text: line.slice(at).trimEnd(), start: at, raw: true, quoted: false });
      break;
    }
    const reader = new WordReader(line, at);
    words.push(reader.read());
    ({ at, open } = reader);
  }
  return { words, open };
}

/** Reads one word. */
class WordReader {
  at: number;
  open: SplitLine['open'];
  readonly #line: string;
  readonly #start: number;
  #text = '';
  #quoted = false;

  constructor(line: string, start: number) {
    this.#line = line;
    this.#start = start;
    this.at = start;
  }

  read(): Word {
    while (this.at < this.#line.length) {
      const character = this.#line.charAt(this.at);
      if (this.open === undefined && BLANK.test(character)) break;
      this.at += this.#take(character);
    }
    return { text: this.#text, start: this.#start, raw: false, quoted: this.#quoted };
  }

  /** @returns how many characters of the line were taken. */
  #take(character: string): number {
    if (character === this.open) {
      this.open = undefined;
      return 1;
    }
    if (this.open === undefined && (character === '"' || character === "'")) {
      this.open = character;
      this.#quoted = true;
      return 1;
    }
    const next = this.#line.charAt(this.at + 1);
    if (character === '\\' && this.#escapes(next)) {
      this.#text += next;
      this.#quoted = true;
      return 2;
    }
    this.#text += character;
    return 1;
  }

  #escapes(next: string): boolean {
    if (next === '') return false;
    if (this.open === "'") return false;
    return this.open === '"' ? next === '"' || next === '\\' : ESCAPABLE.test(next);
  }
}

const PLAIN = /^[^\s"'\\{[~][^\s"'\\]*$/;

/** A text as a word that {@link splitLine} reads as that text. */
export function quoteWord(text: string): string {
  return PLAIN.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
