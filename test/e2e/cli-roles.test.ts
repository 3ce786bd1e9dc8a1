import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ErrorCode, PROFILE_0_2 } from '../../src/protocol/index.js';
import { Server } from '../../src/server/index.js';
import { Peer } from '../support/peer.js';
import { CLI, RunningCli, runCli, startServer, type Finished } from '../support/cli.js';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'a2c-roles-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const CANARY = 'canary-5f2c71d0';
const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const config = join(folder, 'computer.json');
writeFileSync(
  config,
  `\uFEFF{
  // Comments, a byte-order mark and trailing commas are fine.
  "servers": {
    "demo": {
      "command": ${JSON.stringify(process.execPath)},
      "args": [${JSON.stringify(join(root, 'dist/cli/demo/bundled-server.js'))}],
      "default_tool_meta": { "auto_apply": true },
      "forbidden_tools": ["add"],
    },
    "everything": {
      "command": ${JSON.stringify(process.execPath)},
      "args": [${JSON.stringify(everything)}, "stdio"],
      "env": { "API_KEY": "${CANARY}" },
      "tool_meta": { "echo": { "alias": "ask_first" }, "get-env": { "auto_apply": true } },
    },
  },
}`.replaceAll('\n', '\r\n'),
);

const failing = join(folder, 'failing.json');
writeFileSync(failing, '{ "servers": { "none": { "command": "no-such-program-anywhere" } } }');

let server: RunningCli;
let computer: RunningCli;
let env: Record<string, string>;

async function startAll(): Promise<void> {
  const started = await startServer(['--log-level', 'debug']);
  server = started.server;
  env = { A2C_SERVER: started.url, A2C_OFFICE: 'office 1' };
  const args = ['computer', 'run', config, '--name', 'laptop', '--documents', 'file', '--log-level', 'debug'];
  computer = new RunningCli(args, { env });
  for (const name of ['demo', 'everything']) {
    await computer.line((line) => line['server'] === name && line['state'] === 'running');
  }
  await computer.event('joined');
}

