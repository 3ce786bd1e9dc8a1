import { expect, vi } from 'vitest';
import type { Computer, ComputerOptions } from '../../src/computer/index.js';
import type { ComputerContext } from '../../src/cli/computer-shell/computer-context.js';
import { namesOf } from '../../src/cli/computer-shell/names.js';
import { OfficeSession } from '../../src/cli/computer-shell/office-session.js';
import { COMPUTER_COMMANDS } from '../../src/cli/computer-shell/table.js';
import type { Suspend } from '../../src/cli/shell/line-editor.js';
import { Shell, type LineSource } from '../../src/cli/shell/shell.js';
import { Terminal } from '../../src/cli/terminal/terminal.js';
import { COMPUTER, Office, OFFICE, type OfficeSetup } from '../fixtures/computer/office.js';

/** Lines that a test gives one after the other. */
class GivenLines implements LineSource {
  onInterrupt: () => void = () => undefined;
  readonly #lines: string[];

  constructor(lines: readonly string[]) {
    this.#lines = [...lines];
  }

  readLine(): Promise<string | undefined> {
    return Promise.resolve(this.#lines.shift());
  }
}

/** A line that is being run. */
export interface RunningLine {
  /** Ctrl-C. */
  interrupt(): void;
  /** Settled when it is over. */
  readonly ended: Promise<void>;
}

/** How the shell of a test is made. */
export interface ShellSetup {
  /** The configuration files that it says it was started with. */
  readonly files?: readonly string[];
  readonly width?: number;
  readonly json?: boolean;
  /** Stands in for a terminal that can be lent to an editor. */
  readonly suspend?: Suspend;
}

/** The shell of a Computer in an office, with real MCP servers and a real Server; only the keyboard is the test's. */
export class OwnerShell implements AsyncDisposable {
  readonly office: Office;
  readonly shell: Shell<ComputerContext>;
  readonly session: OfficeSession;
  /** The lines that a file of past lines would get. */
  readonly remembered: string[] = [];
  #screen = '';

  private constructor(office: Office, { files = [], width = 120, json = false, suspend }: ShellSetup) {
    this.office = office;
    this.session = new OfficeSession(office.computer, { url: office.url, office: OFFICE }, (problem) => {
      this.#screen += `problem: ${problem.message}\n`;
    });
    const write = (text: string | Uint8Array): void => {
      this.#screen += String(text);
    };
    const terminal = new Terminal({ write, columns: width }, { write }, false);
    this.shell = new Shell({
      context: { computer: office.computer, office: this.session, files, suspend },
      commands: COMPUTER_COMMANDS,
      names: namesOf(office.computer),
      prompt: () => 'a2c> ',
      terminal,
      json,
      remember: (line) => this.remembered.push(line),
    });
  }

  /** Opens the office; its Computer has joined, and its MCP servers are at an outcome. */
  static async open(setup: OfficeSetup, shellSetup: ShellSetup = {}): Promise<OwnerShell> {
    const shell = new OwnerShell(await Office.open(setup), shellSetup);
    await shell.session.join(OFFICE, COMPUTER);
    return shell;
  }

  get computer(): Computer {
    return this.office.computer;
  }

  /** Runs the lines. @returns what they printed. */
  async type(...lines: string[]): Promise<string> {
    this.#screen = '';
    const source = new GivenLines(lines);
    await this.shell.run(source, new AbortController().signal);
    return this.#screen;
  }

  /** Begins to run a line. */
  begin(line: string): RunningLine {
    this.#screen = '';
    const source = new GivenLines([line]);
    const ended = this.shell.run(source, new AbortController().signal);
    return {
      ended,
      interrupt: () => {
        source.onInterrupt();
      },
    };
  }

  /** Waits until something is on the screen. @returns all that is. */
  async shows(text: string | RegExp): Promise<string> {
    return vi.waitFor(() => {
      expect(this.#screen).toMatch(text);
      return this.#screen;
    });
  }

  /** Runs a line with `--json`. @returns the value that it printed. */
  async value(line: string): Promise<unknown> {
    const words = line.split(' ');
    const at = words.findIndex((word) => /^[{[]/.test(word));
    words.splice(at < 0 ? words.length : at, 0, '--json');
    return JSON.parse(await this.type(words.join(' '))) as unknown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    await this.office[Symbol.asyncDispose]();
  }
}

/** Options that a shell's Computer usually has in tests. */
export const QUIET: Pick<ComputerOptions, 'env' | 'hosting'> = { env: {}, hosting: { restarts: { maxRestarts: 0 } } };
