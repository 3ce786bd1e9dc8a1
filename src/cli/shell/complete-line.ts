import { flagName } from '../flags/flags.js';
import { completePath } from './complete-path.js';
import { callsOf, findCommand, SHELL_FLAGS } from './parse-call.js';
import type { NameKind, Names, ShellArgument, ShellCommand } from './shell-command.js';
import { quoteWord, splitLine } from './split-line.js';

/**
 * What Tab offers at the end of a line: words of commands, their flags, names, paths.
 *
 * @returns the candidates, as they would stand in the line, and the end of the line that they stand for.
 */
export function completeLine<C>(line: string, table: readonly ShellCommand<C>[], names: Names): [string[], string] {
  const { words } = splitLine(line);
  const last = words.at(-1);
  if (last?.raw === true) return [[], line];
  // After a blank that is not in the last word, a new one begins.
  const begins = last === undefined || (/\s$/.test(line) && splitLine(`${line}x`).words.length > words.length);
  const typed = begins ? '' : line.slice(last.start);
  const before = begins ? words : words.slice(0, -1);
  const texts = before.map(({ text }) => text.toLowerCase());
  const found = findCommand(before, table);
  const offered =
    found === undefined
      ? []
      : offeredTo(
          found.command,
          before.slice(found.length).map(({ text }) => text),
          typed,
          names,
        );
  const candidates = [...nextWords(texts, table), ...offered].filter((candidate) => candidate.startsWith(typed));
  return [finished([...new Set(candidates)]), typed];
}

/** The only candidate is a whole word, unless it is a folder. */
function finished(candidates: string[]): string[] {
  const [only] = candidates;
  return candidates.length === 1 && only !== undefined && !/[/=]"?$/.test(only) ? [`${only} `] : candidates;
}

/** The words that may come next in the words of a command. */
function nextWords<C>(typed: readonly string[], table: readonly ShellCommand<C>[]): string[] {
  return table
    .flatMap((command) => callsOf(command))
    .filter((call) => call.length > typed.length && typed.every((word, index) => call[index] === word))
    .map((call) => call[typed.length] ?? '')
    .sort();
}

function offeredTo<C>(command: ShellCommand<C>, given: readonly string[], typed: string, names: Names): string[] {
  if (typed.startsWith('-')) return Object.keys({ ...command.flags, ...SHELL_FLAGS }).map(flagName);
  const argument = argumentAt(command, given.filter((word) => !word.startsWith('-')).length);
  return (argument?.completes ?? []).flatMap((kind) => candidatesOf(kind, typed, names, given));
}

function argumentAt<C>({ args }: ShellCommand<C>, index: number): ShellArgument | undefined {
  const last = args.at(-1);
  return args[index] ?? (last?.rest === true ? last : undefined);
}

function candidatesOf(kind: NameKind, typed: string, names: Names, given: readonly string[]): string[] {
  if (kind === 'file') return pathsOf(typed, '');
  if (kind === '@file') return typed.startsWith('@') || typed.startsWith('"@') ? pathsOf(typed, '@') : [];
  return names(kind, given).map(quoteWord);
}

/** Paths are offered in quotes where the path has blanks, or where quotes were begun. */
function pathsOf(typed: string, mark: string): string[] {
  const quote = typed.startsWith('"') ? '"' : '';
  const begun = typed.slice(quote.length + mark.length);
  return completePath(begun).map((path) => {
    const word = `${mark}${path}`;
    if (quote !== '') return path.endsWith('/') ? `"${word}` : `"${word}"`;
    return word.startsWith('~') ? word.replaceAll(/[\s"'\\]/g, '\\$&') : quoteIfNeeded(word);
  });
}

function quoteIfNeeded(word: string): string {
  return /[\s"'\\]/.test(word) ? word.replaceAll(/[\s"'\\]/g, '\\$&') : word;
}
