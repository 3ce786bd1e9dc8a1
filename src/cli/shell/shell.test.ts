import { describe, expect, it } from 'vitest';
import { ErrorCode, ProtocolError } from '../../protocol/index.js';
import { CommandError, UsageError } from '../failure.js';
import { toggle } from '../flags/flags.js';
import { Terminal } from '../terminal/terminal.js';
import { untilAborted } from '../until-aborted.js';
import { shellCommands } from './shell-command.js';
import { Shell, type LineSource, type ShellOptions } from './shell.js';

interface Context {
  readonly ran: string[];
  /** Called once a command waits. */
  waiting: () => void;
}

const define = shellCommands<Context>();
const COMMANDS = [
  define({
    path: 'greet',
    summary: 'Say hello',
    args: [
      { name: 'NAME', help: 'whom' },
      { name: 'WORDS', help: 'what else', optional: true, rest: true },
    ],
    flags: { loud: toggle('louder') },
    examples: ['greet alice'],
    run: ({ context, args: [name = ''], rest, flags, show }) => {
      context.ran.push(name);
      show({ name, rest }, (terminal) => {
        terminal.line(`hello ${[name, ...rest].join(' ')}${flags.loud ? '!' : ''}`);
      });
    },
  }),
  define({
    path: 'set secret',
    summary: 'Take a secret',
    args: [{ name: 'VALUE', help: 'it' }],
    flags: {},
    examples: ['set secret x'],
    secret: true,
    run: () => undefined,
  }),
  define({
    path: 'fail',
    summary: 'Fail',
    args: [{ name: 'HOW', help: 'in which way' }],
    flags: {},
    examples: ['fail usage'],
    run: ({ args: [how] }) => {
      if (how === 'usage') throw new UsageError('that is not how it is used');
      if (how === 'protocol') throw new ProtocolError(ErrorCode.NotFound, 'not there');
      if (how === 'unforeseen') throw new TypeError('unforeseen');
      throw new CommandError('it failed');
    },
  }),
  define({
    path: 'wait',
    summary: 'Wait for Ctrl-C',
    args: [],
    flags: {},
    examples: ['wait'],
    run: async ({ context, signal }) => {
      context.waiting();
      await untilAborted(signal);
      signal.throwIfAborted();
    },
  }),
  define({
    path: 'begin',
    summary: 'Begin what takes its time, whatever its owner does',
    args: [],
    flags: {},
    examples: ['begin'],
    goesOn: 'it goes on',
    run: async ({ context, show, signal }) => {
      context.waiting();
      await untilAborted(signal);
      await new Promise((resolve) => setImmediate(resolve));
      context.ran.push('begin');
      show({}, (terminal) => {
        terminal.line('done');
      });
    },
  }),
  define({ path: 'begin anew', summary: 'Begin', args: [], flags: {}, examples: ['begin anew'], run: () => undefined }),
];

class Lines implements LineSource {
  onInterrupt: () => void = () => undefined;
  readonly prompts: string[] = [];
  readonly #lines: string[];

  constructor(lines: readonly string[]) {
    this.#lines = [...lines];
  }

