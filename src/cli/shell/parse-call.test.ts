import { describe, expect, it } from 'vitest';
import { toggle, wholeNumber } from '../flags/flags.js';
import { nearest, parseCall, ShellUsageError, usageOf } from './parse-call.js';
import { shellCommands } from './shell-command.js';
import { splitLine } from './split-line.js';

const define = shellCommands<undefined>();
const run = (): void => undefined;
const TABLE = [
  define({
    path: 'tools',
    summary: '',
    args: [{ name: 'FILTER', help: '', optional: true }],
    flags: {},
    examples: ['tools'],
    run,
  }),
  define({
    path: 'logs',
    summary: '',
    args: [{ name: 'SERVER', help: 'the server to look at' }],
    flags: { follow: toggle('go on', { short: 'f' }), lines: wholeNumber('N', '', { min: 1, max: 100, fallback: 20 }) },
    examples: ['logs files -f'],
    run,
  }),
  define({ path: 'inputs list', aliases: ['inputs'], summary: '', args: [], flags: {}, examples: ['inputs'], run }),
  define({ path: 'inputs value get', summary: '', args: [], flags: {}, examples: ['inputs value get'], run }),
  define({
    path: 'server add',
    summary: '',
    args: [{ name: 'CONFIG', help: 'JSON' }],
    flags: {},
    examples: ['server add {}'],
    run,
  }),
  define({
    path: 'server rm',
    aliases: ['server remove'],
    summary: '',
    args: [{ name: 'SERVER', help: 'its name' }],
    flags: {},
    examples: ['server rm x'],
    run,
  }),
  define({
    path: 'tc',
    summary: '',
    args: [
      { name: 'TOOL', help: 'the tool' },
      { name: 'VALUE', help: '', optional: true, rest: true },
    ],
    flags: {},
    examples: ['tc echo'],
    run,
  }),
];

const parse = (line: string): ReturnType<typeof parseCall> => parseCall(splitLine(line).words, TABLE);

function problem(line: string): { message: string; usage: readonly string[] } {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof ShellUsageError) return { message: error.message, usage: error.usage };
    throw error;
  }
  throw new Error(`${line} was understood`);
}

describe('parseCall', () => {
  it.each([
    ['tools', 'tools', [undefined], []],
    ['TOOLS read', 'tools', ['read'], []],
    ['Server Remove "my files"', 'server rm', ['my files'], []],
    ['server add {"a": 1}', 'server add', ['{"a": 1}'], []],
    ['tc echo a=1 b="x y"', 'tc', ['echo'], ['a=1', 'b=x y']],
    ['tc "--odd" -- --more', 'tc', ['--odd'], ['--more']],
    ['tc echo -5', 'tc', ['echo'], ['-5']],
  ])('reads %j', (line, path, args, rest) => {
    expect(parse(line)).toMatchObject({ command: { path }, args, rest });
  });

  it.each([
    ['logs files', { follow: false, lines: 20, json: false }],
    ['logs -f files', { follow: true, lines: 20 }],
    ['logs files --follow --lines 5 --json', { follow: true, lines: 5, json: true }],
    ['logs --lines=7 files', { lines: 7 }],
  ])('reads the flags of %j', (line, flags) => {
    expect(parse(line)).toMatchObject({ args: ['files'], flags });
  });

  it.each([
    ['logs', 'SERVER is missing: the server to look at'],
    ['logs a b', '"b" is one word too many; put names with blanks in quotes'],
    ['logs a --nonsense', "unknown option '--nonsense'"],
    ['logs a --lines', "option '--lines <value>' argument missing"],
    ['logs a --lines 1000', '--lines: expected a whole number from 1 to 100'],
  ])('answers %j with what is wrong, the usage and an example', (line, message) => {
    expect(problem(line)).toEqual({
      message,
      usage: ['usage: logs [-f] [--lines N] SERVER', 'example: logs files -f'],
    });
  });

  it.each([
    ['toolz', 'there is no command "toolz"; did you mean "tools"?'],
    ['server ad {}', 'there is no "server ad"'],
    ['server', '"server" wants another word'],
    ['inputs lits', 'there is no "inputs lits"'],
    ['inputs value', '"inputs value" wants another word'],
    ['inputs value x', '"inputs value" wants another word'],
    ['frobnicate', 'there is no command "frobnicate"; help lists the commands'],
    ['{"a":1}', 'there is no command "{a:1}"; help lists the commands'],
  ])('says of %j that there is no such command', (line, message) => {
    expect(problem(line).message).toBe(message);
  });

  it('shows every command of a group whose second word is missing or wrong', () => {
    expect(problem('server').usage).toEqual(['usage: server add CONFIG', 'usage: server rm SERVER']);
  });

  it('asks for help with --help or -h, whatever else is missing', () => {
    expect(parse('logs --help').flags).toMatchObject({ help: true });
    expect(parse('logs -h').flags).toMatchObject({ help: true });
  });
});

describe('usageOf', () => {
  it('shows flags, then arguments', () => {
    expect(TABLE.map(usageOf)).toEqual([
      'tools [FILTER]',
      'logs [-f] [--lines N] SERVER',
      'inputs list',
      'inputs value get',
      'server add CONFIG',
      'server rm SERVER',
      'tc TOOL [VALUE…]',
    ]);
  });
});

describe('nearest', () => {
  it.each([
    ['satus', 'status'],
    ['x', undefined],
    ['desktopp', 'desktop'],
    ['unlike', undefined],
  ])('finds for %j %j', (typed, name) => {
    expect(nearest(typed, ['status', 'desktop', 'tools'])).toBe(name);
  });
});
