import { abortable, delay } from '../../client/index.js';
import { inForeground } from './in-foreground.js';
import type { Terminal } from './terminal.js';

/** What is used of a terminal's stdin. */
export interface KeyboardInput {
  readonly isTTY?: boolean;
  setRawMode(raw: boolean): unknown;
  on(event: 'data' | 'end', listener: (chunk: Uint8Array | string) => void): unknown;
  off(event: 'data' | 'end', listener: (chunk: Uint8Array | string) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** For how long keys that were pressed before the question are taken away, in milliseconds. */
const TYPED_AHEAD_MS = 40;
/** How often a command in the background looks whether it has come to the foreground, in milliseconds. */
const FOREGROUND_MS = 250;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const BACKSPACE = /[\b\u007f]/;

/** What a person is asked. */
export interface Question {
  /** Stands above it. A function is asked when its turn has come: `undefined` when the question is not wanted any more. */
  readonly about: string | (() => string | undefined);
  /** A function, where it changes with the time: the terminal that can shows it anew each second. */
  readonly question: string | (() => string);
  /** What is typed is not shown. @default false */
  readonly hidden?: boolean;
}

/** Where a person is asked. */
export interface Asker {
  /**
   * Asks a question, once those before it are answered. What was typed before it was shown answers nothing.
   *
   * @returns the line that was typed; `undefined` where there is no answer.
   * @throws the signal's reason.
   */
  ask(question: Question, signal: AbortSignal): Promise<string | undefined>;
}

/** What stands above a question; `undefined` when it is not wanted any more. */
export function aboutOf({ about }: Question): string | undefined {
  return typeof about === 'string' ? about : about();
}

/** The keyboard of the person at the terminal; `undefined` where nobody can be asked. */
export function keyboardOf(
  { headless }: { readonly headless: boolean },
  terminal: Terminal,
  input: KeyboardInput = process.stdin,
): Keyboard | undefined {
  return headless || input.isTTY !== true ? undefined : new Keyboard(input, terminal);
}

/**
 * Reads answers from a terminal. Between questions it does not read: the system would stop a command in the background
 * that does. While it reads, the terminal edits the line and makes signals of keys as it always does.
 */
export class Keyboard implements Asker {
  readonly #input: KeyboardInput;
  readonly #terminal: Terminal;
  /** One question at a time: two would share one terminal. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(input: KeyboardInput, terminal: Terminal) {
    this.#input = input;
    this.#terminal = terminal;
  }

  ask(question: Question, signal: AbortSignal): Promise<string | undefined> {
    const answer = abortable(this.#last, signal).then(() => this.#ask(question, signal));
    // One that is given up while it waits does not let the next one overtake those before it.
    this.#last = Promise.allSettled([this.#last, answer]);
    return answer;
  }

  async #ask(asked: Question, signal: AbortSignal): Promise<string | undefined> {
    const { question, hidden = false } = asked;
    signal.throwIfAborted();
    const about = aboutOf(asked);
    if (about === undefined) return undefined;
    await this.#foreground(about, signal);
    await this.#dropTypedAhead();
    signal.throwIfAborted();
    if (about !== '') this.#terminal.note(about);
    const close = this.#terminal.openQuestion(typeof question === 'string' ? question : question());
    try {
      const line = await (hidden ? this.#hiddenLine(signal) : this.#line(signal));
      close(hidden || line === undefined ? '\n' : '');
      return line;
    } catch (error) {
      close('(not answered)\n');
      throw error;
    }
  }

  async #foreground(about: string, signal: AbortSignal): Promise<void> {
    if (inForeground()) return;
    this.#terminal.note(
      `${about === '' ? 'There is a question' : about}: bring this command to the foreground (fg) to answer`,
    );
    while (!inForeground()) await delay(FOREGROUND_MS, signal);
  }

  /** In raw mode the terminal also hands over a line that was begun and not ended. */
  async #dropTypedAhead(): Promise<void> {
    const drop = (chunk: Uint8Array | string): void => {
      if (textOf(chunk).includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
    };
    this.#input.setRawMode(true);
    this.#input.on('data', drop);
    this.#input.resume();
    await delay(TYPED_AHEAD_MS);
    this.#input.off('data', drop);
    this.#input.setRawMode(false);
  }

  /** The terminal edits the line and shows it. */
  async #line(signal: AbortSignal): Promise<string | undefined> {
    let typed = '';
    return this.#read(signal, (text, settle) => {
      typed += text;
      if (/[\r\n]/.test(typed)) settle(typed.split(/[\r\n]/, 1)[0]);
    });
  }

  /** The terminal hands over each key; nothing is shown. */
  async #hiddenLine(signal: AbortSignal): Promise<string | undefined> {
    const typed: string[] = [];
    this.#input.setRawMode(true);
    try {
      return await this.#read(signal, (text, settle) => {
        for (const key of text) {
          const isEnd = key === '\r' || key === '\n';
          if (isEnd || (key === CTRL_D && typed.length === 0)) {
            settle(isEnd ? typed.join('') : undefined);
            return;
          }
          if (key === CTRL_C) process.kill(process.pid, 'SIGINT');
          else if (BACKSPACE.test(key)) typed.pop();
          else typed.push(key);
        }
      });
    } finally {
      this.#input.setRawMode(false);
    }
  }

  async #read(
    signal: AbortSignal,
    onText: (text: string, settle: (line: string | undefined) => void) => void,
  ): Promise<string | undefined> {
    let settle: (line: string | undefined) => void = () => undefined;
    const line = new Promise<string | undefined>((resolve) => {
      settle = resolve;
    });
    const take = (chunk: Uint8Array | string): void => {
      onText(textOf(chunk), settle);
    };
    const end = (): void => {
      settle(undefined);
    };
    this.#input.on('data', take);
    this.#input.on('end', end);
    try {
      return await abortable(line, signal);
    } finally {
      this.#input.off('data', take);
      this.#input.off('end', end);
      this.#input.pause();
    }
  }
}

function textOf(chunk: Uint8Array | string): string {
  return typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
}