  readLine(prompt: string): Promise<string | undefined> {
    this.prompts.push(prompt);
    return Promise.resolve(this.#lines.shift());
  }
}

interface Session {
  readonly shell: Shell<Context>;
  readonly context: Context;
  readonly remembered: string[];
  out: string;
  err: string;
  run(...lines: string[]): Promise<void>;
}

function session(options: Partial<ShellOptions<Context>> = {}): Session {
  const context: Context = { ran: [], waiting: () => undefined };
  const remembered: string[] = [];
  const terminal = new Terminal(
    { write: (text: string | Uint8Array) => (opened.out += String(text)) },
    { write: (text: string | Uint8Array) => (opened.err += String(text)) },
    false,
  );
  const shell = new Shell<Context>({
    context,
    commands: COMMANDS,
    names: () => [],
    prompt: () => 'a2c> ',
    terminal,
    remember: (line) => remembered.push(line),
    ...options,
  });
  const opened: Session = {
    shell,
    context,
    remembered,
    out: '',
    err: '',
    run: (...lines) => shell.run(new Lines(lines), new AbortController().signal),
  };
  return opened;
}

describe('a shell', () => {
  it('runs its commands one after the other, whatever one of them throws', async () => {
    const opened = session();
    await opened.run('greet alice', '', '   ', 'fail x', 'greet "bob smith" how are you --loud');
    expect(opened.out).toBe('hello alice\nhello bob smith how are you!\n');
    expect(opened.err).toBe('error: it failed\n');
    expect(opened.shell.failed).toBe(true);
  });

  it('leaves at quit, and reads no further', async () => {
    const opened = session();
    await opened.run('greet alice', 'exit', 'greet bob');
    expect(opened.context.ran).toEqual(['alice']);
    expect(opened.shell.failed).toBe(false);
  });

  it.each([
    ['an unknown command', 'gret alice', /there is no command "gret"; did you mean "greet"\?/],
    ['too few arguments', 'greet', /NAME is missing: whom\n {2}usage: greet \[--loud\] NAME \[WORDS…\]\n {2}example: /],
    ['an unknown flag', 'greet alice --quiet', /unknown option '--quiet'\n {2}usage: greet/],
    ['a quote that does not end', 'greet "alice', /a " is missing: the quotes do not end/],
    ['a command that wants another word', 'set', /"set" wants another word\n {2}usage: set secret VALUE/],
    [
      'a wrong use that the command finds itself',
      'fail usage',
      /not how it is used\n {2}usage: fail HOW\n {2}example: /,
    ],
    ['an error answer by its code', 'fail protocol', /error: 404: not there\n$/],
    ['what nobody foresaw', 'fail unforeseen', /error: unforeseen\n$/],
  ])('says how to mend %s', async (_, line, expected) => {
    const opened = session();
    await opened.run(line);
    expect(opened.err).toMatch(expected);
    expect(opened.out).toBe('');
  });

  it('prints each result as a line of JSON where that is wanted of all or of one', async () => {
    const one = session();
    await one.run('greet alice --json', 'greet bob');
    expect(one.out).toBe('{"name":"alice","rest":[]}\nhello bob\n');
    const all = session({ json: true });
    await all.run('greet alice', 'fail protocol', 'fail usage', 'frob');
    expect(
      all.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { event: 'result', command: 'greet', result: { name: 'alice', rest: [] } },
      { event: 'error', command: 'fail', code: 404, message: '404: not there' },
      { event: 'error', command: 'fail', message: 'that is not how it is used' },
      { event: 'error', command: 'frob', message: expect.stringContaining('there is no command "frob"') as string },
    ]);
    expect(all.err).toBe('');
  });

  it('cancels the command that runs, and goes on with the next one', async () => {
    const opened = session();
    const lines = new Lines(['wait', 'greet alice']);
    opened.context.waiting = () => {
      lines.onInterrupt();
    };
    await opened.shell.run(lines, new AbortController().signal);
    expect(opened.err).toBe('cancelled\n');
    expect(opened.out).toBe('hello alice\n');
  });

  it('waits no longer for a command than its owner does, and lets it say nothing more', async () => {
    const opened = session();
    const lines = new Lines(['begin', 'greet alice']);
    opened.context.waiting = () => {
      lines.onInterrupt();
    };
    await opened.shell.run(lines, new AbortController().signal);
    await expect.poll(() => opened.context.ran).toEqual(['alice', 'begin']);
    expect(opened.err).toBe('it goes on\n');
    expect(opened.out).toBe('hello alice\n');
  });

  it('names the command in an error of its use, also where a script reads it', async () => {
    const opened = session({ json: true });
    await opened.run('set secret', 'begin anwe');
    expect(opened.out).toContain('"event":"error","command":"set secret","message":"VALUE is missing');
    expect(opened.out).toContain('"event":"error","command":"begin","message":"there is no \\"begin anwe\\""');
  });

  it('ends with its signal, in the middle of a command too, without a word', async () => {
    const opened = session();
    const stop = new AbortController();
    opened.context.waiting = () => {
      stop.abort();
    };
    await opened.shell.run(new Lines(['wait', 'greet alice']), stop.signal);
    expect(opened.out + opened.err).toBe('');
  });

  it('asks for its prompt before each line', async () => {
    let count = 0;
    const opened = session({ prompt: () => `${(count += 1)}> ` });
    const lines = new Lines(['greet a', 'greet b']);
    await opened.shell.run(lines, new AbortController().signal);
    expect(lines.prompts).toEqual(['1> ', '2> ', '3> ']);
  });

  it('remembers what was typed, without what may be secret, mistyped, or begins with a blank', async () => {
    const opened = session();
    await opened.run('greet alice ', 'set secret s3cret', ' greet bob', 'gret s3cret', 'set secret', 'fail x');
    expect(opened.remembered).toEqual(['greet alice', 'set secret', 'fail x']);
  });

  it('explains itself: all commands, one of them, and those of a group', async () => {
    const opened = session();
    await opened.run('help');
    for (const { path } of opened.shell.table) expect(opened.out).toContain(path);
    opened.out = '';
    await opened.run('help greet');
    expect(opened.out).toMatch(/^greet \[--loud\] NAME \[WORDS…\]\n {2}Say hello\n[^]*Arguments:[^]*Flags:[^]*--loud/);
    opened.out = '';
    await opened.run('greet --help');
    expect(opened.out).toContain('Say hello');
    expect(opened.context.ran).toEqual([]);
    await opened.run('help gret');
    expect(opened.err).toContain('did you mean "greet"?');
  });

  it('offers the words of its commands', () => {
    const { shell } = session();
    expect(shell.complete('gr')).toEqual([['greet '], 'gr']);
    expect(shell.complete('set ')).toEqual([['secret '], '']);
    expect(shell.complete('help gre')).toEqual([['greet '], 'gre']);
  });
});