async function stopAll(): Promise<void> {
  await computer[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
}

function agent(...args: string[]): Promise<Finished> {
  return runCli(['agent', ...args], { env });
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await agent(...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('three roles from the command line', () => {
  beforeAll(startAll);
  afterAll(stopAll);

  it('list, call, show and fetch [F-H-lenient]', async () => {
    expect(await agent('call', 'laptop', 'echo', '{"text":"路径"}')).toEqual({ code: 0, stdout: '路径\n', stderr: '' });
    const called = await json('call', 'laptop', 'echo', '{"text":"x"}');
    expect(called['content']).toEqual([{ type: 'text', text: 'x' }]);

    const { tools } = await json('tools', 'laptop');
    const names = (tools as { name: string }[]).map(({ name }) => name);
    expect(names).toContain('ask_first');
    expect(names).not.toContain('add');
    const all = await json('tools');
    expect(all['tools']).toHaveLength(names.length);
    expect(all['tools']).toContainEqual(expect.objectContaining({ computer: 'laptop', name: 'echo' }));

    const desktop = await json('desktop', 'laptop', '--size', '1');
    expect(desktop['desktops']).toEqual([expect.stringMatching(/^window:\/\/com\.example\.demo\/notes\n\n/)]);

    const { resources } = await json('resources', 'laptop', 'demo', '--all');
    expect((resources as { uri: string }[]).map(({ uri }) => uri)).toContain('dpe://com.example.demo/welcome');

    const access = await json('dpe', 'laptop', 'dpe://com.example.demo/welcome');
    expect(access['uri']).toMatch(/^file:\/\//);
    const { stdout } = await agent('dpe', 'laptop', 'dpe://com.example.demo/welcome', '--fetch');
    expect(JSON.parse(stdout)).toMatchObject({ title: 'Welcome to A2C-SMCP' });

    const { sessions } = await json('room');
    expect(sessions).toContainEqual(
      expect.objectContaining({ name: 'laptop', role: 'computer', a2c_version: '0.2.0' }),
    );
  });

  it('tell a failed call by exit 1: an isError result on stdout, an error answer on stderr', async () => {
    const failed = await agent('call', 'laptop', 'fail', '{"message":"out of coffee"}', '--json');
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(failed.stdout)).toMatchObject({ isError: true });

    const unknown = await agent('call', 'nobody', 'echo', '--json');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(unknown.stderr)).toMatchObject({
      code: 404,
      message: expect.stringContaining('nobody') as string,
    });

    const malformed = await agent('dpe', 'laptop', 'dpe://host', '--json');
    expect(malformed.code).toBe(1);
    expect(JSON.parse(malformed.stderr)).toMatchObject({ code: 4012, uri: 'dpe://host' });

    const plain = await agent('resources', 'laptop', 'nothing');
    expect(plain).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^error: 404: .*nothing/) as string,
    });
  });

  it.each([
    ['an unknown tool', 'nope', {}, ErrorCode.ToolNotFound],
    ['a forbidden tool', 'add', { a: 1, b: 2 }, ErrorCode.ToolDisabled],
    ['a tool that nobody confirms', 'ask_first', { message: 'x' }, ErrorCode.ToolRequiresConfirmation],
    ['a tool that takes too long', 'sleep', { seconds: 30 }, ErrorCode.ToolTimedOut],
  ])('mark %s with its code', async (_, tool, params, code) => {
    const args = ['call', 'laptop', tool, JSON.stringify(params), '--timeout', '1', '--json'];
    const { code: exit, stdout } = await agent(...args);
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true, meta: { error_code: code } });
    expect(await computer.line((line) => line['event'] === 'tool_call' && line['code'] === code)).toMatchObject({
      ok: false,
      tool,
    });
  });

  it('give the text of the FAQ where nobody can be asked [R-6.4-faq-text]', async () => {
    const { stdout } = await agent('call', 'laptop', 'ask_first', '{"message":"x"}');
    expect(stdout).toContain('当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法');
  });

  it('read parameters from a file and from stdin', async () => {
    const params = join(folder, 'params.json');
    writeFileSync(params, '\uFEFF{"text":"from a file"}');
    expect((await agent('call', 'laptop', 'echo', `@${params}`)).stdout).toBe('from a file\n');
    const piped = await runCli(['agent', 'call', 'laptop', 'echo', '-'], { env, stdin: '{"text":"from stdin"}' });
    expect(piped.stdout).toBe('from stdin\n');
  });

  it('cancel a call that is interrupted, with exit 130', async () => {
    await using call = new RunningCli(
      ['agent', 'call', 'laptop', 'count', '{"to":600,"delayMs":100}', '--log-level', 'debug'],
      { env },
    );
    await call.logged(/Sending an event event=client:tool_call/);
    expect(await call.stop('SIGINT')).toBe(130);
    expect(await computer.line(({ tool, ok }) => tool === 'count' && ok === false)).toMatchObject({ server: 'demo' });
  });

  it('wait no longer than they are told', async () => {
    const { code, stderr } = await agent('wait', 'laptop', 'no_such_tool', '--timeout', '1');
    expect(code).toBe(1);
    expect(stderr).toMatch(/tool "no_such_tool" of Computer "laptop" was not there within 1 s/);
  });

  it('show the tools of the others where one Computer does not answer, with exit 1', async () => {
    await using broken = await Peer.join(env['A2C_SERVER'] ?? '', { role: 'computer', office: 'office 1', name: 'b' });
    broken.on('client:get_tools', () => [{ code: 500, message: 'broken' }]);
    const json = await agent('tools', '--json');
    expect(json.code).toBe(1);
    expect((JSON.parse(json.stdout) as { tools: object[] }).tools).toContainEqual(
      expect.objectContaining({ computer: 'laptop', name: 'echo' }),
    );
    expect(JSON.parse(json.stderr)).toEqual({ code: 500, message: 'broken', computer: 'b' });
    const plain = await agent('tools');
    expect(plain.stdout).toMatch(/^laptop +echo/m);
    expect(plain.stderr).toBe('error: The tools of Computer "b" could not be listed: 500: broken\n');
    expect(await agent('wait', 'b', '--timeout', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Computer "b" is there, but did not show its tools within 1 s') as string,
    });
  });

  it('keep control characters from elsewhere off the terminal, and leave out what is no tool', async () => {
    const place = { role: 'computer', office: 'office 1', name: 'odd' } as const;
    await using odd = await Peer.join(env['A2C_SERVER'] ?? '', place);
    const red = '\u001B[31m';
    odd.on('client:get_tools', () => [{ tools: [{ name: `x${red}`, description: 'one\ntwo' }, { nothing: 1 }] }]);
    odd.on('client:get_dpe', () => [{ uri: `http://h/${red}`, mime_type: `text/${red}` }]);
    odd.on('client:tool_call', () => [{ code: 4001, message: `no ${red}tool` }]);
    odd.on('client:get_desktop', () => [{ desktops: [`a${red}`] }]);
    const outputs: Finished[] = [];
    for (const args of [
      ['tools', 'odd'],
      ['dpe', 'odd', 'dpe://h/d'],
      ['call', 'odd', 'x'],
      ['desktop', 'odd'],
    ]) {
      outputs.push(await agent(...args));
    }
    expect(outputs.map(({ stdout }) => stdout)).toEqual(['x[31m  one\n', 'http://h/[31m\n', '', 'a[31m\n']);
    expect(outputs.map(({ stderr }) => stderr).join('')).not.toContain('\u001B');
    expect(outputs.map(({ code }) => code)).toEqual([0, 0, 1, 0]);
  });

  it('stop fetching a document when the time is up', async () => {
    await using slow = await Peer.join(env['A2C_SERVER'] ?? '', { role: 'computer', office: 'office 1', name: 'slow' });
    const site = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const { port } = site.address() as AddressInfo;
    slow.on('client:get_dpe', () => [{ uri: `http://127.0.0.1:${port}/` }]);
    const { code, stderr } = await agent('dpe', 'slow', 'dpe://h/d', '--fetch', '--timeout', '1');
    site.close();
    site.closeAllConnections();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'error: The document was not fetched within 1 s; --timeout SECONDS gives it more time\n',
    });
  });

  it('say so where there is nothing to show', async () => {
    expect(await agent('desktop', 'laptop', '--size', '0')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'no windows\nthe size 0 asks for none\n',
    });
  });

  it('tell a full disk by exit 1', () => {
    if (!existsSync('/dev/full')) return;
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [CLI, 'agent', 'tools', 'laptop'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error: cannot write to stdout: ENOSPC/);
  });

  it('refuse a second Agent with exit 3 and the code in the sentence', async () => {
    await using watch = new RunningCli(['agent', 'watch'], { env });
    await watch.event('computer_joined');
    const { code, stderr } = await agent('room');
    expect(code).toBe(3);
    expect(stderr).toContain('Room already has an agent (4101)');
  });

  it('refuse a second Computer of the same name with exit 3', async () => {
    const { code, stderr } = await runCli(['computer', 'run', '--name', 'laptop'], { env });
    expect(code).toBe(3);
    expect(stderr).toContain('Computer name already in use in this office: laptop (403)');
  });
});

