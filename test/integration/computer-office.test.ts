import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import { Computer, ConfigError, parseConfig, type Diagnostic } from '../../src/computer/index.js';
import { Server } from '../../src/server/index.js';
import { COMPUTER, nextEvent, OFFICE, Office, officeServer } from '../fixtures/computer/office.js';

const only = (...moreTools: string[]): ReturnType<typeof officeServer> =>
  officeServer({ only: ['set-tools'], moreTools });

function toolUpdates(office: Office): string[] {
  return office.notices.filter((notice) => /^update_(tool_list|config) /.test(notice));
}

describe('A Computer and its office', () => {
  it('announces a change of tools with one update_tool_list and one update_config, and nothing without a change [R-3.2-tools-and-config]', async () => {
    await using office = await Office.open({ servers: { a: only('one') } });
    await office.call('set-tools', { moreTools: ['one', 'two'] });
    const pair = [`update_tool_list ${COMPUTER}`, `update_config ${COMPUTER}`];
    await vi.waitFor(() => {
      expect(toolUpdates(office)).toEqual(pair);
    });
    for (let count = 0; count < 20; count += 1) await office.call('set-tools', { moreTools: ['one', 'two'] });
    await office.call('set-tools', { moreTools: [] });
    await vi.waitFor(() => {
      expect(toolUpdates(office)).toEqual([...pair, ...pair]);
    });
  });

  it('announces servers that are added, changed and removed', async () => {
    await using office = await Office.open({ servers: { a: only('one') } });
    const { computer } = office;
    const names = (): string[] => computer.tools().map(({ name }) => name);
    await computer.addServer('b', only('two'));
    expect(names()).toEqual(['set-tools', 'one', 'two']);
    await expect(computer.addServer('b', only())).rejects.toThrow(ConfigError);
    await computer.updateServer('b', { ...only('two'), tool_meta: { two: { alias: 'zwei' } } });
    expect(names()).toEqual(['set-tools', 'one', 'zwei']);
    await computer.disableServer('b');
    expect(names()).toEqual(['set-tools', 'one']);
    await computer.enableServer('b');
    expect(names()).toEqual(['set-tools', 'one', 'zwei']);
    await computer.removeServer('b');
    await expect(computer.removeServer('b')).rejects.toThrow('"b"');
    expect(names()).toEqual(['set-tools', 'one']);
    await vi.waitFor(() => {
      const kinds = toolUpdates(office).map((notice) => notice.split(' ')[0]);
      // Five changes of tools. A server that is added or enabled has its tools only later, so that is two changes.
      expect(kinds.filter((kind) => kind === 'update_tool_list')).toHaveLength(5);
      expect(kinds.filter((kind) => kind === 'update_config')).toHaveLength(7);
    });
  });

  it.each([
    ['stopped', (computer: Computer) => computer.stopServer('a')],
    ['disabled', (computer: Computer) => computer.disableServer('a')],
    ['removed', (computer: Computer) => computer.removeServer('a')],
    [
      'disabled by another configuration',
      (computer: Computer) => computer.updateServer('a', { ...only(), disabled: true }),
    ],
    ['replaced', (computer: Computer) => computer.setConfig(parseConfig('{"servers":{}}'))],
  ])('announces one change when a server is %s [R-3.2-tools-and-config] [F-I-gone-once]', async (_how, change) => {
    await using office = await Office.open({ servers: { a: only('one') } });
    await change(office.computer);
    expect(office.computer.tools()).toEqual([]);
    // The answer comes after everything that was announced before.
    await office.ask('client:get_tools');
    expect(toolUpdates(office)).toEqual([`update_tool_list ${COMPUTER}`, `update_config ${COMPUTER}`]);
  });

  it('shows up with its tools in an Agent, and leaves again', async () => {
    await using office = await Office.open({ servers: { a: only('one') } });
    await office.agent.close();
    await using agent = new Agent({ url: office.url, name: 'real' });
    await agent.connect();
    await agent.joinOffice(OFFICE);
    expect(agent.tools.map(({ computer, name }) => [computer, name])).toContainEqual([COMPUTER, 'one']);
    const left = new Promise((resolve) => agent.on('computerLeft', resolve));
    const told = nextEvent(office.computer, 'left');
    await office.computer.leaveOffice();
    expect(await told).toEqual([{ officeId: OFFICE, name: COMPUTER }]);
    await left;
    expect(agent.tools).toEqual([]);
  });

  it('hosts without a Server, and announces nothing outside an office', async () => {
    await using computer = new Computer({ servers: { a: only('one') } });
    computer.start();
    await computer.settled();
    expect(computer.tools()).toHaveLength(2);
    await expect(computer.connect()).rejects.toThrow('url');
    await expect(computer.joinOffice(OFFICE)).rejects.toThrow('connect()');
    await computer.leaveOffice();
    await computer.disconnect();
  });

  it('does not wait for slow servers to join, and announces their tools when they come [F-C-slow-start]', async () => {
    await using server = new Server();
    const { url } = await server.listen(0);
    const folder = await mkdtemp(join(tmpdir(), 'computer-office-'));
    const gate = join(folder, 'open');
    const servers = {
      slow: officeServer({ only: [], moreTools: ['late'], gate }),
      dead: { command: 'no-such-program-here' },
    };
    await using computer = new Computer({ name: COMPUTER, url, servers });
    const changed = nextEvent(computer, 'toolsChanged');
    computer.start();
    await computer.connect();
    await computer.joinOffice(OFFICE, { name: 'other-name' });
    expect(computer.name).toBe('other-name');
    expect(computer.tools()).toEqual([]);
    await writeFile(gate, '');
    await changed;
    await rm(folder, { recursive: true });
    await computer.settled();
    expect(computer.servers()).toMatchObject([
      { server: 'slow', state: 'running', tools: 1 },
      { server: 'dead', state: 'failed' },
    ]);
    expect(computer.servers()[1]?.reason).toContain('no-such-program-here');
  });

  it('joins again by itself when the Server comes back, and serves again [R-3.4-rejoin]', async () => {
    const first = new Server();
    const { url, port } = (await first.listen(0)) as { url: string; port: number };
    await using computer = new Computer({ name: COMPUTER, url, servers: { a: only('one') }, reconnectDelayMs: 50 });
    computer.start();
    await computer.settled();
    await computer.connect();
    await computer.joinOffice(OFFICE);
    const gone = nextEvent(computer, 'disconnected');
    await first.close();
    await gone;
    expect(computer.membership).toBeUndefined();
    const back = nextEvent(computer, 'joined');
    await using second = new Server();
    await second.listen(port);
    expect(await back).toEqual([{ officeId: OFFICE, name: COMPUTER, rejoined: true }]);
    await using agent = new Agent({ url, name: 'a' });
    await agent.connect();
    await agent.joinOffice(OFFICE);
    expect(await agent.callTool(COMPUTER, 'one', { x: 1 })).toMatchObject({ isError: false });
  });

  it('bears names of any kind [F-C-names]', async () => {
    const names = ['服务器/..', 'constructor', 'a b', 'x'.repeat(200)];
    const servers = Object.fromEntries(
      names.map((name, index) => [name, officeServer({ only: [], moreTools: [`工具 ${index}`] })]),
    );
    await using office = await Office.open({ servers });
    await office.computer.joinOffice('办公室 №1', { name: '电脑 ⚙️' });
    await office.agent.leave();
    await office.agent.join({ officeId: '办公室 №1', name: '代理' });
    const computer = '电脑 ⚙️';
    expect(await office.call('工具 1', { 参数: '值' }, { computer })).toMatchObject({ isError: false });
    const config = (await office.ask('client:get_config', { computer })) as { servers: object };
    expect(Object.keys(config.servers)).toEqual(names);
    expect(await office.ask('client:get_resources', { computer, mcp_server: '服务器/..' })).toMatchObject({
      resources: [],
    });
  });

  it('closes at once while its servers are being started', async () => {
    const servers = Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [name, officeServer({ gate: '/nowhere/at/all' })]),
    );
    const computer = new Computer({ servers });
    const starting = nextEvent(computer, 'serverState', ({ state }) => state === 'starting');
    computer.start();
    await starting;
    await Promise.all([computer.close(), computer.close()]);
    expect(computer.servers().map(({ state }) => state)).toEqual(['stopped', 'stopped', 'stopped']);
  });

  it('reports a refused join and a wrong token with their codes [R-3.4-first-join]', async () => {
    await using office = await Office.open({ servers: {} });
    await using twin = new Computer({ name: COMPUTER, url: office.url });
    await twin.connect();
    await expect(twin.joinOffice(OFFICE)).rejects.toMatchObject({ name: 'JoinRefusedError', code: 403 });
    await twin.joinOffice(OFFICE, { name: 'free' });
    await using guarded = new Server({ token: 'right' });
    const { url } = await guarded.listen(0);
    await expect(twin.connect({ url, token: 'wrong' })).rejects.toMatchObject({ code: 401 });
    await twin.connect({ url, token: () => Promise.resolve('right') });
    expect(twin.connected).toBe(true);
  });

  it('takes another configuration while it runs and restarts only what changed [F-H-only-changed]', async () => {
    await using office = await Office.open({
      config: parseConfig(JSON.stringify({ servers: { a: only('one'), b: only() } })),
    });
    const { computer } = office;
    const since = computer.servers()[0]?.since;
    const diagnostics: Diagnostic[] = [];
    computer.on('diagnostic', (diagnostic) => void diagnostics.push(diagnostic));
    const next = { mcpServers: { c: { ...only('three'), surprise: 1 }, a: only('one') } };
    // `mcpServers` has no `server_parameters`: the flat form is written instead.
    const flat = (entry: Record<string, unknown>): object => ({
      ...entry,
      ...(entry['server_parameters'] as object),
      server_parameters: undefined,
    });
    const text = JSON.stringify({ mcpServers: { c: flat(next.mcpServers.c), a: flat(next.mcpServers.a) } });
    await computer.setConfig(parseConfig(text));
    expect(computer.servers()).toMatchObject([
      { server: 'c', state: 'running' },
      { server: 'a', state: 'running', since },
    ]);
    expect(diagnostics).toEqual(
      expect.arrayContaining([{ server: 'c', problem: '"surprise" is not used by this Computer' }]),
    );
  });

  it('ends running calls, answers them and leaves nothing behind when it is closed', async () => {
    await using office = await Office.open({ servers: { a: officeServer() } });
    const hanging = office.call('hang');
    await office.call('echo');
    await office.computer.close();
    expect(await hanging).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(office.computer.servers().map(({ state }) => state)).toEqual(['stopped']);
    expect(() => {
      office.computer.start();
    }).toThrow('closed');
  });
});
