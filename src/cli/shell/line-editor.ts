import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { abortable, delay } from '../../client/index.js';
import { inForeground } from '../terminal/in-foreground.js';
import { aboutOf, type Asker, type Question } from '../terminal/keyboard.js';
import type { Terminal } from '../terminal/terminal.js';
import { EditorView } from './editor-view.js';
import { PasteGuard } from './paste-guard.js';
import { ScreenOutput, type ScreenStream } from './screen-output.js';

/** For how long keys that were pressed before a question are not taken for its answer, in milliseconds. */
const TYPED_AHEAD_MS = 40;
/** How often a question that shows a time is drawn, in milliseconds. */
const REDRAW_MS = 1_000;
/** How often a process in the background looks whether it has come to the foreground, in milliseconds. */
const FOREGROUND_MS = 250;
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
  /** Whether the terminal wraps anew what stands there when its size changes. @default true */
  readonly reflows?: boolean;
  /** What Tab offers for the line up to the cursor, and which end of it that stands for. */
  readonly complete: (line: string) => [string[], string];
}

/** What is being edited. `nothing`: a command runs; what is typed meanwhile is kept for later. */
type Mode = 'nothing' | 'command' | 'question';

/** What was being edited when a question came. */
interface EditedLine {
  readonly mode: Mode;
  readonly prompt: string | undefined;
  readonly settle: ((line: string | undefined) => void) | undefined;
  readonly text: string;
  readonly cursor: number;
  readonly history: readonly string[];
}

/**
 * Reads lines and answers from a terminal with `node:readline`: editing, Tab, past lines. Output that comes meanwhile
 * stands above the line, a question takes its place until it is answered, and what was typed before is then there again.
 */
export class LineEditor implements Asker, Disposable {
  readonly #options: LineEditorOptions;
  readonly #screen: ScreenOutput;
  readonly #view: EditorView;
  readonly #pastes: PasteGuard;
  #readline: Interface;
  #mode: Mode = 'nothing';
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
    this.#view = new EditorView(this.#screen, () => this.#readline);
    const recount = (): void => {
      this.#view.recount();
    };
    this.#pastes = new PasteGuard(() => this.#readline, recount);
    // Before readline draws its line anew.
    if (options.reflows ?? true) this.#screen.prependListener('resize', recount);
    options.terminal.overlay = this.#view;
    options.input.prependListener('keypress', this.#onKey);
  }

  /** Lines above the one that is edited, or at the end of the screen while a command runs: what is going on now. */
  setStatus(lines: readonly string[]): void {
    this.#view.setStatus(lines);
  }

