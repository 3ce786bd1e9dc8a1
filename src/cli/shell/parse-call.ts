import { parseArgs, type ParseArgsConfig } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { UsageError } from '../failure.js';
import { flagName, toggle, type Flag, type Flags } from '../flags/flags.js';
import { argumentForm, type ShellCommand } from './shell-command.js';
import type { Word } from './split-line.js';

/** The flags that every command of the shell has. */
export const SHELL_FLAGS = {
  json: toggle('print the result as one line of JSON'),
  help: toggle('say what the command does', { short: 'h' }),
} as const;

/** A command that a line asks for, with what it is given. */
export interface ParsedCall<C> {
  readonly command: ShellCommand<C>;
  readonly args: readonly (string | undefined)[];
  readonly rest: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
}

/** A command was used wrongly; `usage` says how it is used. */
export class ShellUsageError extends UsageError {
  readonly usage: readonly string[];

  constructor(message: string, usage: readonly string[]) {
    super(message);
    this.usage = usage;
  }
}

class TooManyWords extends UsageError {}

/** The ways to call a command, each as its words. */
export function callsOf<C>({ path, aliases = [] }: ShellCommand<C>): string[][] {
  return [path, ...aliases].map((way) => way.split(' '));
}

/** `server add CONFIG [--json]`. */
export function usageOf<C>(command: ShellCommand<C>): string {
  const flags = Object.entries(command.flags).map(([key, flag]) =>
    flag.kind === 'toggle' ? `[${shortOr(key, flag)}]` : `[${flagName(key)} ${flag.placeholder}]`,
  );
  return [command.path, ...flags, ...command.args.map(argumentForm)].join(' ');
}

function shortOr(key: string, flag: Flag<unknown>): string {
  return flag.short === undefined ? flagName(key) : `-${flag.short}`;
}

/**
 * The command whose words the line begins with, the longest where several do. Its words may be in any case.
 *
 * @returns how many words called it; `undefined` when there is none.
 */
export function findCommand<C>(
  words: readonly Word[],
  table: readonly ShellCommand<C>[],
): { command: ShellCommand<C>; length: number } | undefined {
  const typed = words.map(({ text }) => text.toLowerCase());
  const found = table
    .flatMap((command) => callsOf(command).map((call) => ({ command, call })))
    .filter(({ call }) => call.every((word, index) => typed[index] === word))
    .sort((one, other) => other.call.length - one.call.length)[0];
  return found && { command: found.command, length: found.call.length };
}

/**
 * Reads the words of a line against a table of commands.
 *
 * @throws ShellUsageError when there is no such command, or it is given too little, too much or something wrong.
 */
export function parseCall<C>(words: readonly Word[], table: readonly ShellCommand<C>[]): ParsedCall<C> {
  const found = findCommand(words, table);
  if (found === undefined) throw unknownCommand(words, table);
  const { command, length } = found;
  const usage = usageLines(command);
  try {
    const { flags, positionals } = readFlags(words.slice(length), { ...command.flags, ...SHELL_FLAGS });
    if (flags['help'] === true) return { command, args: [], rest: [], flags };
    return { command, ...readArguments(positionals, command), flags };
  } catch (error) {
    // A word that was to be another command of the group is no argument too many.
    const group =
      error instanceof TooManyWords && command.args.length === 0 ? groupOf(textOf(words, length), table) : [];
    if (group.length > 0) throw unknownInGroup(words.slice(0, length + 1), table);
    throw error instanceof UsageError ? new ShellUsageError(error.message, usage) : error;
  }
}

/** What stands below a wrong use of a command. */
export function usageLines<C>(command: ShellCommand<C>): string[] {
  return [`usage: ${usageOf(command)}`, `example: ${command.examples[0]}`];
}

function unknownCommand<C>(words: readonly Word[], table: readonly ShellCommand<C>[]): ShellUsageError {
  const typed = words.map(({ text }) => text.toLowerCase());
  const first = typed[0] ?? '';
  if (groupOf(first, table).length > 0) return unknownInGroup(words.slice(0, 2), table);
  const near =
    nearest(
      typed.slice(0, 2).join(' '),
      table.flatMap(callsOf).map((call) => call.join(' ')),
    ) ??
    nearest(
      first,
      table.flatMap(callsOf).map((call) => call.join(' ')),
    );
  const hint = near === undefined ? 'help lists the commands' : `did you mean "${near}"?`;
  return new ShellUsageError(`there is no command "${words[0]?.text ?? ''}"; ${hint}`, []);
}

