import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { mcpServerConfigSchema, silentLogger, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import type { Diagnostic, ResourceHost } from '../hosting.js';
import { InputError } from '../inputs/input-error.js';
import { ServerStartError } from './mcp-errors.js';
import { McpServerManager, type McpServerManagerOptions } from './mcp-server-manager.js';
import type { ServerState, ServerStatus } from './server-state.js';

const RAW = fileURLToPath(new URL('../../../test/fixtures/mcp-servers/raw-server.mjs', import.meta.url));

interface RawSetup {
  raw?: object;
  config?: object;
  command?: string;
}

function raw(name: string, setup: RawSetup = {}): { config: McpServerConfig } {
  const { command = process.execPath } = setup;
  const config = mcpServerConfigSchema.parse({
    name,
    type: 'stdio',
    server_parameters: { command, args: [RAW, JSON.stringify(setup.raw ?? { only: ['echo', 'hang', 'die', 'pid'] })] },
    ...setup.config,
  });
  return { config };
}

const open: McpServerManager[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((manager) => manager.close()));
});

function make(options: Partial<McpServerManagerOptions> = {}) {
  const manager = new McpServerManager({
    render: (config) => Promise.resolve(config),
    logger: silentLogger,
    redact: (text) => text.replaceAll('s3cret', '***'),
    clientInfo: { name: 'test', version: '1' },
    restarts: { minMs: 10 },
    ...options,
  });
  open.push(manager);
  const states: string[] = [];
  const diagnostics: Diagnostic[] = [];
  let changes = 0;
  manager.events.on('serverState', (server, status) => states.push(`${server} ${status.state}`));
  manager.events.on('diagnostic', (diagnostic) => diagnostics.push(diagnostic));
  manager.events.on('toolsChanged', () => (changes += 1));
  return { manager, states, diagnostics, changes: () => changes };
}

/** Settled when the server is in this state. */
function reaches(manager: McpServerManager, server: string, state: ServerState): Promise<ServerStatus> {
  const now = manager.states().get(server);
  if (now?.state === state) return Promise.resolve(now);
  return new Promise((resolve) => {
    const off = manager.events.on('serverState', (name, status) => {
      if (name !== server || status.state !== state) return;
      off();
      resolve(status);
    });
  });
}

const names = (manager: McpServerManager): string[] => manager.tools().map(({ name }) => name);
const textOf = (result: JsonObject): string => (result['content'] as [{ text: string }])[0].text;

