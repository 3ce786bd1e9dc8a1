import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/cli/command-table.js';
import { placesOf, valueFlags } from '../../src/cli/completion/completion-model.js';
import { SHELLS } from '../../src/cli/completion/shells.js';
import { CLI, runCli } from '../support/cli.js';
import { BASH_COMPLETION, hasShells } from '../support/shells.js';
import { hasTmux, TmuxTerminal } from '../support/tmux.js';

const execute = promisify(execFile);
let folder: string;
let env: Record<string, string>;

/** A folder with files to name, where `a2c` is the built command line. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-completion-'));
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const name of ['a2c', 'a2c-computer', 'a2c-server']) {
    await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
    await chmod(join(bin, name), 0o755);
  }
  env = { PATH: [bin, process.env['PATH']].join(delimiter), PS1: '> ', TERM: 'xterm-256color' };
  await mkdir(join(folder, 'work', 'pictures of mine'), { recursive: true });
  for (const file of ['mcp.json', 'my notes.json']) await writeFile(join(folder, 'work', file), '{}');
  for (const shell of SHELLS) {
    const { code, stdout } = await runCli(['completion', shell]);
    expect(code).toBe(0);
    await writeFile(join(folder, `a2c.${shell}`), stdout);
  }
  await mkdir(join(folder, 'zfunc'));
  await writeFile(join(folder, 'zfunc', '_a2c'), (await runCli(['completion', 'zsh'])).stdout);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What is typed, and what one Tab makes of it. */
const UNIQUE: readonly (readonly [typed: string, completed: string])[] = [
  ['a2c comple', 'a2c completion '],
  ['a2c agent ca', 'a2c agent call '],
  ['a2c --log-level debug agent ca', 'a2c --log-level debug agent call '],
  ['a2c help agent ca', 'a2c help agent call '],
  ['a2c completion z', 'a2c completion zsh '],
  ['a2c computer run --app', 'a2c computer run --approve '],
  ['a2c computer run --approve al', 'a2c computer run --approve always '],
  ['a2c computer run --approve=ne', 'a2c computer run --approve=never '],
  ['a2c config check mc', 'a2c config check mcp.json '],
  ['a2c config check my', String.raw`a2c config check my\ notes.json `],
  ['a2c computer run --token-file mc', 'a2c computer run --token-file mcp.json '],
  ['a2c agent call laptop shot --output pi', String.raw`a2c agent call laptop shot --output pictures\ of\ mine/`],
  ['a2c-computer logi', 'a2c-computer login '],
  ['a2c-server --po', 'a2c-server --port '],
];

interface ShellOnTerminal {
  readonly name: string;
  readonly program: readonly [string, ...string[]];
  /** What is typed first. */
  readonly setup: () => readonly string[];
}

const ON_TERMINAL: readonly ShellOnTerminal[] = [
  {
    name: 'bash alone',
    program: ['bash', '--norc', '--noprofile', '-i'],
    setup: () => [`source '${folder}/a2c.bash'`],
  },
  {
    name: 'bash with the package bash-completion',
    program: ['bash', '--norc', '--noprofile', '-i'],
    setup: () => [`source ${BASH_COMPLETION}`, 'source <(a2c completion bash)'],
  },
  {
    name: 'zsh with a file in its function path',
    program: ['zsh', '-f', '-i'],
    setup: () => [`fpath=('${folder}/zfunc' $fpath)`, 'autoload -Uz compinit', 'compinit -D'],
  },
  {
    name: 'zsh that sources it',
    program: ['zsh', '-f', '-i'],
    setup: () => ['autoload -Uz compinit', 'compinit -D', 'source <(a2c completion zsh)'],
  },
];

