import { flagName, type Flags } from '../flags/flags.js';
import { nearest, ShellUsageError, SHELL_FLAGS, usageOf } from './parse-call.js';
import { argumentForm, type ShellCommand } from './shell-command.js';

/** The commands, a row each: how it is used, and what it does. */
export function overviewRows<C>(table: readonly ShellCommand<C>[]): string[][] {
  // Without flags: the summaries need the room.
  return table.map(({ path, args, summary }) => [[path, ...args.map(argumentForm)].join(' '), summary]);
}

/**
 * The commands that the words name: one, or all of a group.
 *
 * @throws ShellUsageError when there is none.
 */
export function commandsNamed<C>(words: readonly string[], table: readonly ShellCommand<C>[]): ShellCommand<C>[] {
  const name = words.join(' ').toLowerCase();
  const exact = table.filter(({ path, aliases = [] }) => [path, ...aliases].includes(name));
  const found = exact.length > 0 ? exact : table.filter(({ path }) => path.startsWith(`${name} `));
  if (found.length > 0) return found;
  const near = nearest(
    name,
    table.map(({ path }) => path),
  );
  throw new ShellUsageError(
    `there is no command "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
    [],
  );
}

/** All about one command. */
export function helpLines<C>(command: ShellCommand<C>): string[] {
  const { summary, aliases = [], args, flags, examples } = command;
  return [
    usageOf(command),
    `  ${summary}`,
    ...(aliases.length === 0 ? [] : [`  also: ${aliases.join(', ')}`]),
    ...section(
      'Arguments',
      args.map((argument) => [argumentForm(argument), argument.help]),
    ),
    ...section('Flags', flagRows({ ...flags, ...SHELL_FLAGS })),
    ...section(
      'Examples',
      examples.map((example) => [example]),
    ),
  ];
}

function flagRows(flags: Flags): string[][] {
  return Object.entries(flags).map(([key, { short, placeholder, help }]) => {
    const names = `${short === undefined ? '' : `-${short}, `}${flagName(key)}`;
    return [placeholder === '' ? names : `${names} ${placeholder}`, help];
  });
}

function section(title: string, rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(0, ...rows.map(([first = '']) => first.length));
  if (rows.length === 0) return [];
  return [
    '',
    `${title}:`,
    ...rows.map(([first = '', ...rest]) => `  ${[first.padEnd(rest.length > 0 ? width : 0), ...rest].join('  ')}`),
  ];
}
