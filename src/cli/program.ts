import { Command as Commander, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import type { Command } from './command.js';
import { COMMANDS, GROUPS } from './command-table.js';
import { EXIT_CODES } from './exit-codes.js';
import { UsageError } from './failure.js';
import { COMMON_FLAGS, flagName, type Flag, type Flags, type FlagValues } from './flags/flags.js';

/** What the command line asks for. */
export interface Request {
  readonly command: Command;
  readonly args: readonly (string | undefined)[];
  readonly flags: FlagValues<Flags> & FlagValues<typeof COMMON_FLAGS>;
}

/** How parsing ended: with a request, or with an exit code because help, version or an error was printed. */
export type Parsed = Request | { readonly exitCode: number };

/** Where help and usage errors go. */
export interface ProgramOutput {
  out(text: string): void;
  err(text: string): void;
  /** How wide a line of help may be; 80 where nobody knows, or a terminal says 0. */
  readonly columns?: number | undefined;
}

/** Reads a command line against the table of commands. Never exits the process. */
export function parseCommandLine(argv: readonly string[], version: string, output: ProgramOutput): Parsed {
  let request: Request | undefined;
  const root = buildProgram(version, output, (found) => {
    request = found;
  });
  try {
    root.parse(withoutHelpWord(argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { exitCode: error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage };
  }
  return request ?? { exitCode: EXIT_CODES.usage };
}

/** `help agent call` asks for what `agent call --help` does, which commander knows of one word only. */
function withoutHelpWord(argv: readonly string[]): readonly string[] {
  const [first, ...words] = argv;
  if (first !== 'help' || words.some((word) => word.startsWith('-'))) return argv;
  const path = words.join(' ');
  const isKnown = Object.hasOwn(GROUPS, path) || COMMANDS.some((command) => command.path === path);
  // A word that is none is commander's to refuse.
  return isKnown ? [...words, '--help'] : words;
}

function buildProgram(version: string, output: ProgramOutput, found: (request: Request) => void): Commander {
  const root: Commander = new Commander('a2c')
    .description(GROUPS[''] ?? '')
    .version(version, '--version', 'print the version');
  addFlags(root, COMMON_FLAGS);
  root.helpCommand('help [command...]', 'explain a command');
  const groups = new Map([['', root]]);
  const groupOf = (words: readonly string[]): Commander => {
    const path = words.join(' ');
    const known = groups.get(path);
    if (known !== undefined) return known;
    const group = groupOf(words.slice(0, -1))
      .command(words.at(-1) ?? '')
      .description(GROUPS[path] ?? '');
    groups.set(path, group);
    return group;
  };
  for (const command of COMMANDS) addCommand(groupOf(command.path.split(' ').slice(0, -1)), command, version, found);
  for (const group of groups.values()) configure(group, output);
  return root;
}

function configure(commander: Commander, output: ProgramOutput): void {
  commander.exitOverride();
  commander.configureHelp({ minWidthToWrap: 1, formatItem });
  commander.configureOutput({
    getOutHelpWidth: () => (output.columns === 0 ? USUAL_WIDTH : (output.columns ?? USUAL_WIDTH)),
    writeOut: (text) => {
      output.out(text);
    },
    writeErr: (text) => {
      output.err(text);
    },
    // One line, also where commander adds a suggestion on a second.
    outputError: (text, write) => {
      write(`${usageLine(text)} (--help says what is possible)\n`);
    },
  });
  for (const child of commander.commands) configure(child, output);
}

const USUAL_WIDTH = 80;
/** Beside its term, a text of help is at least so wide; where there is less room, it stands below. */
const MIN_BESIDE = 30;
const BELOW = '      ';

function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? USUAL_WIDTH;
  // Two blanks before the term, two behind it.
  if (width - termWidth - 4 >= MIN_BESIDE) {
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  }
  const wrapped = helper.boxWrap(description, Math.max(1, width - BELOW.length));
  return `  ${term}\n${wrapped.replaceAll(/^/gm, BELOW)}`;
}

const INVALID = /option '(--[a-z-]+)[^']*' (?:argument|value) ('.*?')( from env '(.+?)')? is invalid\. /s;

/** Commander's sentence in one line, a wrong value said as everywhere else: `error: --port: expected …, got '70000'`. */
function usageLine(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
  const [found, flag = '', value = '', , variable] = INVALID.exec(line) ?? [];
  if (found === undefined) return line;
  const where = variable === undefined ? flag : `${flag} (${variable})`;
  return `${line.replace(found, () => `${where}: `)}, got ${value}`;
}

function addCommand(group: Commander, command: Command, version: string, found: (request: Request) => void): void {
  const commander = group
    .command(command.path.split(' ').at(-1) ?? '')
    .summary(command.summary)
    .description([command.summary, ...(command.description ?? [])].map(plain).join('\n\n'));
  for (const { name, help, optional, many } of command.args) {
    const word = many === true ? `${name}...` : name;
    commander.argument(optional === true ? `[${word}]` : `<${word}>`, help);
  }
  addFlags(commander, command.flags);
  addFlags(commander, COMMON_FLAGS);
  commander.version(version, '--version', 'print the version');
  if (command.examples.length > 0) {
    commander.addHelpText('after', `\nExamples:\n${command.examples.map((example) => `  $ ${example}`).join('\n')}`);
  }
  commander.action(() => {
    const flags = { ...fallbacks({ ...command.flags, ...COMMON_FLAGS }), ...given(commander) } as Request['flags'];
    found({ command, args: commander.processedArgs.flat() as (string | undefined)[], flags });
  });
}

/** Without the links of Markdown. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '$1 (docs/$2)');
}

function fallbacks(flags: Flags): Record<string, unknown> {
  return Object.fromEntries(Object.entries(flags).map(([key, flag]) => [key, flag.fallback]));
}

/** What stands on the command line or in the environment: a word typed anywhere beats the environment. */
function given(commander: Commander): Record<string, unknown> {
  const values = commander.parent === null ? {} : given(commander.parent);
  for (const [key, value] of Object.entries(commander.opts())) {
    if (commander.getOptionValueSource(key) !== 'env' || !Object.hasOwn(values, key)) values[key] = value;
  }
  return values;
}

function addFlags(commander: Commander, flags: Flags): void {
  for (const [key, flag] of Object.entries(flags)) commander.addOption(toOption(key, flag));
}

function toOption(key: string, flag: Flag<unknown>): Option {
  const value = flag.kind === 'toggle' ? '' : ` <${flag.choices?.join('|') ?? flag.placeholder}>`;
  const repeat = flag.kind === 'list' ? '; may be given several times' : '';
  const usual =
    flag.kind === 'value' && flag.fallback !== undefined ? ` (default: ${JSON.stringify(flag.fallback)})` : '';
  const option = new Option(`${flagName(key)}${value}`, `${flag.help}${repeat}${usual}`);
  // An empty variable is the usual way to say that there is none.
  if (flag.env !== undefined && process.env[flag.env] !== '') option.env(flag.env);
  if (flag.kind !== 'toggle') {
    option.argParser((raw: string, previous: unknown) => {
      const parsed = parseFlag(flag, raw);
      return flag.kind === 'list' ? [...((previous as unknown[] | undefined) ?? []), parsed] : parsed;
    });
  }
  return option;
}

function parseFlag(flag: Flag<unknown>, raw: string): unknown {
  try {
    return flag.parse(raw);
  } catch (error) {
    if (error instanceof UsageError) throw new InvalidArgumentError(error.message);
    throw error;
  }
}
