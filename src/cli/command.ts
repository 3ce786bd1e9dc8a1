import type { ExitCode } from './exit-codes.js';
import type { COMMON_FLAGS, Flags, FlagValues } from './flags/flags.js';
import type { Terminal } from './terminal/terminal.js';
import type { Logger } from '../protocol/index.js';

/** A positional argument of a command. */
export interface Argument {
  /** As in the help: `COMPUTER`. */
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** There may be several of it; it is the last one then. */
  readonly many?: boolean;
  /** The words that it may be; whoever completes a line offers them. */
  readonly choices?: readonly string[];
}

/** What a command gets to run with. */
export interface Invocation<F extends Flags> {
  /** The positional arguments, in order; an optional one that was left out is `undefined`. */
  readonly args: readonly (string | undefined)[];
  readonly flags: FlagValues<F> & FlagValues<typeof COMMON_FLAGS>;
  readonly terminal: Terminal;
  readonly logger: Logger;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** All that there is to run. */
  readonly table: CommandTable;
}

/** Every command there is. */
export interface CommandTable {
  /** In the order of the help. */
  readonly commands: readonly Command[];
  /** What stands above the commands of a group in the help, by its path; that of the program is empty. */
  readonly groups: Readonly<Record<string, string>>;
}

/**
 * One row of the command table: parsing, help, documentation, completion and tests derive from it. The whole table is
 * loaded at each start, so a row imports flags and words only; what it runs it imports within `run`.
 */
export interface Command<F extends Flags = Flags> {
  /** The words that call it: `agent call`. */
  readonly path: string;
  readonly summary: string;
  /** What else there is to know, in paragraphs of Markdown, for its page. */
  readonly description?: readonly string[];
  readonly args: readonly Argument[];
  readonly flags: F;
  /** Lines that show how it is used. */
  readonly examples: readonly string[];
  /** The paths of other commands, and pages below `docs/`, that go with it. */
  readonly seeAlso?: readonly string[];
  run(invocation: Invocation<F>): Promise<ExitCode>;
}

/** Gives a command the types of its own flags. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}
