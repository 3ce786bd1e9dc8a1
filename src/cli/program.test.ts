import { describe, expect, it } from 'vitest';
import { COMMANDS, GROUPS } from './command-table.js';
import { parseCommandLine } from './program.js';

function helpOf(path: string, columns: number | undefined): string[] {
  let help = '';
  const words = path.split(' ').filter((word) => word !== '');
  const output = { out: (text: string) => void (help += text), err: () => undefined, columns };
  expect(parseCommandLine([...words, '--help'], '0', output)).toEqual({ exitCode: 0 });
  return help.split('\n');
}

const ALL = [...Object.keys(GROUPS), ...COMMANDS.map(({ path }) => path)];

/** What is not wrapped: usage, examples, a term that stands alone, and a word that is longer than the room for it. */
function isWhole(line: string): boolean {
  return /^(?:Usage:| {2}\$ )/.test(line) || /^ {2}\S(?:\S| (?! ))*$/.test(line) || !/\S\s/.test(line.trim());
}

describe('The help', () => {
  it.each(ALL)('of "%s" keeps to the width of the terminal', (path) => {
    for (const columns of [80, 60, 40]) {
      const long = helpOf(path, columns).filter((line) => line.length > columns && !isWhole(line));
      expect(long, `${columns} columns`).toEqual([]);
    }
  });

  it('takes a terminal that says it has no columns for one of 80', () => {
    expect(helpOf('import', 0)).toEqual(helpOf('import', undefined));
    expect(Math.max(...helpOf('import', 0).map((line) => line.length))).toBeLessThanOrEqual(80);
  });
});