describe.skipIf(!hasTmux() || !hasShells()).each(ON_TERMINAL)('Tab in $name', ({ program, setup }) => {
  let terminal: TmuxTerminal;

  beforeAll(async () => {
    terminal = await TmuxTerminal.start([], { program, env, cwd: join(folder, 'work'), columns: 120 });
    for (const line of setup()) await terminal.type(`${line}\n`);
    await terminal.type('clear; echo ready\n');
    await terminal.shows(/^ready$/m);
  });

  afterAll(async () => {
    await terminal[Symbol.asyncDispose]();
  });

  /** Types on an empty line of an empty screen. */
  async function typeAnew(text: string): Promise<void> {
    await terminal.press('C-e', 'C-u', 'C-l');
    await terminal.hides('a2c');
    await terminal.type(text);
    await terminal.shows(text.trimEnd());
  }

  it.each(UNIQUE)('makes %s into %s', async (typed, word) => {
    // zsh ends a flag by a sign that goes away when a blank is typed.
    const completed = program[0] === 'zsh' ? word.replace(/(?<= --[a-z]+) $/, '=') : word;
    await typeAnew(typed);
    await terminal.press('Tab');
    // What follows shows whether there is a blank.
    await terminal.shows(completed.trimEnd());
    await terminal.type('@');
    await terminal.shows(`${completed}@`);
  });

  it('lists what is possible', async () => {
    await typeAnew('a2c computer run --approve ');
    await terminal.press('Tab', 'Tab');
    await terminal.shows(/always\s+ask\s+never/);
    await typeAnew('a2c agent ');
    await terminal.press('Tab', 'Tab');
    const screen = await terminal.shows('documents');
    for (const word of ['tools', 'call', 'desktop', 'room']) expect(screen).toContain(word);
  });
});

describe.skipIf(!hasShells())('Tab in fish', () => {
  it.each(UNIQUE)('makes %s into %s', async (typed, completed) => {
    const line = completed.trimEnd().replaceAll('\\', '');
    const script = `source '${folder}/a2c.fish'; complete -C '${typed}'`;
    const { stdout } = await execute('fish', ['--no-config', '-c', script], {
      cwd: join(folder, 'work'),
      env: { ...env, HOME: folder },
    });
    const offered = stdout.split('\n').map((row) => row.split('\t')[0] ?? '');
    // It offers words, of which the last one of the line is one.
    expect(offered.some((word) => word !== '' && line.endsWith(word) && typed.length < line.length)).toBe(true);
  });

  it('offers all choices of a flag, and no files where none are wanted', async () => {
    const offered = async (line: string): Promise<string[]> => {
      const script = `source '${folder}/a2c.fish'; complete -C '${line}'`;
      const options = { cwd: join(folder, 'work'), env: { ...env, HOME: folder } };
      const { stdout } = await execute('fish', ['--no-config', '-c', script], options);
      return stdout
        .split('\n')
        .map((row) => row.split('\t')[0] ?? '')
        .filter(Boolean);
    };
    expect((await offered('a2c computer run --approve ')).toSorted()).toEqual(['always', 'ask', 'never']);
    expect(await offered('a2c agent call ')).toEqual([]);
    expect(await offered('a2c agent tools --server ')).toEqual([]);
  });
});

describe('What is completed', () => {
  it('knows flags that take a value by their name alone, as the scripts do', () => {
    const places = placesOf({ commands: COMMANDS, groups: GROUPS });
    const takers = new Set(valueFlags(places));
    for (const { path, flags } of places) {
      for (const { name, value } of flags)
        expect([path, name, takers.has(name)]).toEqual([path, name, value !== undefined]);
    }
  });

  it('is no more than commands that are there, and all of them', () => {
    const places = placesOf({ commands: COMMANDS, groups: GROUPS });
    const reached = new Set<string>();
    const walk = (path: string): void => {
      for (const { name } of places.find((place) => place.path === path)?.words ?? []) {
        if (path === '' && name === 'help') continue;
        const next = `${path} ${name}`.trim();
        if (COMMANDS.some((command) => command.path === next)) reached.add(next);
        else walk(next);
      }
    };
    walk('');
    expect([...reached].toSorted()).toEqual(COMMANDS.map(({ path }) => path).toSorted());
  });

  it.each([[[]], [['tcsh']], [['bash', 'zsh']]])('is refused for %j, in one line', async (words) => {
    const { code, stdout, stderr } = await runCli(['completion', ...words]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
