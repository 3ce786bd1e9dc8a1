import { inForeground } from '../terminal/in-foreground.js';
import { printable } from '../terminal/printable.js';
import type { LineEditor } from '../shell/line-editor.js';
import { PipedLines } from '../shell/piped-lines.js';
import { openEditor } from '../shell/open-editor.js';
import { Shell, type LineSource } from '../shell/shell.js';
import type { Terminal } from '../terminal/terminal.js';
import type { AgentContext } from './agent-context.js';
import { fitting } from './call-clock.js';
import { namesOf } from './names.js';
import { AGENT_COMMANDS } from './table.js';

/** Where an Agent's commands come from. */
export interface AgentConsole extends Disposable {
  /** `terminal`: a person types; `pipe`: a script. */
  readonly kind: 'terminal' | 'pipe';
  /** Shows a line at the end of the screen; none takes it away. */
  readonly live: (line: string | undefined) => void;
  /**
   * Runs commands until the source ends, somebody leaves, or the signal aborts.
   *
   * @returns whether none of them failed.
   */
  run(context: AgentContext, signal: AbortSignal): Promise<boolean>;
}

/** Whether a person sits at the terminal, who can be asked for commands. */
export function hasPerson(terminal: Terminal): boolean {
  // In the background a program that touches its terminal is stopped by the system.
  return [process.stdin.isTTY, terminal.interactive, inForeground()].every(Boolean);
}

/** Opens a line editor on a terminal. */
export function terminalConsole(terminal: Terminal): AgentConsole {
  let shell: Shell<AgentContext> | undefined;
  const { editor, history } = openEditor('agent', terminal, (line) => shell?.complete(line) ?? [[], line]);
  return {
    kind: 'terminal',
    live: (line) => {
      editor.setStatus(line === undefined ? [] : [fitting(line, terminal)]);
    },
    run: async (context, signal) => {
      shell = shellOf(context, terminal, (line) => {
        history.add(line);
      });
      await runUntil(shell, editor, signal);
      return true;
    },
    [Symbol.dispose]: () => {
      editor[Symbol.dispose]();
    },
  };
}

async function runUntil(shell: Shell<AgentContext>, editor: LineEditor, signal: AbortSignal): Promise<void> {
  const close = (): void => {
    editor[Symbol.dispose]();
  };
  signal.addEventListener('abort', close, { once: true });
  try {
    await shell.run(editor, signal);
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** Reads commands from stdin, whatever it is. */
export function pipeConsole(terminal: Terminal, signal: AbortSignal): AgentConsole {
  const lines: LineSource & Disposable = new PipedLines(process.stdin, signal);
  return {
    kind: 'pipe',
    live: () => undefined,
    run: async (context, until) => {
      const shell = shellOf(context, terminal, () => undefined);
      await shell.run(lines, until);
      return !shell.failed;
    },
    [Symbol.dispose]: () => {
      lines[Symbol.dispose]();
    },
  };
}

function shellOf(context: AgentContext, terminal: Terminal, remember: (line: string) => void): Shell<AgentContext> {
  const { selection, office, json } = context;
  return new Shell({
    context,
    commands: AGENT_COMMANDS,
    names: namesOf(context),
    prompt: () => `a2c:${printable(selection.used ?? office)}> `,
    terminal,
    json,
    remember,
  });
}
