import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packageServer } from '../fixtures/computer/office.js';
import { RunningCli, runCli, startServer, type Finished } from '../support/cli.js';
import { hasTmux, TmuxTerminal } from '../support/tmux.js';

const OFFICE = 'demo';
/** Long enough that only a cancel ends it in the time of a test. */
const LONG_CALL = 'call trigger-long-running-operation duration=60 steps=2';

let folder: string;
let config: string;
let server: RunningCli;
let computer: RunningCli;
let env: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'a2c-repl-'));
  config = join(folder, 'computer.json');
  const servers = { everything: packageServer('@modelcontextprotocol/server-everything', 'stdio') };
  writeFileSync(config, JSON.stringify({ servers }));
  const started = await startServer();
  server = started.server;
  env = { A2C_SERVER: started.url, A2C_OFFICE: OFFICE };
  computer = new RunningCli(['computer', 'run', config, '--name', 'laptop'], { env });
  await computer.event('joined');
  await computer.line((line) => line['server'] === 'everything' && line['state'] === 'running');
});
afterAll(async () => {
  await computer[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

function agent(...args: string[]): Promise<Finished> {
  return runCli(['agent', ...args], { env, cwd: folder });
}

function script(lines: readonly string[], ...args: string[]): Promise<Finished> {
  return runCli(['agent', 'repl', ...args], { env, cwd: folder, stdin: lines.join('\n') });
}

describe('a2c agent repl with a script', () => {
  it('joins once, does it line by line, and ends with the script', async () => {
    const { code, stdout, stderr } = await script([
      'use laptop',
      'call echo message="hello world"',
      '',
      'tools get-sum',
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Echo: hello world\nget-sum {2}/);
  });

  it('ends with exit 1 where a line failed, after the lines below it', async () => {
    const { code, stdout, stderr } = await script([
      'call ecko message=x',
      'frob',
      'call echo message=y',
      'quit',
      'room',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('Echo: y\n');
    expect(stdout).not.toContain('agent-');
    expect(stderr).toMatch(/ecko failed: did you mean "echo"\? tools lists them\n/);
    expect(stderr).toMatch(/there is no command "frob"/);
  });

  it('prints a line of JSON for each result', async () => {
    const { code, stdout } = await script(['call get-sum a=1 b=2', 'frob'], '--json');
    expect(code).toBe(1);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { event: 'joined', office_id: OFFICE },
      { event: 'result', command: 'call', result: { content: [{ text: 'The sum of 1 and 2 is 3.' }] } },
      { event: 'error', command: 'frob', message: expect.stringContaining('there is no command') as string },
    ]);
  });

  it('says why it cannot join, and what to do', async () => {
    await using watch = new RunningCli(['agent', 'watch'], { env });
    await watch.event('computer_joined');
    const { code, stderr } = await script(['room']);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /4101\).*does not say which Agent it is: end that one .* or take another office with --office/,
    );
  });
});

describe('a2c agent call', () => {
  it('takes its parameters as words, as JSON, and from stdin', async () => {
    expect(await agent('call', 'laptop', 'echo', 'message=5')).toEqual({ code: 0, stdout: 'Echo: 5\n', stderr: '' });
    expect((await agent('call', 'laptop', 'get-sum', 'a=1', 'b:=2')).stdout).toBe('The sum of 1 and 2 is 3.\n');
    expect((await agent('call', 'laptop', 'echo', '{"message":"x"}')).stdout).toBe('Echo: x\n');
    const stdin = '{"message":"y"}';
    expect((await runCli(['agent', 'call', 'laptop', 'echo', '-'], { env, stdin })).stdout).toBe('Echo: y\n');
  });

  it('says before it connects which word is wrong', async () => {
    const nowhere = ['--server', 'http://127.0.0.1:9'];
    const { code, stderr } = await agent('call', 'laptop', 'echo', 'message=x', 'y', ...nowhere);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('"y": expected key=value') as string });
  });

  it('writes images into files, prints their paths, and never replaces one', async () => {
    const { code, stdout } = await agent('call', 'laptop', 'get-tiny-image', '--output', 'pictures');
    expect(code).toBe(0);
    expect(stdout).toContain("Here's the image you requested:");
    expect(stdout).toContain(join('pictures', 'get-tiny-image-1.png'));
    const again = await agent('call', 'laptop', 'get-tiny-image', '--output', 'pictures', '--json');
    const { content, files } = JSON.parse(again.stdout) as { content: { data?: string }[]; files: unknown };
    const path = join('pictures', 'get-tiny-image-2.png');
    const bytes = Buffer.from(content[1]?.data ?? '', 'base64');
    expect(files).toEqual([{ index: 1, path, mime_type: 'image/png', size: bytes.byteLength }]);
    expect(readFileSync(join(folder, path))).toEqual(bytes);
    expect(readdirSync(join(folder, 'pictures'))).toEqual(['get-tiny-image-1.png', 'get-tiny-image-2.png']);
  });

  it.each([
    [
      'a tool with a name nearly right',
      ['call', 'laptop', 'ecko'],
      /did you mean "echo"\? a2c agent tools laptop lists/,
    ],
    ['a Computer that is not there', ['tools', 'lapto'], /404: .*did you mean "laptop"\?/],
    [
      'an office without Computers',
      ['room', '--office', 'typo'],
      /is that the right office\? a2c computer run CONFIG --office typo/,
    ],
    ['an empty desktop', ['desktop', 'laptop'], /everything: it lists no window:\/\/ resources/],
    [
      'a tool that takes too long',
      ['call', 'laptop', 'trigger-long-running-operation', 'duration=60', '--timeout', '1'],
      /the Computer ended the tool; a2c agent call laptop trigger-long-running-operation --timeout 5 … gives it more time/,
    ],
  ])('and the like say which cause applies to %s, and the next command', async (_, args, expected) => {
    expect((await agent(...args)).stderr).toMatch(expected);
  });
});

