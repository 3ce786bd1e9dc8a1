import type { Flags, FlagValues } from '../flags/flags.js';
import type { Terminal } from '../terminal/terminal.js';

/** A positional argument of a command of the shell. */
export interface ShellArgument {
  /** As in the help: `SERVER`. */
  readonly name: string;
  readonly help: string;
  readonly optional?: boolean;
  /** It takes all words that are left; only the last argument. */
  readonly rest?: boolean;
  /** What Tab offers: kinds of names that the shell's {@link Names} know. */
  readonly completes?: readonly NameKind[];
}

/** What Tab can offer. `file` is a path, `@file` one behind an `@`. */
export type NameKind = 'command' | 'file' | '@file' | (string & {});

/** The names that Tab offers now, by their kind, after the arguments that are given already. */
export type Names = (kind: NameKind, given: readonly string[]) => readonly string[];

/** What a command of the shell gets to run with. */
export interface ShellCall<C, F extends Flags = Flags> {
  /** What the shell is about. */
  readonly context: C;
  /** The positional arguments, in order; an optional one that was left out is `undefined`. */
  readonly args: readonly (string | undefined)[];
  /** The words of the argument that takes all that are left. */
  readonly rest: readonly string[];
  readonly flags: FlagValues<F>;
  readonly terminal: Terminal;
  /** Aborts when the command is cancelled. */
  readonly signal: AbortSignal;
  /** Prints the result: the value for machines, or what `render` makes of it for a person. */
  readonly show: (value: unknown, render: (terminal: Terminal) => void) => void;
}

/** One row of a table of commands: parsing, help, completion, documentation and tests derive from it. */
export interface ShellCommand<C, F extends Flags = Flags> {
  /** The words that call it: `server add`. */
  readonly path: string;
  /** Other words for it: `server remove`. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly args: readonly ShellArgument[];
  readonly flags: F;
  /** Lines that show how it is used; the first stands beside a wrong use. */
  readonly examples: readonly [string, ...string[]];
  /** Its arguments may hold secrets: the file of past lines keeps its words alone. */
  readonly secret?: boolean;
  /** What is said when it is cancelled, where what it began goes on. @default "cancelled" */
  readonly goesOn?: string;
  /** @throws UsageError for wrong arguments; what else it throws is printed as a failure. */
  run(call: ShellCall<C, F>): Promise<void> | void;
}

/** Gives a command the types of its own flags, then takes its place in a table of commands of one context. */
export function shellCommands<C>(): <const F extends Flags>(command: ShellCommand<C, F>) => ShellCommand<C> {
  return (command) => command;
}

/** `SERVER`, `[SIZE]`, `[WORDS…]`. */
export function argumentForm({ name, optional = false, rest = false }: ShellArgument): string {
  const form = rest ? `${name}…` : name;
  return optional ? `[${form}]` : form;
}
