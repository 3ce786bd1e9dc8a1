import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { abortable, delay } from '../../client/index.js';
import { aboutOf, type Asker, type Question } from '../keyboard.js';
import type { Terminal } from '../terminal.js';
import type { EditedLine, EditorMode } from './edited-line.js';
import { rowsOf, ScreenOutput, type ScreenStream } from './screen-output.js';

/** For how long keys that were pressed before a question are not taken for its answer, in milliseconds. */
const TYPED_AHEAD_MS = 40;
/** How often a question that shows a time is drawn, in milliseconds. */
const REDRAW_MS = 1_000;
const HISTORY_SIZE = 1_000;

/** Lends the terminal to something else, and takes it back when that has ended. */
export type Suspend = (use: () => Promise<void>) => Promise<void>;

/** What a {@link LineEditor} works with. */
export interface LineEditorOptions {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(raw: boolean): unknown };
  readonly output: ScreenStream;
  /** What is printed through it goes above the line that is being edited. */
  readonly terminal: Terminal;
  /** Past lines, the newest first. */
  readonly history: readonly string[];
  /** What Tab offers for the line up to the cursor, and which end of it that stands for. */
  readonly complete: (line: string) => [string[], string];
}

/**
 * Reads lines and answers from a terminal with `node:readline`: editing, Tab, past lines. Output that comes meanwhile
 * stands above the line, a question takes its place until it is answered, and what was typed before is then there again.
 */
export class LineEditor implements Asker, Disposable {
  readonly #options: LineEditorOptions;
  readonly #screen: ScreenOutput;
  #readline: Interface;
  #mode: EditorMode = 'nothing';
  #shown = false;
  #prompt = '';
  #hidden = false;
  #status: readonly string[] = [];
  #history: string[];
  #closed = false;
  #suspended = false;
  #settle: ((line: string | undefined) => void) | undefined;
  readonly #typedAhead: string[] = [];
  #lastQuestion: Promise<unknown> = Promise.resolve();
  #interrupts = 0;

  /** Called at Ctrl-C while a command runs. */
  onInterrupt: () => void = () => undefined;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    this.#history = [...options.history];
    this.#screen = new ScreenOutput(options.output);
    this.#readline = this.#open();
    options.terminal.overlay = {
      hide: () => {
        this.#hide();
      },
      show: () => {
        this.#show();
      },
    };
    options.input.prependListener('keypress', this.#onKey);
  }

