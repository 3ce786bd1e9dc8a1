/** A line of a broken text and what stands for it. */
interface ShownLine {
  readonly number: number;
  readonly text: string;
}

/** What a text that is no JSON is taken apart into; everything else is a word. */
const TOKEN =
  /(\s+)|(\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?)|("(?:[^"\\\n]|\\[^\n])*"?)|([{}[\],:])|([^\s"{}[\],:/]+|\/)/y;
const PLAIN_KEY = /^"[\w$. @/-]{1,40}"$/;
const COLON = /\s*:/y;
const PLAIN_WORD = /^(true|false|null)$/;
const MASKED = '…';
const WIDTH = 100;

/**
 * The line of a broken JSON text at which reading it failed, with the one before it and a mark under the place. Only keys
 * and punctuation are shown: any value may be a secret, also one without its quotes.
 *
 * @param offset - in UTF-16 units.
 * @returns several lines, without a line break at the end.
 */
export function syntaxExcerpt(text: string, offset: number): string {
  const shown = new Masked(text, offset);
  const number = text.slice(0, offset).split('\n').length;
  const lines = [number - 1, number].flatMap((one): ShownLine[] => {
    const line = shown.line(one);
    return line === undefined || (one !== number && line.trim() === '') ? [] : [{ number: one, text: line }];
  });
  const start = Math.max(0, shown.column - WIDTH / 2);
  const gutter = String(number).length;
  const rows = lines.map(
    (line) => `${String(line.number).padStart(gutter)} │ ${line.text.slice(start, start + WIDTH)}`,
  );
  return [...rows, `${' '.repeat(gutter)} │ ${' '.repeat(shown.column - start)}^`].join('\n');
}

/** A text with everything taken out that may be a secret; its lines are those of the original. */
class Masked {
  readonly #lines: string[] = [''];
  /** The brackets that are open. */
  readonly #open: string[] = [];
  /** The last bracket, comma, colon or word. */
  #previous = '';
  /** Where the place of the error is within its line as it is shown. */
  readonly column: number;

  constructor(text: string, offset: number) {
    let column: number | undefined;
    TOKEN.lastIndex = 0;
    for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
      const token = TOKEN.exec(text)?.[0] ?? '';
      if (token === '') break;
      if (column === undefined && offset < at + token.length) {
        column = this.#last.length + (/^\s/.test(token) ? offset - at : 0);
      }
      this.#add(this.#isKey(token, text, at + token.length) ? token : shownToken(token));
      this.#track(token);
    }
    this.column = Math.max(0, column ?? this.#last.length);
  }

  /** A line by its number from 1; `undefined` when there is none. */
  line(number: number): string | undefined {
    return this.#lines[number - 1];
  }

  get #last(): string {
    return this.#lines.at(-1) ?? '';
  }

  /** What stands where a value is expected may be a secret, whatever follows it. */
  #isKey(token: string, text: string, end: number): boolean {
    if (!PLAIN_KEY.test(token) || this.#previous === ':' || this.#open.at(-1) === '[') return false;
    COLON.lastIndex = end;
    return COLON.test(text);
  }

  #track(token: string): void {
    if (/^(\s|\/[/*])/.test(token)) return;
    this.#previous = token;
    if (token === '{' || token === '[') this.#open.push(token);
    else if (token === '}' || token === ']') this.#open.pop();
  }

  #add(text: string): void {
    const [first = '', ...others] = text.split(/\r?\n/);
    this.#lines[this.#lines.length - 1] = this.#last + first.replaceAll('\t', ' ');
    this.#lines.push(...others.map((line) => line.replaceAll('\t', ' ')));
  }
}

function shownToken(token: string): string {
  if (/^\s/.test(token) || /^[{}[\],:]$/.test(token) || PLAIN_WORD.test(token)) return token;
  if (token.startsWith('//')) return `// ${MASKED}`;
  if (token.startsWith('/*')) return `/* ${MASKED} */${'\n'.repeat(token.split('\n').length - 1)}`;
  if (!token.startsWith('"')) return MASKED;
  return token.length > 1 && token.endsWith('"') ? `"${MASKED}"` : `"${MASKED}`;
}
