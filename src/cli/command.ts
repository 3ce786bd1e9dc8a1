import type { ExitCode } from './exit-codes.js';
import type { COMMON_FLAGS, Flags, FlagValues } from './flags.js';
import type { Terminal } from './terminal.js';
import type { Logger } from '../protocol/index.js';

/** A positional argument of a command. */
interface Argument {
  /** As in the help: `COMPUTER`. */
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** There may be several of it; it is the last one then. */
  readonly many?: boolean;
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
}

/** One row of the command table: parsing, help, documentation and tests derive from it. */
export interface Command<F extends Flags = Flags> {
  /** The words that call it: `agent call`. */
  readonly path: string;
  readonly summary: string;
  readonly args: readonly Argument[];
  readonly flags: F;
  /** Lines that show how it is used. */
  readonly examples: readonly string[];
  run(invocation: Invocation<F>): Promise<ExitCode>;
}

/** Gives a command the types of its own flags. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}