  /**
   * Reads a command.
   *
   * @returns `undefined` at the end: Ctrl-D, or Ctrl-C twice on an empty line.
   */
  async readLine(prompt: string): Promise<string | undefined> {
    const typed = this.#typedAhead.shift();
    if (typed !== undefined) this.#options.terminal.log(`${prompt}${typed}\n`);
    if (typed !== undefined || this.#closed) return typed;
    this.#mode = 'command';
    this.#view.edit(prompt);
    const line = await this.#nextLine();
    this.#endCommand();
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

  /** Lends the terminal to another program; what is being typed is there again afterwards. */
  readonly suspend: Suspend = async (use) => {
    const { line, cursor } = this.#readline;
    this.#view.away = true;
    this.#suspended = true;
    this.#readline.close();
    try {
      await use();
    } finally {
      if (!this.#closed) {
        this.#readline = this.#open();
        this.#suspended = false;
        this.#replaceText(line, cursor);
        this.#view.away = false;
      }
    }
  };

  /** Gives the terminal back. Idempotent. */
  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#close();
    this.#readline.close();
  }

  async #ask(asked: Question, signal: AbortSignal): Promise<string | undefined> {
    const { question, hidden = false } = asked;
    await delay(TYPED_AHEAD_MS, signal);
    const about = aboutOf(asked);
    if (this.#closed || about === undefined) return undefined;
    const before = this.#setAside();
    if (about !== '') this.#tell(about);
    if (this.#suspended) this.#options.terminal.note('bring this command to the foreground (fg) to answer');
    const text = typeof question === 'string' ? () => question : question;
    this.#mode = 'question';
    this.#view.edit(text(), { hidden });
    const redraw = setInterval(() => {
      this.#view.setPrompt(text());
    }, REDRAW_MS);
    let ending = '(not answered)\n';
    try {
      const line = await abortable(this.#nextLine(), signal);
      // Where a line was typed and seen, readline has ended it.
      if (line !== undefined) ending = hidden ? '\n' : '';
      return line;
    } finally {
      clearInterval(redraw);
      this.#view.end(ending);
      this.#putBack(before);
    }
  }

  /** Where the question is shown too: nobody is to answer one of which the half went into a file. */
  #tell(about: string): void {
    const { terminal } = this.#options;
    if (terminal.attended) terminal.note(about);
    else terminal.line(about);
  }

  #nextLine(): Promise<string | undefined> {
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Takes what is being edited off the screen, to be put back later. */
  #setAside(): EditedLine {
    const before = {
      mode: this.#mode,
      prompt: this.#view.prompt,
      settle: this.#settle,
      text: this.#readline.line,
      cursor: this.#readline.cursor,
      history: [...this.#history],
    };
    this.#view.edit(undefined);
    this.#mode = 'nothing';
    this.#replaceText('', 0);
    return before;
  }

  #putBack({ mode, prompt, settle, text, cursor, history }: EditedLine): void {
    // An answer is no past line.
    this.#history.splice(0, this.#history.length, ...history);
    if (this.#closed) {
      settle?.(undefined);
      return;
    }
    this.#replaceText(text, cursor);
    this.#settle = settle;
    this.#mode = mode;
    this.#view.edit(prompt);
  }

  /** Replaces what is being edited, without showing it. By its properties: keys mean less where `TERM` is `dumb`. */
  #replaceText(text: string, cursor: number): void {
    Object.assign(this.#readline, { line: text, cursor });
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
    readline.on('SIGTSTP', () => {
      void this.#stopProcess();
    });
    readline.on('close', () => {
      if (readline === this.#readline && !this.#suspended) this.#onEnd();
    });
    return readline;
  }

  /** Ctrl-Z. In the background the process goes on without its terminal, which it must not touch there. */
  async #stopProcess(): Promise<void> {
    await this.suspend(async () => {
      process.kill(process.pid, 'SIGTSTP');
      do await delay(FOREGROUND_MS);
      while (!this.#closed && !inForeground());
    });
  }

  #onLine(line: string): void {
    this.#interrupts = 0;
    if (this.#settle === undefined) {
      this.#typedAhead.push(line);
      return;
    }
    // At once: what came together with the line is typed ahead, and not shown behind it.
    if (this.#mode === 'command') this.#endCommand();
    this.#take(line);
  }

  #endCommand(): void {
    this.#mode = 'nothing';
    this.#view.end();
    this.#view.edit(undefined);
  }

  #take(line: string | undefined): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(line);
  }

  #onInterrupt(): void {
    if (this.#mode === 'nothing') {
      this.#typedAhead.length = 0;
      this.#replaceText('', 0);
      this.onInterrupt();
    } else if (this.#mode === 'question') {
      this.#take(undefined);
    } else if (this.#readline.line !== '') {
      this.#view.end('^C\n');
      this.#replaceText('', 0);
      this.#view.show();
    } else if (this.#interrupts > 0) {
      this.#view.end('\n');
      this.#take(undefined);
    } else {
      this.#interrupts += 1;
      this.#options.terminal.note('Ctrl-C again, Ctrl-D or quit leaves');
    }
  }

  /** Ctrl-D closes readline, also where only a question was meant. */
  #onEnd(): void {
    if (this.#closed) return;
    const { input } = this.#options;
    if (this.#mode === 'question' && !input.readableEnded && !input.destroyed) {
      this.#readline = this.#open();
      this.#take(undefined);
      return;
    }
    this.#view.end('\n');
    this.#close();
  }

  #close(): void {
    this.#view.away = true;
    this.#closed = true;
    this.#options.terminal.overlay = undefined;
    this.#options.input.off('keypress', this.#onKey);
    this.#screen.destroy();
    this.#take(undefined);
  }

  readonly #onKey = (_text: string | undefined, key: { name?: string } | undefined): void => {
    this.#pastes.onKey(key);
    if (key?.name === 'return' || key?.name === 'enter') this.#view.beforeEnd();
  };
}