describe('McpServerManager', () => {
  it('routes by exposed name to the original one, with exactly the given arguments [F-E-one-router]', async () => {
    const { manager, diagnostics } = make();
    await manager.setServers([
      raw('a', { raw: { only: ['echo'] } }),
      raw('b', { raw: { only: ['echo', 'echo-params'] }, config: { tool_meta: { 'echo-params': { alias: 'ep' } } } }),
    ]);
    expect(names(manager)).toEqual(['echo', 'ep']);
    const args = JSON.parse('{"__proto__":{"x":1},"n":null}') as JsonObject;
    const result = await manager.callTool('ep', args);
    expect(JSON.stringify(result['structuredContent'])).toBe(
      '{"name":"echo-params","arguments":{"__proto__":{"x":1},"n":null}}',
    );
    expect(diagnostics).toEqual([expect.objectContaining({ server: 'b', item: 'echo' })]);
    await expect(manager.callTool('echo-params', {})).rejects.toMatchObject({ name: 'ToolNotFoundError' });
  });

  it('keeps the order of the configuration, whoever starts first', async () => {
    const { manager } = make();
    await manager.setServers([
      raw('slow', { raw: { only: ['echo'], initDelay: 150 } }),
      raw('quick', { raw: { only: ['echo', 'pid'] } }),
    ]);
    expect(manager.serverNames()).toEqual(['slow', 'quick']);
    expect(manager.route('echo')).toMatchObject({ server: 'slow' });
    expect(names(manager)).toEqual(['echo', 'pid']);
  });

  it('answers a forbidden tool as such and does not list it', async () => {
    const { manager } = make();
    await manager.setServers([raw('a', { config: { forbidden_tools: ['echo'] } })]);
    expect(names(manager)).not.toContain('echo');
    await expect(manager.callTool('echo', {})).rejects.toMatchObject({ name: 'ToolForbiddenError', server: 'a' });
  });

  it('does not start a disabled server until it is enabled [R-7.1-disabled]', async () => {
    const { manager, states } = make();
    await manager.setServers([raw('a', { config: { disabled: true } })]);
    expect(states).toEqual(['a disabled']);
    await expect(manager.start('a')).rejects.toThrow('disabled in its configuration');
    await manager.enable('a');
    expect(names(manager)).toContain('echo');
    await manager.disable('a');
    expect(manager.states().get('a')).toMatchObject({ state: 'disabled', tools: 0 });
    expect(names(manager)).toEqual([]);
  });

  it('restarts only what changed [F-H-only-changed]', async () => {
    const { manager, states } = make();
    await manager.setServers([raw('a'), raw('b'), raw('c')]);
    const pidOf = async (name: string) => textOf(await manager.client(name).callTool('pid', {}));
    const before = [await pidOf('a'), await pidOf('b')];
    states.length = 0;
    await manager.setServers([raw('b', { raw: { only: ['pid', 'echo'], banner: true } }), raw('a'), raw('d')]);
    expect(await pidOf('a')).toBe(before[0]);
    expect(await pidOf('b')).not.toBe(before[1]);
    expect(states).toEqual(expect.arrayContaining(['c stopped', 'b starting', 'b running', 'd running']));
    expect(states).not.toContain('a starting');
    expect(manager.serverNames()).toEqual(['b', 'a', 'd']);
  });

  it('takes tool settings over without a restart', async () => {
    const { manager, states, changes } = make();
    await manager.setServers([raw('a', { raw: { only: ['echo'] } })]);
    states.length = 0;
    await manager.update(raw('a', { raw: { only: ['echo'] }, config: { tool_meta: { echo: { alias: 'say' } } } }));
    expect(states).toEqual([]);
    expect(names(manager)).toEqual(['say']);
    expect(changes()).toBe(2);
  });

  it('leaves one child after ten replacements of the configuration', async () => {
    const { manager } = make();
    const replaced = [];
    for (let index = 0; index < 10; index += 1) replaced.push(manager.setServers([raw('a', { raw: { x: index } })]));
    await Promise.all(replaced);
    await reaches(manager, 'a', 'running');
    const pids = new Set<string>([textOf(await manager.callTool('pid', {}))]);
    expect(pids.size).toBe(1);
    expect(manager.configs()[0]?.server_parameters).toMatchObject({ args: [RAW, '{"x":9}'] });
  });

  it('keeps the tools of a crashed server listed, fails calls at once, and brings it back [F-I-crashed]', async () => {
    const { manager, changes } = make({ restarts: { minMs: 200 } });
    await manager.setServers([raw('a')]);
    const back = reaches(manager, 'a', 'backing-off');
    await expect(manager.callTool('die', { code: 5, stderr: 's3cret' })).rejects.toMatchObject({
      name: 'UpstreamError',
      ending: { exitCode: 5, stderrTail: '***' },
    });
    expect(await back).toMatchObject({ exitCode: 5, stderrTail: '***', tools: 4 });
    expect(names(manager)).toHaveLength(4);
    await expect(manager.callTool('echo', {})).rejects.toMatchObject({ name: 'ServerNotRunningError' });
    await reaches(manager, 'a', 'running');
    expect(await manager.callTool('echo', {})).toHaveProperty('content');
    expect(changes()).toBe(1);
  });

  it('drops the tools of a server in a crash loop, and of a stopped one, with one change each [F-I-gone-once]', async () => {
    const { manager, changes } = make({ restarts: { minMs: 1, maxRestarts: 0 } });
    await manager.setServers([raw('a'), raw('b', { raw: { only: ['env'] } })]);
    const loop = reaches(manager, 'a', 'crash-loop');
    await manager.callTool('die', {}).catch(() => undefined);
    await loop;
    expect(names(manager)).toEqual(['env']);
    await manager.start('a');
    expect(names(manager)).toHaveLength(5);
    await manager.stop('a');
    expect(names(manager)).toEqual(['env']);
    // Two starts at first, crash loop, start, stop.
    expect(changes()).toBe(5);
  });

  it('says why a server did not start, and starts the others [F-X-unstartable] [F-B-stderr-shown]', async () => {
    const { manager } = make({ restarts: { minMs: 60_000 } });
    await manager.setServers([
      raw('dies', { raw: { dieAtOnce: 3 } }),
      raw('missing', { command: 'no-such-command' }),
      raw('cwd', { config: { server_parameters: { command: 'node', cwd: '/no/such' } } }),
      raw('fine'),
    ]);
    const states = Object.fromEntries(manager.states());
    expect(states).toMatchObject({
      dies: { state: 'backing-off', exitCode: 3, stderrTail: 'API_KEY is missing\nset it and try again' },
      missing: { state: 'failed', reason: expect.stringContaining('"no-such-command"; searched PATH') as string },
      cwd: { state: 'failed', reason: expect.stringContaining('/no/such') as string },
      fine: { state: 'running', tools: 4 },
    });
    expect(() => manager.client('missing')).toThrow(/^MCP server "missing" is not running \(failed\)$/);
  });

  it('needs an input where the configuration cannot be rendered, and renders anew at every start [F-H-missing-variable] [F-H-only-changed]', async () => {
    let value: string | undefined;
    const { manager } = make({
      render: (config) => {
        if (config.name === 'odd') throw new ServerStartError('bad-config', 'command is empty');
        if (value === undefined) throw new InputError('key', 'it has no value');
        return Promise.resolve({
          ...config,
          server_parameters: { ...config.server_parameters, env: { KEY: value } },
        } as never);
      },
    });
    await manager.setServers([raw('a', { raw: { only: ['env'] } }), raw('odd')]);
    expect(manager.states().get('a')).toMatchObject({
      state: 'needs-input',
      reason: expect.stringContaining('"key"') as string,
    });
    expect(manager.states().get('odd')).toMatchObject({ state: 'failed' });
    for (value of ['1', '2']) {
      await manager.restart('a');
      expect(textOf(await manager.callTool('env', { names: ['KEY'] }))).toBe(JSON.stringify({ KEY: value }));
    }
  });

  it('refreshes tools on list_changed: 200 in a tick are at most two lists and one change [F-I-coalesced]', async () => {
    const { manager, changes } = make();
    await manager.setServers([raw('a', { raw: { only: ['storm', 'counts'] } })]);
    const changed = new Promise<void>((resolve) => {
      manager.events.on('toolsChanged', resolve);
    });
    await manager.callTool('storm', { times: 200, add: 1 });
    await changed;
    await manager.callTool('tool-0', {});
    const counts = JSON.parse(textOf(await manager.callTool('counts', {}))) as Record<string, number>;
    expect(counts['tools/list']).toBeLessThanOrEqual(3);
    expect(changes()).toBe(2);
    expect(manager.states().get('a')?.tools).toBe(3);
  });

  it('does not loop with a server that sends list_changed inside every list [F-I-no-loop]', async () => {
    const { manager, changes } = make();
    await manager.setServers([raw('a', { raw: { only: ['counts', 'slow'], changeInList: true } })]);
    await manager.callTool('slow', { ms: 200 });
    const counts = JSON.parse(textOf(await manager.callTool('counts', {}))) as Record<string, number>;
    expect(counts['tools/list']).toBeLessThanOrEqual(4);
    expect(changes()).toBe(1);
  });

  it('reads every page and tells once what was left out', async () => {
    const { manager, diagnostics } = make();
    await manager.setServers([raw('a', { raw: { only: ['storm'], brokenItems: true, extraTools: 30, pageSize: 4 } })]);
    expect(names(manager)).toHaveLength(35);
    expect(manager.tools().find(({ name }) => name === 'null-schema')?.params_schema).toEqual({ type: 'object' });
    await manager.callTool('storm', { times: 1, add: 1 });
    await new Promise<void>((resolve) => {
      manager.events.on('toolsChanged', resolve);
    });
    expect(diagnostics.map(({ problem }) => problem)).toEqual([
      'left out: it is not an object',
      'left out: its name is not a string',
    ]);
  });

  it('runs calls in parallel up to the cap; the wait for a place counts as call time [F-F-hung-call]', async () => {
    const { manager } = make({ callsInParallel: 2 });
    await manager.setServers([raw('a'), raw('b', { raw: { only: ['env'] } })]);
    const controller = new AbortController();
    const hung = [1, 2].map(() => manager.callTool('hang', {}, { signal: controller.signal }));
    await expect(manager.callTool('echo', {}, { timeoutMs: 50 })).rejects.toMatchObject({ name: 'CallTimeoutError' });
    const queued = manager.callTool('echo', {});
    expect(await manager.callTool('env', { names: [] })).toHaveProperty('content');
    controller.abort();
    expect(await Promise.allSettled(hung)).toMatchObject([{ reason: { name: 'CallCancelledError' } }, {}]);
    expect(await queued).toHaveProperty('content');
  });

  it('is a host of resources for desktop and documents [F-I-counted]', async () => {
    const { manager } = make();
    const host: ResourceHost = manager;
    await manager.setServers([
      raw('a', { raw: { only: ['subscribed', 'touch', 'add-resource'] } }),
      raw('off', { config: { disabled: true } }),
    ]);
    const wait = { timeoutMs: 1_000 };
    expect([host.hasResources('a'), host.canSubscribe('a'), host.hasResources('off')]).toEqual([true, true, false]);
    expect(await host.listAllResources('a', wait)).toHaveLength(2);
    expect(await host.listAllTemplates('a', wait)).toEqual([{ uriTemplate: 'dpe://raw.test/{id}', name: 'doc' }]);
    expect(await manager.listResourcesPage('a', null, wait)).toHaveProperty('resources.length', 2);
    expect(await host.readResource('a', 'memo:x', wait)).toHaveProperty('contents');
    await expect(host.readResource('off', 'memo:x', wait)).rejects.toMatchObject({ name: 'ServerNotRunningError' });
    await expect(host.readResource('none', 'memo:x', wait)).rejects.toMatchObject({ name: 'ServerNotFoundError' });

    await Promise.all([host.subscribe('a', 'memo:x'), host.subscribe('a', 'memo:x')]);
    await host.unsubscribe('a', 'memo:x');
    expect(textOf(await manager.callTool('subscribed', {}))).toBe('["memo:x"]');
    await host.unsubscribe('a', 'memo:x');
    expect(textOf(await manager.callTool('subscribed', {}))).toBe('[]');

    const seen: string[] = [];
    manager.events.on('resourceUpdated', (server, uri) => seen.push(`${server} ${uri}`));
    const changed = new Promise<string>((resolve) => {
      manager.events.on('resourcesChanged', resolve);
    });
    await manager.callTool('touch', { uri: 'memo:x' });
    await manager.callTool('add-resource', { uri: 'x:y' });
    expect(await changed).toBe('a');
    expect(seen).toEqual(['a memo:x']);
  });

  it('takes an answer without content for a failure [R-6.1-no-content]', async () => {
    const { manager } = make();
    await manager.setServers([raw('a', { raw: { only: ['no-content'] } })]);
    await expect(manager.callTool('no-content', {})).rejects.toMatchObject({ name: 'UpstreamError', server: 'a' });
  });

  it('runs a server that does not know its own lists', async () => {
    const { manager, diagnostics } = make();
    await manager.setServers([raw('a', { raw: { unknownMethods: ['tools/list', 'resources/templates/list'] } })]);
    expect(manager.states().get('a')).toMatchObject({ state: 'running', tools: 0 });
    expect(await manager.listAllTemplates('a', { timeoutMs: 1_000 })).toEqual([]);
    expect(diagnostics.map(({ problem }) => problem)).toEqual([
      'the server does not know tools/list',
      'the server does not know resources/templates/list',
    ]);
  });

  it('refuses two servers of one name, and names that it does not know', async () => {
    const { manager } = make();
    await expect(manager.setServers([raw('a'), raw('a')])).rejects.toThrow('Two MCP servers are named "a"');
    await manager.add(raw('a'));
    await expect(manager.add(raw('a'))).rejects.toThrow('an MCP server "a" already');
    await expect(manager.update(raw('b'))).rejects.toMatchObject({ name: 'ServerNotFoundError' });
    await manager.remove('a');
    expect(manager.serverNames()).toEqual([]);
    expect(manager.tools()).toEqual([]);
  });

  it('keeps stopped what a user stopped, also under a new configuration', async () => {
    const { manager } = make();
    await manager.setServers([raw('a')]);
    await manager.stop('a');
    await manager.setServers([raw('a', { raw: { only: ['env'] } })]);
    expect(manager.states().get('a')?.state).toBe('stopped');
    await manager.start('a');
    expect(names(manager)).toEqual(['env']);
  });

  it('takes names for data', async () => {
    const { manager } = make();
    const odd = ['__proto__', '../etc', 'a/b', '电脑', 'x'.repeat(200)];
    await manager.setServers(odd.map((name) => raw(name, { raw: { only: ['pid'] } })));
    expect(manager.serverNames()).toEqual(odd);
    expect(odd.map((name) => manager.states().get(name)?.state)).toEqual(odd.map(() => 'running'));
  });

  it('closes while five servers are starting and leaves nothing', async () => {
    const { manager } = make();
    const starting = manager.setServers(['a', 'b', 'c', 'd', 'e'].map((name) => raw(name)));
    await new Promise((resolve) => setTimeout(resolve, 10));
    await manager.close();
    await starting;
    expect([...manager.states().values()].map(({ state }) => state)).toEqual(Array(5).fill('stopped'));
    await expect(manager.setServers([])).rejects.toThrow('were closed');
  });

  it('starts two at a time, but lets nobody wait for a slow one for long [F-C-slow-start]', async () => {
    const { manager, states } = make({ startThrottle: { slots: 1, holdMs: 60 } });
    const done = manager.setServers([raw('hangs', { raw: { silent: true } }), raw('next')]);
    await reaches(manager, 'next', 'running');
    expect(states).not.toContain('hangs running');
    await manager.remove('hangs');
    await done;
  });
});

