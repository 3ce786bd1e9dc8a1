import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostedServerStatus } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { nextEvent, Office, textOf } from '../fixtures/computer/office.js';
import { faulty } from '../fixtures/mcp-servers/faulty.js';
import { closeServer } from '../fixtures/mcp-servers/raw-http.js';

const MIB = 1024 * 1024;

function statusOf(office: Office, server: string): HostedServerStatus | undefined {
  return office.computer.servers().find((status) => status.server === server);
}

const inState = (office: Office, server: string, wanted: string) =>
  nextEvent(office.computer, 'serverState', (status) => status.server === server && status.state === wanted);

/** Calls a tool of the other server over and over until the promise is settled. @returns how often it answered. */
async function callsDuring(office: Office, work: Promise<unknown>): Promise<number> {
  const over = new AbortController();
  const end = (): void => {
    over.abort();
  };
  work.then(end, end);
  let calls = 0;
  while (!over.signal.aborted) {
    expect(await office.callJson('echo', { calls })).toEqual({ calls });
    calls += 1;
  }
  return calls;
}

describe('Beside a server that works', () => {
  let office: Office;
  let pid = '';

  beforeAll(async () => {
    office = await Office.open({
      servers: { fine: faulty({ only: ['echo', 'pid'] }) },
      hosting: { startTimeoutMs: 5_000, restarts: { maxRestarts: 0 } },
    });
    pid = textOf(await office.call('pid'));
  });
  afterAll(async () => {
    expect(textOf(await office.call('pid'))).toBe(pid);
    await office[Symbol.asyncDispose]();
  });

  it.each<[string, JsonObject, RegExp]>([
    ['in initialize', { dieIn: ['initialize'] }, /exit code 9.*died in initialize/],
    ['between the handshake and the list', { dieIn: ['notifications/initialized'] }, /exit code 9.*died in notif/],
    ['in tools/list', { dieIn: ['tools/list'] }, /exit code 9.*died in tools\/list/],
    ['right after its start', { dieAfter: 'tools/list' }, /exit code 9.*died after tools\/list/],
  ])(
    'one may die %s: its state says so, and the other answers meanwhile [F-X-dies]',
    async (_when, options, reason) => {
      const looping = inState(office, 'dies', 'crash-loop');
      const adding = office.computer.addServer('dies', faulty({ only: [], ...options }));
      // Whether the end comes before or after the start is over is the machine's choice in the last case.
      const outcome = Promise.allSettled([adding]);
      expect(await callsDuring(office, looping)).toBeGreaterThan(0);
      await outcome;
      expect(statusOf(office, 'dies')).toMatchObject({ state: 'crash-loop', exitCode: 9, tools: 0 });
      expect(statusOf(office, 'dies')?.reason).toMatch(reason);
      await office.computer.removeServer('dies');
    },
  );

  it('one may die in a call: every call on it says so at once, and the other answers meanwhile [F-X-dies] [F-A-death-at-once]', async () => {
    await office.computer.addServer('dies', faulty({ only: ['hang', 'die'] }));
    const calls = Promise.all([
      office.call('hang'),
      office.call('hang'),
      office.call('die', { words: 'no memory left' }),
    ]);
    expect(await callsDuring(office, calls)).toBeGreaterThan(0);
    for (const result of await calls) {
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
      expect(textOf(result)).toContain('exit code 9');
    }
    expect(statusOf(office, 'dies')).toMatchObject({ state: 'crash-loop', stderrTail: 'no memory left' });
    expect(await office.call('hang')).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    await office.computer.removeServer('dies');
  });

  it('one may die while it is stopped, which is no fault [F-X-dies]', async () => {
    await office.computer.addServer('dies', faulty({ only: ['hang'], dieAtEnd: true }));
    const hanging = office.call('hang');
    await office.callJson('echo', {});
    await office.computer.stopServer('dies');
    expect(statusOf(office, 'dies')).toMatchObject({ state: 'stopped', tools: 0 });
    expect(statusOf(office, 'dies')).not.toHaveProperty('reason');
    expect(await hanging).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    await office.computer.startServer('dies');
    expect(statusOf(office, 'dies')).toMatchObject({ state: 'running', tools: 1 });
    await office.computer.removeServer('dies');
  });

  it.each([
    ['the list of tools', 'tools/list'],
    ['the list of resources', 'resources/list'],
    ['the list of templates', 'resources/templates/list'],
  ])('one may never answer %s, which delays nobody [F-X-silent]', async (_what, method) => {
    const silent = faulty({ only: ['hang'], mute: [method], resources: [{ uri: 'window://faulty/1', name: '1' }] });
    const adding = Promise.allSettled([office.computer.addServer('silent', silent)]);
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    expect((await office.ask('client:get_tools'))['tools']).toEqual(expect.arrayContaining([expect.anything()]));
    if (method === 'tools/list') expect(statusOf(office, 'silent')?.state).toBe('starting');
    else await adding;
    await office.computer.removeServer('silent');
    await adding;
  });

  it('one may never answer a call: it ends with the budget of the Agent, and the other answers meanwhile [F-X-silent] [F-F-hung-call]', async () => {
    await office.computer.addServer('silent', faulty({ only: ['hang'] }));
    const hanging = office.call('hang', {}, { timeout: 1 });
    expect(await callsDuring(office, hanging)).toBeGreaterThan(5);
    expect(await hanging).toMatchObject({ isError: true, meta: { error_code: 4004, a2c_timeout: true } });
    await office.computer.removeServer('silent');
  });

  it('one may write 66 MiB without a newline: it fails, says why, and is started again [F-B-endless-line]', async () => {
    await office.computer.addServer('floods', faulty({ only: ['endless', 'hang'] }));
    const looping = inState(office, 'floods', 'crash-loop');
    const calls = Promise.all([office.call('hang'), office.call('endless', { bytes: 66 * MIB })]);
    expect(await callsDuring(office, calls)).toBeGreaterThan(0);
    for (const result of await calls) expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    const [status] = await looping;
    expect(status.reason).toContain('without a newline');
    await office.computer.startServer('floods');
    expect(statusOf(office, 'floods')?.state).toBe('running');
    await office.computer.removeServer('floods');
  });

  it('one may answer 33 MiB in one line: that call fails, the other calls on it do not [F-B-long-line]', async () => {
    await office.computer.addServer('large', faulty({ only: ['big', 'hang'] }));
    const hanging = office.call('hang', {}, { timeout: 8 });
    const large = await office.call('big', { bytes: 33 * MIB });
    expect(large).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(large)).toMatch(/346\d{5} bytes is larger than the limit of 33554432 bytes/);
    expect(textOf(await office.call('big', { bytes: 1_000 }))).toHaveLength(1_000);
    expect(statusOf(office, 'large')?.state).toBe('running');
    await office.computer.removeServer('large');
    expect(await hanging).toMatchObject({ isError: true });
  });

  it('one may write 20 MB of stderr a second: its own calls and those of the other are answered [F-X-stderr-flood] [F-B-stderr-drained]', async () => {
    await office.computer.addServer(
      'noisy',
      faulty({ only: ['pid'], toolList: [{ name: 'noisy' }], stderrEvery50Ms: MIB }),
    );
    const second = new Promise((resolve) => setTimeout(resolve, 1_000));
    const calls = callsDuring(office, second);
    for (let call = 0; call < 20; call += 1) expect(await office.callJson('noisy', { call })).toEqual({ call });
    expect(await calls).toBeGreaterThan(5);
    await office.computer.removeServer('noisy');
  });

  it('one may stop reading: calls on it fail, and it can be stopped [F-X-silent]', async () => {
    await office.computer.addServer('deaf', faulty({ only: ['deaf', 'hang'] }));
    await office.call('deaf');
    const text = 'x'.repeat(900_000);
    const calls = Promise.all(Array.from({ length: 10 }, () => office.call('hang', { text }, { timeout: 1 })));
    expect(await callsDuring(office, calls)).toBeGreaterThan(0);
    const codes = (await calls).map(({ meta }) => (meta as JsonObject)['error_code']);
    expect(codes.filter((code) => code !== 4003 && code !== 4004)).toEqual([]);
    await office.computer.removeServer('deaf');
  });

  it('one may say ten thousand things that nobody asked for [F-X-dies]', async () => {
    await office.computer.addServer('chatters', faulty({ only: ['chatter', 'hang'] }));
    const said = office.call('chatter', { times: 10_000 });
    expect(await callsDuring(office, said)).toBeGreaterThan(0);
    expect(await said).toEqual({ content: [{ type: 'text', text: 'said' }], isError: false });
    expect(statusOf(office, 'chatters')?.state).toBe('running');
    await office.computer.removeServer('chatters');
  });
});