describe.runIf(hasTmux())('a2c agent repl on a terminal', () => {
  async function repl(columns = 80): Promise<TmuxTerminal> {
    const terminal = await TmuxTerminal.start(['agent', 'repl'], { env, columns });
    onTestFinished(() => terminal[Symbol.asyncDispose]());
    await terminal.shows(/in office "demo": laptop \(\d+ tools\)[^]*a2c:demo>/);
    return terminal;
  }

  it('is typed into, with Tab, and shows how long a call took', async () => {
    const terminal = await repl();
    await terminal.type('use lap');
    await terminal.shows('use lap');
    await terminal.press('Tab');
    await terminal.shows('use laptop');
    await terminal.press('Enter');
    await terminal.shows('a2c:laptop>');
    await terminal.type('call ech');
    await terminal.shows('call ech');
    await terminal.press('Tab');
    await terminal.shows('call echo');
    await terminal.type('message="hello world"\n');
    await terminal.shows(/Echo: hello world\n\d+\.\d\d s\na2c:laptop>/);
    await terminal.press('Up', 'Up');
    await terminal.shows(/a2c:laptop> use laptop$/);
    await terminal.press('C-c');
    await terminal.type('quit\n');
    expect(await terminal.ended()).toBe(0);
    const history = join(terminal.home, '.local', 'state', 'a2c', 'agent-history');
    expect(readFileSync(history, 'utf8')).toBe('use laptop\ncall\nquit\n');
    expect(statSync(history).mode & 0o777).toBe(0o600);
  });

  it('tells what happens above the line that is typed, also after the screen has another width', async () => {
    const terminal = await repl(60);
    const typed = 'call echo message="a line that is longer than the screen is wide"';
    await terminal.type(typed);
    await terminal.press('Left', 'Left');
    const desk = new RunningCli(['computer', 'run', '--name', 'desk'], { env });
    onTestFinished(() => desk[Symbol.asyncDispose]());
    const whole = `a2c:demo> ${typed}`;
    const seen = await terminal.shows(/desk is in the office\ndesk shows 0 tools/);
    expect(seen).toContain(`${whole.slice(0, 60).trimEnd()}\n${whole.slice(60)}`);
    await terminal.resize(40, 24);
    await terminal.shows(`${whole.slice(0, 40).trimEnd()}\n${whole.slice(40)}`);
    await desk.stop();
    await terminal.shows('desk has left the office');
    await terminal.type('!');
    const last = await terminal.shows('wid!e"');
    expect(last.split('a2c:demo>')).toHaveLength(2);
  });

  it('cancels with Ctrl-C the call that runs, and goes on; Ctrl-D leaves', async () => {
    const terminal = await repl();
    await terminal.type(`${LONG_CALL}\n`);
    await terminal.shows(/trigger-long-running-operation on laptop: \d s of 60 s, Ctrl-C cancels/);
    await terminal.press('C-c');
    await terminal.shows(/cancelled\na2c:demo>/);
    await computer.line(({ event, outcome }) => event === 'tool_call' && outcome === 'cancelled');
    await terminal.type('use\n');
    await terminal.shows('* laptop');
    await terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  it('stays while the Server is away, says so, and comes back', async () => {
    const { server: other, url } = await startServer();
    const port = new URL(url).port;
    const terminal = await TmuxTerminal.start(['agent', 'repl'], { env: { ...env, A2C_SERVER: url } });
    onTestFinished(() => terminal[Symbol.asyncDispose]());
    await terminal.shows(/no Computer is in office "demo"[^]*a2c:demo>/);
    await other.stop();
    await terminal.shows('the connection has gone');
    await terminal.type('room\n');
    await terminal.shows('the connection is being made again');
    const again = new RunningCli(['server', '--port', port]);
    onTestFinished(() => again[Symbol.asyncDispose]());
    await again.event('listening');
    await terminal.shows(/in office "demo" again/);
    await terminal.type('room\n');
    await terminal.shows(/agent {2}agent-/);
  });
});

describe.runIf(hasTmux())('a2c agent call on a terminal', () => {
  it('shows for how long it runs and has run, and is cancelled with Ctrl-C', async () => {
    const call = ['agent', 'call', 'laptop', 'trigger-long-running-operation', 'duration=60', 'steps=2'];
    await using terminal = await TmuxTerminal.start(call, { env });
    await terminal.shows(/trigger-long-running-operation on laptop: \d s of 60 s, Ctrl-C cancels/);
    await terminal.press('C-c');
    expect(await terminal.ended()).toBe(130);
    expect(await terminal.screen()).toMatch(/The tool call was cancelled\.\n\d+\.\d\d s, cancelled$/);
  });
});
