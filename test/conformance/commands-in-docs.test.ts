import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_COMMANDS } from '../../src/cli/agent-shell/table.js';
import { COMPUTER_COMMANDS } from '../../src/cli/computer-shell/table.js';
import { parseCommandLine } from '../../src/cli/program.js';
import { parseCall } from '../../src/cli/shell/parse-call.js';
import type { ShellCommand } from '../../src/cli/shell/shell-command.js';
import { splitLine } from '../../src/cli/shell/split-line.js';
import { parseConfig } from '../../src/computer/index.js';
import { wholeTable } from '../support/shell-reference.js';

const root = join(import.meta.dirname, '..', '..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The blocks of a page in a language. */
function blocks(page: string, language: string): string[] {
  const fence = new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm');
  return [...read(page).matchAll(fence)].map(([, , text = '']) => text);
}

/** What reads the lines of the shells, by their prompts. */
const SHELLS = [
  { prompt: 'a2c>', parse: parserOf(COMPUTER_COMMANDS) },
  { prompt: 'a2c:[^>]+>', parse: parserOf(AGENT_COMMANDS) },
] as const;

function parserOf<C>(commands: readonly ShellCommand<C>[]): (line: string) => void {
  const table = wholeTable(commands);
  return (line) => {
    parseCall(splitLine(line).words, table);
  };
}

/** The words of a line of a POSIX shell that calls `a2c`, without what is not for it. */
function argvOf(line: string): string[] | undefined {
  const [, called] = /(?:^|[|&;] ?|^[A-Z_0-9]+=\S+ )(?:npx |\$ )?a2c (.*)$/.exec(line.trim()) ?? [];
  if (called === undefined) return undefined;
  const [words = ''] = called.split(/ (?:#|&|\||>|2>|<|;)/, 1);
  // The words of the two kinds of shells are the same where nothing begins with a brace.
  return splitLine(`a2c ${words.replaceAll('\\\n', ' ')}`)
    .words.slice(1)
    .map(({ text }) => text);
}

describe('the commands in the documentation', () => {
  it.each(pages)('are commands of the shells in %s', (page) => {
    const text = ['text', 'a2c', 'console'].flatMap((language) => blocks(page, language)).join('\n');
    for (const { prompt, parse } of SHELLS) {
      for (const [, line = ''] of text.matchAll(new RegExp(`^${prompt} (.+)$`, 'gm'))) {
        expect(() => {
          parse(line);
        }, line).not.toThrow();
      }
    }
  });

  it.each(pages)('are commands of this program in %s', (page) => {
    const wrong: string[] = [];
    for (const block of blocks(page, '(?:sh|bash|console)')) {
      for (const line of block.replaceAll(/\\\n\s*/g, '').split('\n')) {
        const argv = argvOf(line);
        if (argv === undefined) continue;
        const parsed = parseCommandLine(argv, '0', { out: () => undefined, err: () => undefined });
        if ('exitCode' in parsed && parsed.exitCode !== 0) wrong.push(line);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('answer every question of the FAQ, its configurations readable', () => {
    const faq = read('docs/faq.md');
    expect(faq.match(/^### /gm)?.length).toBeGreaterThanOrEqual(22);
    const shown = blocks('docs/faq.md', 'jsonc');
    expect(shown).toHaveLength(2);
    for (const text of shown) expect(() => parseConfig(text)).not.toThrow();
  });
});