describe('Servers that cannot be started', () => {
  it('have a state with a reason each, and the one that can be started runs [F-X-unstartable] [F-C-cwd] [F-C-missing-command]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'a2c-bad-'));
    const plain = join(folder, 'plain.txt');
    await writeFile(plain, 'no program');
    const refusing = createServer((_request, response) => response.writeHead(418).end());
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as AddressInfo;
    const node = process.execPath;
    const bad: Record<string, [JsonObject, string, RegExp]> = {
      missing: [{ command: 'no-such-program' }, 'failed', /"no-such-program"; searched PATH: .*bin/],
      'missing file': [{ command: '/no/such/file' }, 'failed', /\/no\/such\/file/],
      'no program': [{ command: plain }, 'failed', /plain\.txt.*not executable/],
      folder: [{ command: folder }, 'failed', /not executable/],
      'NUL byte': [{ command: node, args: ['a\0b'] }, 'failed', /Cannot start/],
      'missing cwd': [{ command: node, cwd: '/no/such/folder' }, 'failed', /\/no\/such\/folder/],
      'file as cwd': [{ command: node, cwd: plain }, 'failed', /plain\.txt/],
      'unknown encoding': [{ command: node, encoding: 'klingon' }, 'failed', /klingon|encoding/],
      'ends at once': [{ command: node, args: ['-e', ''] }, 'crash-loop', /exit code 0/],
      'no port': [{ url: 'http://127.0.0.1:1/mcp' }, 'crash-loop', /ECONNREFUSED|cannot reach/i],
      'no MCP server': [{ url: `http://127.0.0.1:${port}/mcp` }, 'crash-loop', /418/],
      'no URL': [{ url: 'mailto:x' }, 'failed', /url/],
      'bad header': [{ url: 'http://127.0.0.1:1/', headers: { 'a b': 'x' } }, 'failed', /"a b"/],
    };
    const servers = Object.fromEntries(Object.entries(bad).map(([name, [config]]) => [name, config]));
    const began = Date.now();
    await using office = await Office.open({
      servers: { ...servers, fine: faulty({ only: ['echo'] }) },
      hosting: { restarts: { maxRestarts: 0 } },
    });
    // All of them together take less than one of them may: a second each, and nobody waits for a time limit.
    expect(Date.now() - began).toBeLessThan(10_000);
    for (const [name, [, state, reason]] of Object.entries(bad)) {
      expect(statusOf(office, name), name).toMatchObject({ state, reason: expect.stringMatching(reason) as string });
    }
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    await closeServer(refusing);
    await rm(folder, { recursive: true });
  });
});

