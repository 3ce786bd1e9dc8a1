import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageServer } from '../fixtures/computer/office.js';
import { CLI, runCli, startServer } from '../support/cli.js';
import { hasTmux, TmuxTerminal } from '../support/tmux.js';

const EVERYTHING = {
  ...packageServer('@modelcontextprotocol/server-everything', 'stdio'),
  default_tool_meta: {},
  tool_meta: { 'get-sum': { auto_apply: true } },
};

let folder: string;
let config: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-shell-e2e-'));
  config = await file('mcp.json', { servers: { everything: EVERYTHING } });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** The shell of a Computer on a terminal, its MCP servers running. */
async function shellOf(args: readonly string[], columns = 100): Promise<TmuxTerminal> {
  const terminal = await TmuxTerminal.start(['computer', 'run', ...args], { columns, rows: 40 });
  try {
    await terminal.shows('a2c>');
    return terminal;
  } catch (error) {
    await terminal[Symbol.asyncDispose]();
    throw error;
  }
}

/** A Server that is stopped with the test. */
async function openServer(...args: string[]): Promise<AsyncDisposable & { readonly url: string }> {
  const { server, url } = await startServer(args);
  return { url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe.skipIf(!hasTmux())('the shell of a Computer on a terminal', () => {
  it('completes with Tab, calls a tool after a word of its owner, and leaves with quit', async () => {
    await using terminal = await shellOf([config]);
    await terminal.shows('everything: running with 13 tools');
    // A Tab that comes together with text is taken for a part of what was pasted.
    await terminal.type('tc ec');
    await terminal.shows('a2c> tc ec');
    await terminal.press('Tab');
    await terminal.shows('a2c> tc echo');
    await terminal.type('me');
    await terminal.shows('a2c> tc echo me');
    await terminal.press('Tab');
    await terminal.shows('a2c> tc echo message=');
    await terminal.type('"hello world"');
    await terminal.shows('a2c> tc echo message="hello world"');
    await terminal.press('Enter');
    await terminal.shows(/You want to call "echo" of "everything" with \{"message":"hello world"\}\nAllow\? \[y\/N\]/);
    await terminal.type('y\n');
    await terminal.shows(/Echo: hello world\nok in \d/);
    await terminal.type('quit\n');
    expect(await terminal.ended()).toBe(0);
    expect(await terminal.screen()).toContain('everything: stopped');
  });

  it('puts what is being typed aside for the question of an Agent, and keeps "always" in the file', async () => {
    await using hub = await openServer();
    const { url } = hub;
    const own = await file('always.json', { servers: { everything: EVERYTHING } });
    await using terminal = await shellOf([own, '--name', 'laptop', '--server', url, '--office', 'demo']);
    await terminal.shows('joined office "demo" as "laptop"');
    await terminal.shows('running with 13 tools');
    await terminal.type('tools half of a li');
    const call = runCli(['agent', 'call', 'laptop', 'echo', '{"message":"hi"}', '--server', url, '--office', 'demo']);
    await terminal.shows(/" wants to call "echo" of "everything"/);
    expect(await terminal.screen()).not.toContain('half of a li');
    await terminal.type('a\n');
    expect((await call).stdout).toBe('Echo: hi\n');
    await terminal.shows('a2c> tools half of a li');
    await terminal.type('ne');
    await terminal.shows('a2c> tools half of a line');
    expect(await readFile(own, 'utf8')).toContain('"auto_apply": true');
  });

  it('keeps what is not saved yet when "always" changes the file, and saves it without a word too many', async () => {
    const own = await file('unsaved.json', { servers: { everything: EVERYTHING } });
    await using terminal = await shellOf([own]);
    await terminal.shows('running with 13 tools');
    await terminal.type('server add {"name":"mine","command":"false","disabled":true}\n');
    await terminal.shows('mine: added');
    await terminal.type('tc echo message=x\n');
    await terminal.shows('Allow?');
    await terminal.type('a\n');
    await terminal.shows('Echo: x');
    // From outside, so that the file has been read anew when it shows.
    const changed = JSON.parse(await readFile(own, 'utf8')) as { servers: object };
    await writeFile(
      own,
      JSON.stringify({ servers: { ...changed.servers, late: { command: 'false', disabled: true } } }),
    );
    await terminal.shows('late: disabled');
    await terminal.type('save\nquit\n');
    expect(await terminal.ended()).toBe(0);
    const { servers } = JSON.parse(await readFile(own, 'utf8')) as { servers: object };
    expect(Object.keys(servers).sort()).toEqual(['everything', 'late', 'mine']);
    expect(await terminal.everything()).not.toMatch(/error:/);
  });

  it('cancels a command with Ctrl-C, clears a line with it, and leaves with Ctrl-D', async () => {
    await using terminal = await shellOf([config]);
    await terminal.shows('running with 13 tools');
    await terminal.type('tc trigger-long-running-operation duration=60 steps=60\n');
    await terminal.shows('Allow?');
    await terminal.type('y\n');
    await terminal.shows(/^\d+ %/m);
    await terminal.press('C-c');
    await terminal.shows(/cancelled\n(.*\n)*a2c>$/);
    await terminal.type('never run');
    await terminal.press('C-c');
    await terminal.shows('never run^C');
    await terminal.press('C-c');
    await terminal.shows('Ctrl-C again, Ctrl-D or quit leaves');
    await terminal.press('C-d');
    expect(await terminal.ended()).toBe(0);
  });

  it('refuses a call whose question is answered with Ctrl-C', async () => {
    await using terminal = await shellOf([config]);
    await terminal.shows('running with 13 tools');
    await terminal.type('tc echo message=x\n');
    await terminal.shows('Allow?');
    await terminal.press('C-c');
    await terminal.shows(/\(not answered\)/);
    await terminal.shows('refused on the Computer');
    await terminal.shows('a2c>');
  });

  it('fits what it shows to the terminal, also after that became smaller', async () => {
    await using terminal = await shellOf([config], 100);
    await terminal.shows('running with 13 tools');
    await terminal.resize(44, 30);
    await terminal.type('tools\n');
    const screen = await terminal.shows(/echo +everything/);
    for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(44);
    expect(screen).toMatch(/…$/m);
  });

  it('goes on without its Server, and comes back to the office', async () => {
    const first = await startServer();
    const port = new URL(first.url).port;
    await using terminal = await shellOf([config, '--name', 'laptop', '--server', first.url, '--office', 'demo']);
    await terminal.shows('joined office "demo"');
    await first.server.stop();
    await terminal.shows('disconnected');
    await terminal.type('status\n');
    await terminal.shows(/server +http\S+, not connected/);
    await terminal.shows(/office +not in "demo" at the moment/);
    await using again = await openServer('--port', port);
    await terminal.shows('back in office "demo" as "laptop"');
    expect(again.url).toBe(first.url);
  });

  it('is there also when the Server cannot be reached at first', async () => {
    await using terminal = await shellOf([config, '--server', 'http://127.0.0.1:1', '--office', 'demo']);
    await terminal.shows(/ECONNREFUSED[^]*socket connect tries again/);
    await using hub = await openServer();
    const { url } = hub;
    await terminal.type(`socket connect ${url}\n`);
    await terminal.shows('joined office "demo"');
  });

  it('asks for inputs: hidden where they are secret, by number where there are choices', async () => {
    const asking = await file('asking.json', {
      servers: { one: { ...EVERYTHING, env: { A: '${input:token}', B: '${input:region}' } } },
      inputs: [
        { id: 'token', type: 'promptString', description: 'The token', password: true },
        { id: 'region', type: 'pickString', description: 'The region', options: ['eu', 'us'] },
      ],
    });
    await using terminal = await TmuxTerminal.start(['computer', 'run', asking], { columns: 90 });
    await terminal.shows('The token (token):');
    await terminal.type('hunter2\n');
    await terminal.shows(/1\. eu\n *2\. us\nWhich one\?/);
    await terminal.type('9\n');
    await terminal.shows('There is no such choice');
    await terminal.type('2\n');
    await terminal.shows('one: running');
    await terminal.type('inputs list\n');
    await terminal.shows(/token +promptString +hidden \(prompt\)/);
    await terminal.shows(/region +pickString +"us" \(prompt\)/);
    expect(await terminal.everything()).not.toContain('hunter2');
  });

  it('remembers lines for the next time, without what may be secret, in a file for its owner alone', async () => {
    const state = join(folder, 'state');
    const first = await TmuxTerminal.start(['computer', 'run'], { env: { A2C_STATE_DIR: state } });
    await first.shows('a2c>');
    await first.type('help server\n');
    await first.shows('server add CONFIG');
    await first.type('server add {"name":"x","command":"y","env":{"TOKEN":"hunter2"}}\n');
    await first.shows('x: failed');
    await first.press('C-d');
    await first.ended();
    await first[Symbol.asyncDispose]();
    expect(await readFile(join(state, 'computer-history'), 'utf8')).toBe('help server\nserver add\n');
    expect((await stat(join(state, 'computer-history'))).mode & 0o777).toBe(0o600);
    await using second = await TmuxTerminal.start(['computer', 'run'], { env: { A2C_STATE_DIR: state } });
    await second.shows('a2c>');
    await second.press('Up', 'Up');
    await second.shows('a2c> help server');
  });

  it('can be put into the background with Ctrl-Z, works on there, and comes back with what was typed', async () => {
    const program: [string, ...string[]] = ['bash', '--norc', '--noediting', '-i'];
    await using terminal = await TmuxTerminal.start([], { columns: 120, program, env: { PS1: 'sh> ' } });
    await terminal.shows('sh>');
    await terminal.type(`'${process.execPath}' '${CLI}' computer run '${config}'\n`);
    await terminal.shows('running with 13 tools');
    await terminal.type('tools half');
    await terminal.shows('a2c> tools half');
    await terminal.press('C-z');
    await terminal.shows(/Stopped.*\nsh>$/s);
    await terminal.type('bg\n');
    await terminal.type('jobs\n');
    await terminal.shows(/Running/);
    await terminal.type('fg\n');
    await terminal.shows(/a2c> tools half$/);
    await terminal.press('C-c', 'C-d');
    await terminal.shows(/everything: stopped\nsh>$/);
  });

  it('shows no colours with NO_COLOR', async () => {
    await using terminal = await TmuxTerminal.start(['computer', 'run', config], { env: { NO_COLOR: '1' } });
    await terminal.shows('running with 13 tools');
    expect(await terminal.styled()).not.toContain('\u001B[');
  });
});

describe('the commands of a Computer from a pipe', () => {
  it('are the lines of the FAQ, as they stand there', async () => {
    await using hub = await openServer();
    const { url } = hub;
    const inputs = await file('file.json', [{ id: 'token', type: 'promptString' }]);
    const plain = await file('plain.json', {
      servers: { everything: { ...EVERYTHING, tool_meta: { echo: { auto_apply: true } } } },
    });
    const lines = [
      'tools',
      'status',
      `inputs load @${inputs}`,
      'inputs list',
      'socket connect',
      'tc {"computer":"local","agent":"debug","req_id":"1","tool_name":"echo","params":{"message":"hello"},"timeout":30}',
    ];
    const args = ['computer', 'run', plain, '--shell', '--server', url, '--office', 'demo', '--name', 'laptop'];
    const { code, stdout, stderr } = await runCli(args, { stdin: `${lines.join('\n')}\n` });
    expect(stderr).not.toContain('error');
    expect(stdout).toMatch(/^echo +everything /m);
    expect(stdout).toMatch(/^everything +running +13 /m);
    expect(stdout).toMatch(/^token +promptString +none yet/m);
    expect(stdout).toContain(`connected to ${url}`);
    expect(stdout).toContain('Echo: hello');
    expect(code).toBe(0);
  });

  it('give each result as a line of JSON, each failure too, and exit code 1 for one', async () => {
    const stdin = 'tc get-sum a=2 b=3\nnonsense\nstart nobody\n';
    const { code, stdout } = await runCli(['computer', 'run', config, '--shell', '--json'], { stdin });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.filter(({ event }) => event === 'result')).toMatchObject([
      { command: 'tc', result: { content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }] } },
    ]);
    expect(lines.filter(({ event }) => event === 'error')).toMatchObject(
      [
        { command: 'nonsense', message: /no command/ },
        { command: 'start', message: /no MCP server/ },
      ].map(({ command }) => ({ command })),
    );
    expect(code).toBe(1);
  });

  it('end at once where the Server cannot be reached, with the exit code of that', async () => {
    const args = ['computer', 'run', config, '--shell', '--server', 'http://127.0.0.1:1', '--office', 'demo'];
    const { code, stderr } = await runCli(args, { stdin: 'tools\n' });
    expect(stderr).toMatch(/ECONNREFUSED/);
    expect(code).toBe(3);
  });

  it('are not read without --shell, and the Computer asks nobody', async () => {
    const { stderr, code } = await runCli(
      ['computer', 'run', config, '--server', 'http://127.0.0.1:1', '--office', 'x'],
      {
        stdin: 'tools\n',
      },
    );
    expect(stderr).not.toContain('a2c>');
    expect(code).toBe(3);
  });

  it('write a record of calls where it is wanted, without arguments', async () => {
    const audit = join(folder, 'audit.jsonl');
    const args = ['computer', 'run', config, '--shell', '--audit-file', audit];
    await runCli(args, { stdin: 'tc get-sum a=2 b=31415926535\ntc echo message=hunter2\n' });
    const records = (await readFile(audit, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(records).toMatchObject([
      { tool: 'get-sum', outcome: 'ok' },
      { tool: 'echo', outcome: 'declined', code: 4005 },
    ]);
    expect(JSON.stringify(records)).not.toMatch(/hunter2|31415926535/);
    expect((await stat(audit)).mode & 0o777).toBe(0o600);
  });

  it('use the configuration in the standard place where none is named', async () => {
    const home = await mkdtemp(join(tmpdir(), 'a2c-home-'));
    const env = { A2C_CONFIG_DIR: home, A2C_STATE_DIR: join(home, 'state') };
    await writeFile(join(home, 'computer.json'), JSON.stringify({ servers: { everything: EVERYTHING } }));
    const { stdout } = await runCli(['computer', 'run', '--shell'], { stdin: 'mcp\n', env });
    expect(stdout).toMatch(/^everything +stdio/m);
    expect(existsSync(join(home, 'state'))).toBe(false);
    await rm(home, { recursive: true });
  });
});
