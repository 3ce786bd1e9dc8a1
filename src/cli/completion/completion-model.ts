import type { Argument, CommandTable } from '../command.js';
import { COMMON_FLAGS, flagName, type Flag, type Flags } from '../flags/flags.js';

/** What may stand at a place of the command line. */
export interface ValueHint {
  /** As in the help: `FILE`. */
  readonly name: string;
  /** `nothing`: nobody but the user knows. */
  readonly kind: 'nothing' | 'words' | 'files' | 'folders';
  /** Of the kind `words`. */
  readonly words: readonly string[];
}

/** A flag. */
export interface FlagHint {
  /** `--log-level` */
  readonly name: string;
  readonly help: string;
  readonly repeats: boolean;
  /** Absent: it takes none. */
  readonly value?: ValueHint;
}

/** What is possible after the words of a command or of a group of commands. */
export interface Place {
  /** `agent call`; empty for the program itself. */
  readonly path: string;
  /** The words that go on from there. */
  readonly words: readonly { readonly name: string; readonly help: string }[];
  readonly flags: readonly FlagHint[];
  readonly args: readonly (ValueHint & { readonly many: boolean })[];
}

/** Arguments and values of flags that name something on this machine, by how the help calls them. */
const KINDS: Readonly<Record<string, ValueHint['kind']>> = { FILE: 'files', CONFIG: 'files', DIR: 'folders' };

const HELP: FlagHint = { name: '--help', help: 'explain it', repeats: false };
const VERSION: FlagHint = { name: '--version', help: 'print the version', repeats: false };

/** Every place of the command line where something can be completed, the program itself first. */
export function placesOf({ commands, groups }: CommandTable): readonly Place[] {
  const paths = Object.keys(groups);
  const next = (path: string): Place['words'] => {
    const all = [
      ...commands.map((command) => ({ path: command.path, help: command.summary })),
      ...paths.map((group) => ({ path: group, help: groups[group] ?? '' })),
    ];
    return all
      .filter((one) => one.path !== '' && parentOf(one.path) === path)
      .map((one) => ({ name: one.path.slice(path.length).trim(), help: one.help }));
  };
  const help = { name: 'help', help: 'explain a command' };
  return [
    ...paths.map((path) => ({
      path,
      words: path === '' ? [...next(path), help] : next(path),
      flags: path === '' ? [...flagHints(COMMON_FLAGS), VERSION, HELP] : [HELP],
      args: [],
    })),
    ...commands.map(({ path, flags, args }) => ({
      path,
      words: [],
      flags: [...flagHints(flags), ...flagHints(COMMON_FLAGS), VERSION, HELP],
      args: args.map(argumentHint),
    })),
  ];
}

function parentOf(path: string): string {
  return path.split(' ').slice(0, -1).join(' ');
}

function flagHints(flags: Flags): FlagHint[] {
  return Object.entries(flags).map(([key, flag]) => ({
    name: flagName(key),
    help: flag.help,
    repeats: flag.kind === 'list',
    ...(flag.kind === 'toggle' ? {} : { value: valueHint(flag) }),
  }));
}

function valueHint({ placeholder, choices }: Flag<unknown>): ValueHint {
  if (choices !== undefined) return { name: placeholder, kind: 'words', words: choices };
  return { name: placeholder, kind: KINDS[placeholder] ?? 'nothing', words: [] };
}

function argumentHint({ name, choices, many = false }: Argument): Place['args'][number] {
  if (choices !== undefined) return { name, kind: 'words', words: choices, many };
  return { name, kind: KINDS[name] ?? 'nothing', words: [], many };
}

/** The flags that take a value, each once. They do so wherever they are; a test sees to it. */
export function valueFlags(places: readonly Place[]): readonly string[] {
  const names = places.flatMap(({ flags }) => flags.filter(({ value }) => value !== undefined).map(({ name }) => name));
  return [...new Set(names)];
}

/** One word for a POSIX shell, or fish within its own rules for a single quote. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
