import { ProtocolError } from '../../protocol/index.js';
import { abortable, linkedSignal } from '../../client/index.js';
import { excerptOf, sentence } from '../describe-failure.js';
import { UsageError } from '../failure.js';
import { printable } from '../terminal/printable.js';
import { renderTable } from '../terminal/render-table.js';
import type { Terminal } from '../terminal/terminal.js';
import { completeLine } from './complete-line.js';
import { findCommand, parseCall, ShellUsageError, usageLines, type ParsedCall } from './parse-call.js';
import { shellCommands, type Names, type ShellCall, type ShellCommand } from './shell-command.js';
import { commandsNamed, helpLines, overviewRows } from './shell-help.js';
import { splitLine, type Word } from './split-line.js';

/** Where the lines of a shell come from. */
export interface LineSource {
  /** @returns `undefined` at the end. */
  readLine(prompt: string): Promise<string | undefined>;
  /** Called when the running command is to be cancelled. */
  onInterrupt: () => void;
}

/** What a shell is made of. */
export interface ShellOptions<C> {
  /** What its commands are about. */
  readonly context: C;
  readonly commands: readonly ShellCommand<C>[];
  /** What Tab offers; `command` is known already. */
  readonly names: Names;
  readonly prompt: () => string;
  readonly terminal: Terminal;
  /** Whether every result is one line of JSON. @default false */
  readonly json?: boolean;
  /** Gets each line that may be kept for later sessions. */
  readonly remember?: (line: string) => void;
}

/** What a failure is of, also where there is no such command. */
function nameOf(command: { readonly path: string } | undefined, [first]: readonly Word[]): string {
  return command?.path ?? first?.text ?? '';
}

/** Reads commands, runs one after the other, and prints what comes of them. Nothing that a command throws ends it. */
export class Shell<C> {
  /** Every command: those it was given, `help` and `quit`. */
  readonly table: readonly ShellCommand<C>[];
  readonly #options: ShellOptions<C>;
  #left = false;
  #failed = false;

  constructor(options: ShellOptions<C>) {
    this.#options = options;
    this.table = [...options.commands, ...this.#ownCommands()];
  }

  /** Whether a command has failed, or was used wrongly. */
  get failed(): boolean {
    return this.#failed;
  }

  /** What Tab offers at the end of a line. */
  complete(line: string): [string[], string] {
    return completeLine(line, this.table, (kind, given) =>
      kind === 'command' ? this.table.map(({ path }) => path) : this.#options.names(kind, given),
    );
  }

  /** Runs the commands of a source until it ends, somebody leaves, or the signal aborts. */
  async run(source: LineSource, signal: AbortSignal): Promise<void> {
    while (!this.#left && !signal.aborted) {
      const line = await source.readLine(this.#options.prompt());
      if (line === undefined) return;
      await this.#runLine(line, source, signal);
    }
  }

  async #runLine(line: string, source: LineSource, signal: AbortSignal): Promise<void> {
    const { words, open } = splitLine(line);
    if (words.length === 0) return;
    const cancel = new AbortController();
    const linked = linkedSignal([signal, cancel.signal]);
    source.onInterrupt = () => {
      cancel.abort();
    };
    try {
      if (open !== undefined) throw new UsageError(`a ${open} is missing: the quotes do not end`);
      const parsed = parseCall(words, this.table);
      this.#remember(line, parsed.command);
      await this.#call(parsed, linked.signal);
    } catch (error) {
      this.#failed = true;
      const command = findCommand(words, this.table)?.command;
      if (cancel.signal.aborted) this.#options.terminal.note(command?.goesOn ?? 'cancelled');
      else if (!signal.aborted) this.#fail(nameOf(command, words), error);
    } finally {
      source.onInterrupt = () => undefined;
      linked.release();
    }
  }

  async #call({ command, args, rest, flags }: ParsedCall<C>, signal: AbortSignal): Promise<void> {
    const { context, terminal } = this.#options;
    if (flags['help'] === true) {
      for (const line of helpLines(command)) terminal.line(line);
      return;
    }
    const call: ShellCall<C> = {
      context,
      args,
      rest,
      flags,
      terminal,
      signal,
      show: (value, render) => {
        // What was cancelled and goes on all the same has nothing more to say.
        if (signal.aborted) return;
        if (this.#options.json === true) terminal.json({ event: 'result', command: command.path, result: value });
        else if (flags['json'] === true) terminal.json(value);
        else render(terminal);
      },
    };
    try {
      // Whatever it waits for, its owner need not.
      await abortable(Promise.resolve(command.run(call)), signal);
    } catch (error) {
      const isOwn = error instanceof UsageError && !(error instanceof ShellUsageError);
      throw isOwn ? new ShellUsageError(error.message, usageLines(command)) : error;
    }
  }

  #fail(command: string, error: unknown): void {
    const { terminal, json = false } = this.#options;
    if (json) {
      const code = error instanceof ProtocolError ? { code: error.code } : {};
      terminal.json({ event: 'error', command, ...code, message: sentence(error) });
      return;
    }
    terminal.error(sentence(error));
    const excerpt = excerptOf(error);
    if (excerpt !== undefined) terminal.note(printable(excerpt));
    if (error instanceof ShellUsageError) for (const line of error.usage) terminal.note(`  ${line}`);
  }

  /** A line that begins with a blank is nobody's business later on, as in other shells. */
  #remember(line: string, { path, secret }: ShellCommand<C>): void {
    if (/^\s/.test(line)) return;
    this.#options.remember?.(secret === true ? path : line.trim());
  }

  #ownCommands(): ShellCommand<C>[] {
    const define = shellCommands<C>();
    return [
      define({
        path: 'help',
        aliases: ['?'],
        summary: 'List the commands, or say what one does',
        args: [{ name: 'COMMAND', help: 'the words of a command', optional: true, rest: true, completes: ['command'] }],
        flags: {},
        examples: ['help', 'help server add'],
        run: (call) => {
          this.#help(call);
        },
      }),
      define({
        path: 'quit',
        aliases: ['exit'],
        summary: 'Leave',
        args: [],
        flags: {},
        examples: ['quit'],
        run: () => {
          this.#left = true;
        },
      }),
    ];
  }

  #help({ rest, terminal, show }: ShellCall<C>): void {
    const commands = rest.length === 0 ? this.table : commandsNamed(rest, this.table);
    const value = commands.map(({ path, summary, examples }) => ({ path, summary, examples }));
    show(value, () => {
      const [only] = commands;
      const lines =
        commands.length === 1 && only !== undefined
          ? helpLines(only)
          : renderTable(overviewRows(commands), terminal.width);
      for (const line of lines) terminal.line(line);
    });
  }
}