  /** Lines above the one that is edited, or at the end of the screen while a command runs: what is going on now. */
  setStatus(lines: readonly string[]): void {
    if (lines.length === this.#status.length && lines.every((line, index) => line === this.#status[index])) return;
    const wasShown = this.#shown;
    if (this.#drawsItself) this.#hide();
    this.#status = lines;
    if (wasShown || this.#mode === 'nothing') this.#show();
  }

  /**
   * Reads a command.
   *
   * @returns `undefined` at the end: Ctrl-D, or Ctrl-C twice on an empty line.
   */
  async readLine(prompt: string): Promise<string | undefined> {
    const typed = this.#typedAhead.shift();
    if (typed !== undefined || this.#closed) {
      if (typed !== undefined) this.#options.terminal.log(`${prompt}${typed}\n`);
      return typed;
    }
    this.#enter('command', prompt);
    const line = await new Promise<string | undefined>((resolve) => {
      this.#settle = resolve;
    });
    this.#leave();
    return line;
  }

  /**
   * Asks a question, once those before it are answered.
   *
   * @returns the line that was typed; `undefined` at Ctrl-C, Ctrl-D and the end of input.
   * @throws the signal's reason.
   */
  ask(question: Question, signal: AbortSignal): Promise<string | undefined> {
    const answer = abortable(this.#lastQuestion, signal).then(() => this.#ask(question, signal));
    this.#lastQuestion = Promise.allSettled([this.#lastQuestion, answer]);
    return answer;
  }

  /** Lends the terminal to another program while a command runs. */
  readonly suspend: Suspend = async (use) => {
    this.#suspended = true;
    this.#hide();
    this.#readline.close();
    try {
      await use();
    } finally {
      this.#readline = this.#open();
      this.#suspended = false;
    }
  };

  /** Gives the terminal back. Idempotent. */
  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#hide();
    this.#closed = true;
    this.#options.terminal.overlay = undefined;
    this.#options.input.off('keypress', this.#onKey);
    this.#readline.close();
    this.#screen.destroy();
    this.#settle?.(undefined);
  }

  async #ask(asked: Question, signal: AbortSignal): Promise<string | undefined> {
    const { question, hidden = false } = asked;
    await delay(TYPED_AHEAD_MS, signal);
    const about = aboutOf(asked);
    if (this.#closed || about === undefined) return undefined;
    const before = this.#setAside();
    if (about !== '') this.#options.terminal.note(about);
    const text = typeof question === 'string' ? () => question : question;
    this.#hidden = hidden;
    this.#enter('question', text());
    const redraw = setInterval(() => {
      this.#setPrompt(text());
    }, REDRAW_MS);
    let ending = '(not answered)';
    try {
      const line = await abortable(
        new Promise<string | undefined>((resolve) => {
          this.#settle = resolve;
        }),
        signal,
      );
      if (line !== undefined) ending = '';
      return line;
    } finally {
      clearInterval(redraw);
      this.#closeQuestion(ending, before);
    }
  }

  /** Takes what is being edited off the screen, to be put back later. */
  #setAside(): EditedLine {
    const before = {
      mode: this.#mode,
      prompt: this.#prompt,
      settle: this.#settle,
      text: this.#readline.line,
      cursor: this.#readline.cursor,
      history: [...this.#history],
    };
    this.#hide();
    this.#mode = 'nothing';
    this.#replaceText('', 0);
    return before;
  }

  #closeQuestion(ending: string, before: EditedLine): void {
    const isHidden = this.#hidden;
    this.#hidden = false;
    // Where a line was typed, readline has ended it on the screen.
    if (this.#shown && (ending !== '' || isHidden)) this.#screen.draw(`${ending}\n`);
    this.#shown = false;
    this.#screen.muted = true;
    this.#history.splice(0, this.#history.length, ...before.history);
    this.#replaceText(before.text, before.cursor);
    this.#settle = before.settle;
    this.#mode = before.mode;
    this.#prompt = before.prompt;
    if (!this.#closed) this.#show();
  }

  #enter(mode: EditorMode, prompt: string): void {
    this.#hide();
    this.#mode = mode;
    this.#prompt = prompt;
    this.#show();
  }

  #leave(): void {
    this.#settle = undefined;
    this.#shown = false;
    this.#screen.muted = true;
    this.#mode = 'nothing';
    if (!this.#closed) this.#show();
  }

  #setPrompt(prompt: string): void {
    if (prompt === this.#prompt) return;
    const wasShown = this.#shown;
    if (this.#drawsItself) this.#hide();
    this.#prompt = prompt;
    if (wasShown) this.#show();
  }

  #show(): void {
    if (this.#closed || this.#suspended) return;
    if (this.#drawsItself) {
      const lines = this.#ownLines();
      this.#screen.draw(lines.join('\n'));
      this.#shown = lines.length > 0;
      return;
    }
    // Else readline would go up by the rows of what stood there before.
    if (!this.#shown) this.#rowsOfReadline = 0;
    this.#shown = true;
    this.#screen.muted = false;
    this.#readline.setPrompt([...this.#status, this.#prompt].join('\n'));
    this.#readline.prompt(true);
  }

  /** Where readline shows nothing: while a command runs, and where what is typed is hidden. */
  get #drawsItself(): boolean {
    return this.#mode === 'nothing' || this.#hidden;
  }

  #ownLines(): readonly string[] {
    return this.#mode === 'nothing' ? this.#status : [...this.#status, this.#prompt];
  }

  #hide(): void {
    if (!this.#shown) return;
    this.#shown = false;
    const rows = this.#cursorRow();
    this.#screen.draw(`\r${rows > 0 ? `\u001B[${rows}A` : ''}\u001B[J`);
    this.#screen.muted = true;
  }

  #cursorRow(): number {
    if (this.#drawsItself) return rowsOf(this.#ownLines(), this.#screen.columns) - 1;
    return this.#readline.getCursorPos().rows;
  }

  /** Replaces what is being edited, without showing it. */
  #replaceText(text: string, cursor: number): void {
    const { muted } = this.#screen;
    this.#screen.muted = true;
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
    if (text !== '') this.#readline.write(text);
    for (let at = text.length; at > cursor; at -= 1) this.#readline.write(null, { name: 'left' });
    this.#screen.muted = muted;
  }

  set #rowsOfReadline(rows: number) {
    // Where readline believes its cursor to be, after others have written.
    (this.#readline as unknown as { prevRows: number }).prevRows = rows;
  }

  #open(): Interface {
    const { input, complete } = this.#options;
    const readline = createInterface({
      input,
      output: this.#screen,
      terminal: true,
      history: this.#history,
      historySize: HISTORY_SIZE,
      removeHistoryDuplicates: true,
      completer: (line: string): [string[], string] => (this.#mode === 'command' ? complete(line) : [[], line]),
    });
    // The very list that readline changes.
    this.#history = (readline as unknown as { history: string[] }).history;
    readline.on('line', (line) => {
      this.#onLine(line);
    });
    readline.on('SIGINT', () => {
      this.#onInterrupt();
    });
    readline.on('close', () => {
      if (readline === this.#readline && !this.#suspended) this.#onEnd();
    });
    return readline;
  }

  #onLine(line: string): void {
    this.#interrupts = 0;
    if (this.#settle === undefined) this.#typedAhead.push(line);
    else this.#take(line);
  }

  #take(line: string | undefined): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(line);
  }

  #onInterrupt(): void {
    const { terminal } = this.#options;
    if (this.#mode === 'nothing') {
      this.#typedAhead.length = 0;
      this.#replaceText('', 0);
      this.onInterrupt();
    } else if (this.#mode === 'question') {
      this.#take(undefined);
    } else if (this.#readline.line !== '') {
      this.#screen.draw('^C\n');
      this.#shown = false;
      this.#replaceText('', 0);
      this.#show();
    } else if (this.#interrupts > 0) {
      this.#screen.draw('\n');
      this.#take(undefined);
    } else {
      this.#interrupts += 1;
      terminal.note('Ctrl-C again, Ctrl-D or quit leaves');
    }
  }

  /** Ctrl-D closes readline, also where only a question was meant. */
  #onEnd(): void {
    if (this.#closed) return;
    const ended = this.#options.input.readableEnded || this.#options.input.destroyed;
    if (this.#mode === 'question' && !ended) {
      this.#readline = this.#open();
      this.#take(undefined);
      return;
    }
    if (this.#shown) this.#screen.draw('\n');
    this.#shown = false;
    this.#closed = true;
    this.#options.terminal.overlay = undefined;
    this.#take(undefined);
  }

  /** What was going on does not stay on the screen with the line that is ended. */
  readonly #onKey = (_text: string | undefined, key: { name?: string } | undefined): void => {
    const ends = key?.name === 'return' || key?.name === 'enter';
    if (!ends || this.#mode === 'nothing' || this.#status.length === 0 || this.#hidden) return;
    this.#readline.setPrompt(this.#prompt);
    this.#readline.prompt(true);
  };
}