function textOf(words: readonly Word[], length: number): string {
  return words
    .slice(0, length)
    .map(({ text }) => text.toLowerCase())
    .join(' ');
}

/** The commands whose words begin with these. */
function groupOf<C>(text: string, table: readonly ShellCommand<C>[]): readonly ShellCommand<C>[] {
  return table.filter(({ path }) => path.startsWith(`${text} `));
}

/** The words begin with those of a group, and name none of its commands. */
function unknownInGroup<C>(words: readonly Word[], table: readonly ShellCommand<C>[]): ShellUsageError {
  const text = textOf(words, words.length);
  const deeper = groupOf(text, table);
  const what = deeper.length > 0 ? `"${text}" wants another word` : `there is no "${text}"`;
  const group = deeper.length > 0 ? deeper : groupOf(textOf(words, words.length - 1), table);
  return new ShellUsageError(
    what,
    group.map((command) => `usage: ${usageOf(command)}`),
  );
}

/** The name that was probably meant, if one is near. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.ceil(typed.length / 3));
  const [best] = names
    .map((name) => ({ name, errors: distance(typed, name.toLowerCase()) }))
    .filter(({ errors }) => errors <= limit && errors < typed.length)
    .sort((one, other) => one.errors - other.errors);
  return best?.name;
}

interface ReadFlags {
  readonly flags: Record<string, unknown>;
  readonly positionals: readonly string[];
}

function readFlags(words: readonly Word[], table: Flags): ReadFlags {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [key, { kind, short }] of Object.entries(table)) {
    options[flagName(key).slice(2)] = {
      type: kind === 'toggle' ? 'boolean' : 'string',
      multiple: kind === 'list',
      ...(short === undefined ? {} : { short }),
    };
  }
  const flags: Record<string, unknown> = {};
  const { optionWords, plain } = partition(words, options);
  const { values } = parsedArgs(optionWords, options);
  for (const [key, flag] of Object.entries(table)) flags[key] = readFlag(key, flag, values[flagName(key).slice(2)]);
  return { flags, positionals: plain };
}

/** Quoted words, raw ones and numbers are never flags, whatever they begin with. */
function partition(
  words: readonly Word[],
  options: NonNullable<ParseArgsConfig['options']>,
): { optionWords: string[]; plain: string[] } {
  const optionWords: string[] = [];
  const plain: string[] = [];
  let wantsValue = false;
  let ended = false;
  for (const { text, raw, quoted } of words) {
    const isFlag = !ended && !raw && !quoted && /^-[^\d.]/.test(text);
    if (wantsValue) optionWords.push(text);
    else if (isFlag && text === '--') ended = true;
    else if (isFlag) optionWords.push(text);
    else plain.push(text);
    wantsValue = !wantsValue && isFlag && wantsValueAfter(text, options);
  }
  return { optionWords, plain };
}

function wantsValueAfter(text: string, options: NonNullable<ParseArgsConfig['options']>): boolean {
  if (text.includes('=')) return false;
  const name = text.replace(/^--?/, '');
  const option = text.startsWith('--')
    ? options[name]
    : Object.values(options).find(({ short }) => short !== undefined && short === name);
  return option?.type === 'string';
}

function parsedArgs(
  args: string[],
  options: NonNullable<ParseArgsConfig['options']>,
): { values: Record<string, unknown> } {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false });
  } catch (error) {
    // The rest of the sentence is about the command lines of processes.
    throw new UsageError(
      ((error as Error).message.split('. ', 1)[0] ?? '').replace(/^./, (first) => first.toLowerCase()),
    );
  }
}

function readFlag(key: string, flag: Flag<unknown>, value: unknown): unknown {
  if (value === undefined) return flag.fallback;
  if (flag.kind === 'toggle') return true;
  try {
    return Array.isArray(value) ? value.map((raw) => flag.parse(String(raw))) : flag.parse(value as string);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${flagName(key)}: ${error.message}`) : error;
  }
}

function readArguments<C>(given: readonly string[], { args }: ShellCommand<C>): Pick<ParsedCall<C>, 'args' | 'rest'> {
  const hasRest = args.at(-1)?.rest === true;
  const single = hasRest ? args.slice(0, -1) : args;
  const missing = args.find(({ optional }, index) => optional !== true && given[index] === undefined);
  if (missing !== undefined) throw new UsageError(`${missing.name} is missing: ${missing.help}`);
  const tooMany = given[single.length];
  if (!hasRest && tooMany !== undefined) {
    throw new TooManyWords(`"${tooMany}" is one word too many; put names with blanks in quotes`);
  }
  return { args: single.map((_, index) => given[index]), rest: given.slice(single.length) };
}