describe('McpServerManager over HTTP', () => {
  /** A streamable HTTP server whose answers to everything but the handshake the test gives. */
  async function http(answer: (message: JsonObject, session: string) => [status: number, body?: unknown]) {
    let sessions = 0;
    const server = createServer((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const message = JSON.parse(body) as JsonObject;
        const reply = (status: number, result?: unknown, headers = {}) => {
          response.writeHead(status, { 'content-type': 'application/json', ...headers });
          response.end(result === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id: message['id'], result }));
        };
        if (message['method'] === 'initialize') {
          const result = {
            protocolVersion: '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'h', version: '1' },
          };
          reply(200, result, { 'mcp-session-id': `s${(sessions += 1)}` });
        } else if (message['id'] === undefined) reply(202);
        else reply(...answer(message, String(request.headers['mcp-session-id'])));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const config = mcpServerConfigSchema.parse({ name: 'h', type: 'streamable', server_parameters: { url } });
    const close = () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    };
    return { config, close, sessions: () => sessions };
  }

  it('makes a lost session anew and repeats only the call that was surely not executed [F-D-session-lost] [F-D-never-twice]', async () => {
    const executed: string[] = [];
    const { config, close, sessions } = await http((message, session) => {
      if (message['method'] === 'tools/list') return [200, { tools: [{ name: 't', inputSchema: {} }] }];
      if (session === 's1') return [404];
      executed.push(session);
      return [200, { content: [] }];
    });
    const { manager, changes } = make();
    await manager.setServers([{ config }]);
    expect(await Promise.all([manager.callTool('t', {}), manager.callTool('t', {})])).toEqual([
      { content: [] },
      { content: [] },
    ]);
    expect(executed).toEqual(['s2', 's2']);
    expect(sessions()).toBe(2);
    expect(changes()).toBe(1);
    await close();
  });

  it('keeps the tools of a server that wants a login aside, and names it for unknown tools [F-G-login-absent]', async () => {
    let loggedOut = false;
    const { config, close } = await http((message) => {
      if (loggedOut) return [401];
      return [200, message['method'] === 'tools/list' ? { tools: [{ name: 't' }] } : { content: [] }];
    });
    const { manager } = make();
    await manager.setServers([{ config }]);
    loggedOut = true;
    await expect(manager.callTool('t', {})).rejects.toMatchObject({ name: 'UpstreamAuthError', kind: 'required' });
    await manager.restart('h').catch(() => undefined);
    expect(manager.states().get('h')).toMatchObject({ state: 'needs-login', failure: 'auth-required' });
    expect(names(manager)).toEqual([]);
    await expect(manager.callTool('t', {})).rejects.toMatchObject({ name: 'UpstreamAuthError', server: 'h' });
    await expect(manager.callTool('other', {})).rejects.toThrow('wait for a login: h');
    await close();
  });

  it('falls back to SSE only where the type was not written', async () => {
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /p\n\n');
        server.on('a2c-reply', (text: string) => void response.write(`data: ${text}\n\n`));
        return;
      }
      if (request.url !== '/p') return void response.writeHead(405).end();
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const { id, method } = JSON.parse(body) as JsonObject;
        response.writeHead(202).end();
        const result =
          method === 'initialize'
            ? { protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo: {} }
            : { tools: [{ name: 'old' }] };
        if (id !== undefined) server.emit('a2c-reply', JSON.stringify({ jsonrpc: '2.0', id, result }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const config = mcpServerConfigSchema.parse({ name: 'h', type: 'streamable', server_parameters: { url } });
    const { manager } = make({ restarts: { minMs: 60_000 } });
    await manager.setServers([
      { config: { ...config, name: 'strict' } },
      { config: { ...config, name: 'lenient' }, sseFallback: true },
    ]);
    expect(manager.states().get('lenient')).toMatchObject({ state: 'running', tools: 1 });
    expect(manager.states().get('strict')?.reason).toContain('HTTP 405');
    await manager.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