describe('Many tools and odd ones', () => {
  it('10,000 on 50 pages are listed, and the last is called [F-X-many-tools] [F-E-paging] [F-F-size-tools]', async () => {
    await using office = await Office.open({ servers: { a: faulty({ only: [], extraTools: 10_000, pageSize: 200 }) } });
    expect(statusOf(office, 'a')).toMatchObject({ state: 'running', tools: 10_000 });
    expect(office.computer.tools().map(({ name }) => name)).toEqual(
      Array.from({ length: 10_000 }, (_, index) => `tool-${index}`),
    );
    expect(await office.callJson('tool-9999', { x: 1 })).toEqual({ x: 1 });
    const answer = await office.ask('client:get_tools');
    expect(answer).toMatchObject({ code: 500, limit: 1_000_000 });
    expect(answer['size']).toBeGreaterThan(1_000_000);
    expect(office.computer.connected).toBe(true);
    expect(await office.callJson('tool-0', { x: 2 })).toEqual({ x: 2 });
  });

  it('may have any name [F-X-names]', async () => {
    const names = ['__proto__', 'constructor', 'toString', '../x', 'a/b', '工具 ⚙️', '\u0000', '"', '1'];
    names.push('x'.repeat(10_000), '\u202Ex', 'tools/call');
    const toolList = names.map((name) => ({ name, inputSchema: { type: 'object', title: name } }));
    await using office = await Office.open({ servers: { a: faulty({ toolList }) } });
    const { tools } = (await office.ask('client:get_tools')) as { tools: JsonObject[] };
    expect(tools.map(({ name }) => name)).toEqual(names);
    for (const name of names) expect(await office.callJson(name, { name }), name).toEqual({ name });
  });

  it.each([200, 5_000, 100_000])(
    'may nest %i levels deep: the others are listed, and nothing falls over [F-E-broken-tool]',
    async (nesting) => {
      const toolList = [
        { name: 'deep', inputSchema: 'NESTED', _meta: { x: 'NESTED' } },
        { name: 'give' },
        { name: 'echo' },
      ];
      const resources = [
        { uri: 'window://w/1', name: 'NESTED' },
        { uri: 'window://w/2', name: '2' },
      ];
      await using office = await Office.open({
        servers: { a: faulty({ toolList, nesting, resources }), b: faulty({ only: ['pid'] }) },
      });
      expect(office.computer.servers().map(({ state }) => state)).toEqual(['running', 'running']);
      const { tools } = (await office.ask('client:get_tools')) as { tools: JsonObject[] };
      expect(tools.map(({ name }) => name)).toEqual(['give', 'echo', 'pid']);
      const deep = await office.call('give', { result: { content: [{ type: 'text', text: 'x', _meta: 'NESTED' }] } });
      expect(deep).toMatchObject({ isError: true, meta: { error_code: 4003 } });
      expect(await office.ask('client:get_desktop')).toMatchObject({ desktops: [expect.stringMatching(/w\/2/)] });
      expect(await office.ask('client:get_resources', { mcp_server: 'a' })).toMatchObject({ code: 500 });
      expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    },
  );
});
