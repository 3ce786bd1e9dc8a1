import { abortable, delay } from '../client/index.js';
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

/**
 * Reads answers from a terminal. Between questions it does not read: the system would stop a command in the background
 * that does. While it reads, the terminal edits the line and makes signals of keys as it always does.
 */
export class Keyboard {
  readonly #input: KeyboardInput;
  readonly #terminal: Terminal;

  constructor(input: KeyboardInput, terminal: Terminal) {
    this.#input = input;
    this.#terminal = terminal;
  }

  /**
   * Asks a question. What was typed before it was shown answers nothing.
   *
   * @returns the line that was typed; empty at the end of input.
   * @throws the signal's reason.
   */
  async ask(
    { about, question }: { readonly about: string; readonly question: string },
    signal: AbortSignal,
  ): Promise<string> {
    signal.throwIfAborted();
    await this.#foreground(about, signal);
    await this.#dropTypedAhead();
    signal.throwIfAborted();
    this.#terminal.note(about);
    const close = this.#terminal.openQuestion(question);
    try {
      const line = await this.#line(signal);
      close(line === undefined ? '\n' : '');
      return line ?? '';
    } catch (error) {
      close('(not answered)\n');
      throw error;
    }
  }

  async #foreground(about: string, signal: AbortSignal): Promise<void> {
    if (inForeground()) return;
    this.#terminal.note(`${about}: bring this command to the foreground (fg) to answer`);
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

  async #line(signal: AbortSignal): Promise<string | undefined> {
    let typed = '';
    let settle: (line: string | undefined) => void = () => undefined;
    const line = new Promise<string | undefined>((resolve) => {
      settle = resolve;
    });
    const take = (chunk: Uint8Array | string): void => {
      typed += textOf(chunk);
      if (/[\r\n]/.test(typed)) settle(typed.split(/[\r\n]/, 1)[0]);
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