describe('a Computer that has nothing to do', () => {
  it.each([
    ['without a configuration', []],
    ['with an MCP server that cannot start', ['--config', failing]],
  ])('hosts until it is stopped, %s', async (_, args) => {
    await using idle = new RunningCli(['computer', 'run', ...args]);
    await idle.logged(/no --server: hosting only/);
    if (args.length > 0) await idle.line(({ state }) => state === 'failed');
    // A process with nothing left to do would have ended, with another code, before one that starts now.
    await runCli(['--version']);
    expect(await idle.stop('SIGINT')).toBe(0);
  });
});

describe('three roles that end', () => {
  beforeEach(startAll);
  afterEach(stopAll);

  it('keep secrets on the Computer [R-1-no-credentials] [F-G-canary-cli]', async () => {
    const shown = await agent('config', 'laptop', '--json');
    expect(shown.stdout).toContain('"API_KEY":"******"');
    expect(shown.stdout + shown.stderr).not.toContain(CANARY);
    await computer.stop();
    await server.stop();
    for (const { lines, stderr } of [computer, server]) expect(JSON.stringify(lines) + stderr).not.toContain(CANARY);
  });

  it('watch what happens', async () => {
    await using watch = new RunningCli(['agent', 'watch'], { env });
    expect(await watch.event('computer_joined')).toEqual({ event: 'computer_joined', computer: 'laptop' });
    expect(await watch.event('tools_changed')).toMatchObject({ computer: 'laptop' });
    await computer.stop();
    expect(await watch.event('computer_left')).toEqual({ event: 'computer_left', computer: 'laptop' });
    expect(await watch.stop('SIGINT')).toBe(130);
  });

  it('end with exit 0 at a signal, the Computer after saying that it left', async () => {
    // Twice at once, as from a terminal with npm in between; and where the terminal is closed.
    expect(await computer.stop('SIGHUP', { times: 2 })).toBe(0);
    expect(computer.lines).toContainEqual({ event: 'left', office_id: 'office 1', name: 'laptop' });
    expect(await server.stop('SIGTERM', { times: 2 })).toBe(0);
  });

  it('end with exit 4 where a Server of another version comes back', async () => {
    await using watch = new RunningCli(['agent', 'watch'], { env });
    const waiting = ['agent', 'wait', 'nobody', '--office', 'o2', '--log-level', 'debug'];
    await using wait = new RunningCli(waiting, { env });
    await wait.logged(/Received an acknowledgement event=server:join_office/);
    await watch.event('computer_joined');
    const { port } = new URL(env['A2C_SERVER'] ?? '');
    await server.stop();
    await watch.event('disconnected');
    await using other = new Server({ profile: { ...PROFILE_0_2, version: '0.9.0' } });
    await other.listen(Number(port));
    expect(await Promise.all([watch.end(), computer.end(), wait.end()])).toEqual([4, 4, 4]);
    expect(watch.lines).toContainEqual(expect.objectContaining({ event: 'refused' }));
  });

  it('come back after the Server was away', async () => {
    const { port } = new URL(env['A2C_SERVER'] ?? '');
    await server.stop();
    await computer.event('disconnected');
    await using again = new RunningCli(['server', '--port', port]);
    await again.event('listening');
    expect(await agent('wait', 'laptop', 'echo', '--timeout', '20')).toMatchObject({ code: 0 });
  });
});
