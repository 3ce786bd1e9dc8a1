import { inForeground } from '../terminal/in-foreground.js';
import { keyboardOf, type Asker } from '../terminal/keyboard.js';
import type { Suspend } from '../shell/line-editor.js';
import { PipedLines } from '../shell/piped-lines.js';
import { openEditor } from '../shell/open-editor.js';
import { Shell, type LineSource } from '../shell/shell.js';
import type { Terminal } from '../terminal/terminal.js';
import type { ComputerContext } from './computer-context.js';
import { LiveStatus } from './live-status.js';
import { namesOf } from './names.js';
import { COMPUTER_COMMANDS } from './table.js';

/** What the flags and the streams say about who is there. */
export interface ConsoleOptions {
  readonly headless: boolean;
  readonly json: boolean;
  /** Commands are read from stdin, whatever it is. */
  readonly shell: boolean;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The owner's place at a Computer: who is asked, and where commands come from, if from anywhere. */
export interface OwnerConsole extends Disposable {
  readonly asker: Asker | undefined;
  /** `terminal`: a person types; `pipe`: a script. Absent: nobody gives commands. */
  readonly kind: 'terminal' | 'pipe' | undefined;
  readonly suspend: Suspend | undefined;
  /**
   * Runs commands until the source ends, somebody leaves, or the signal aborts.
   *
   * @returns whether none of them failed.
   */
  run(context: ComputerContext): Promise<boolean>;
}

/** Opens the owner's place: a shell on a terminal, commands from a pipe where `--shell` says so, or questions alone. */
export function openConsole(options: ConsoleOptions): OwnerConsole {
  const { headless, json, shell, terminal } = options;
  const isTerminal = process.stdin.isTTY && terminal.interactive;
  // In the background a program that touches its terminal is stopped by the system.
  if (isTerminal && !headless && (shell || !json) && inForeground()) return terminalConsole(options);
  if (shell && !process.stdin.isTTY) return pipeConsole(options);
  return {
    asker: keyboardOf({ headless }, terminal),
    kind: undefined,
    suspend: undefined,
    run: () => Promise.resolve(true),
    [Symbol.dispose]: () => undefined,
  };
}

function terminalConsole(options: ConsoleOptions): OwnerConsole {
  const { terminal, signal } = options;
  let shell: Shell<ComputerContext> | undefined;
  const { editor, history } = openEditor('computer', terminal, (line) => shell?.complete(line) ?? [[], line]);
  const close = (): void => {
    editor[Symbol.dispose]();
  };
  signal.addEventListener('abort', close, { once: true });
  return {
    asker: editor,
    kind: 'terminal',
    suspend: editor.suspend,
    run: async (context) => {
      shell = shellOf(context, options, (line) => {
        history.add(context.computer.redact(line));
      });
      // What cannot move its cursor would show every step of it.
      const status =
        process.env['TERM'] === 'dumb' ? undefined : new LiveStatus(context.computer, editor, () => terminal.width);
      terminal.note(terminal.style('dim', 'help lists the commands, Tab completes them, quit leaves'));
      try {
        await shell.run(editor, signal);
      } finally {
        status?.[Symbol.dispose]();
      }
      return true;
    },
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}

function pipeConsole(options: ConsoleOptions): OwnerConsole {
  const lines: LineSource & Disposable = new PipedLines(process.stdin, options.signal);
  return {
    asker: undefined,
    kind: 'pipe',
    suspend: undefined,
    run: async (context) => {
      const shell = shellOf(context, options, () => undefined);
      await shell.run(lines, options.signal);
      return !shell.failed;
    },
    [Symbol.dispose]: () => {
      lines[Symbol.dispose]();
    },
  };
}

function shellOf(
  context: ComputerContext,
  { terminal, json }: ConsoleOptions,
  remember: (line: string) => void,
): Shell<ComputerContext> {
  return new Shell({
    context,
    commands: COMPUTER_COMMANDS,
    names: namesOf(context.computer),
    prompt: () => 'a2c> ',
    terminal,
    json,
    remember,
  });
}
