import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLogger, type JsonObject } from '../../protocol/index.js';
import { Cancellation } from './cancellation.js';
import { McpClient } from './mcp-client.js';
import { StdioTransport } from './stdio-transport.js';

const root = new URL('../../../', import.meta.url);
const RAW = fileURLToPath(new URL('test/fixtures/mcp-servers/raw-server.mjs', root));
const SERVERS = fileURLToPath(new URL('node_modules/@modelcontextprotocol/', root));

const open = new Set<McpClient>();
afterEach(async () => {
  await Promise.all([...open].map((client) => client.close()));
  open.clear();
});

function make(args: readonly string[]): McpClient {
  const transport = new StdioTransport({
    server: 'srv',
    command: process.execPath,
    args,
    logger: silentLogger,
    redact: (text) => text.replaceAll('s3cret', '***'),
  });
  const client = new McpClient({
    server: 'srv',
    transport,
    clientInfo: { name: 'test', version: '1' },
    logger: silentLogger,
    redact: (text) => text.replaceAll('s3cret', '***'),
  });
  open.add(client);
  return client;
}

async function connect(raw: object = {}): Promise<McpClient> {
  const client = make([RAW, JSON.stringify(raw)]);
  await client.connect({ timeoutMs: 10_000 });
  return client;
}

const textOf = (result: JsonObject): string => (result['content'] as [{ text: string }])[0].text;

describe('McpClient', () => {
  it('gives results as the server wrote them', async () => {
    const client = await connect();
    const result = await client.callTool('echo-params', JSON.parse('{"__proto__":{"a":1},"b":null}') as JsonObject);
    expect(JSON.stringify(result)).toBe(
      '{"content":[{"type":"text","text":"ok"}],"structuredContent":{"name":"echo-params","arguments":{"__proto__":{"a":1},"b":null}},"resultType":"complete","_meta":{"m":1}}',
    );
  });

  it('says in a sentence what is wrong with a handshake', async () => {
    const answer = `process.stdin.once('data', () => console.log('{"jsonrpc":"2.0","id":0,"result":{}}'))`;
    const client = make(['-e', answer]);
    await expect(client.connect({ timeoutMs: 10_000 })).rejects.toThrow(
      'The server answered the handshake without a protocolVersion',
    );
  });

  it('reports every progress, also when it comes together with the answer', async () => {
    const client = await connect();
    const seen: unknown[] = [];
    const result = await client.callTool('progress', { steps: 4 }, { onProgress: (one) => seen.push(one.progress) });
    expect(textOf(result)).toBe('done');
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('survives a progress callback that throws', async () => {
    const client = await connect();
    const onProgress = () => {
      throw new Error('mine');
    };
    expect(textOf(await client.callTool('progress', { steps: 2 }, { onProgress }))).toBe('done');
  });

  it('cancels one call only, and upstream with the id that the server knows [F-F-cancel-one] [F-F-cancel-upstream]', async () => {
    const client = await connect();
    const controller = new AbortController();
    const slow = client.callTool('slow', { ms: 150 });
    const hung = client.callTool('hang', {}, { signal: controller.signal });
    controller.abort();
    await expect(hung).rejects.toMatchObject({ name: 'CallCancelledError' });
    expect(textOf(await slow)).toBe('slow done');
    expect(JSON.parse(textOf(await client.callTool('cancelled', {})))).toEqual([expect.any(Number)]);
  });

  it('tells a timeout from a cancel, and tells the server of it [F-F-timeout-or-cancel]', async () => {
    const client = await connect();
    const signal = new AbortController().signal;
    await expect(client.callTool('hang', {}, { timeoutMs: 50, signal })).rejects.toMatchObject({
      name: 'CallTimeoutError',
      timeoutMs: 50,
    });
    expect(JSON.parse(textOf(await client.callTool('cancelled', {})))).toHaveLength(1);
    await expect(client.callTool('echo', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'CallCancelledError',
    });
  });

  it('is cancelled by the lighter signal as well, also while it waits for a place', async () => {
    const transport = new StdioTransport({
      server: 'srv',
      command: process.execPath,
      args: [RAW],
      logger: silentLogger,
      redact: (text) => text,
    });
    const clientInfo = { name: 'test', version: '1' };
    const context = { server: 'srv', clientInfo, logger: silentLogger, redact: (text: string) => text };
    const client = new McpClient({ ...context, transport, callsInParallel: 1 });
    open.add(client);
    await client.connect({ timeoutMs: 5_000 });
    const [running, waiting] = [new Cancellation(), new Cancellation()];
    const calls = [running, waiting].map((signal) => client.callTool('hang', {}, { signal }));
    waiting.cancel();
    running.cancel();
    running.cancel();
    expect(await Promise.allSettled(calls)).toMatchObject([
      { reason: { name: 'CallCancelledError' } },
      { reason: { name: 'CallCancelledError' } },
    ]);
    // Only the one that was sent is cancelled upstream.
    expect(JSON.parse(textOf(await client.callTool('cancelled', {})))).toHaveLength(1);
    await expect(client.callTool('echo', {}, { signal: waiting })).rejects.toMatchObject({
      name: 'CallCancelledError',
    });
  });

  it('leaves no listener on a signal that many calls share', async () => {
    const client = await connect();
    const controller = new AbortController();
    const spy = vi.spyOn(controller.signal, 'removeEventListener');
    await Promise.all(Array.from({ length: 9 }, () => client.callTool('echo', {}, { signal: controller.signal })));
    expect(spy).toHaveBeenCalledTimes(9);
    controller.abort();
    expect(JSON.parse(textOf(await client.callTool('cancelled', {})))).toEqual([]);
  });

  it('gives an error of the server with code, redacted text and data', async () => {
    const client = await connect();
    await expect(client.callTool('error', {})).rejects.toMatchObject({
      name: 'UpstreamError',
      code: -32050,
      message: 'no luck',
      data: { a: 1 },
    });
  });

  it('fails running calls at once when the server dies, with exit code and stderr', async () => {
    const client = await connect();
    const closed = new Promise((resolve) => client.events.on('closed', resolve));
    const hung = client.callTool('hang', {});
    const dying = client.callTool('die', { code: 7, stderr: 'token s3cret is bad' });
    const ending = { exitCode: 7, stderrTail: 'token *** is bad' };
    await expect(hung).rejects.toMatchObject({ name: 'UpstreamError', ending });
    await expect(dying).rejects.toMatchObject({ ending });
    expect(await closed).toMatchObject(ending);
    await expect(client.callTool('echo', {})).rejects.toMatchObject({ notExecuted: true });
  });

  it('tells why a server that dies at once did not start', async () => {
    const began = Date.now();
    await expect(connect({ dieAtOnce: 3 })).rejects.toMatchObject({
      name: 'ServerStartError',
      failure: 'exited',
      ending: { exitCode: 3, stderrTail: 'API_KEY is missing\nset it and try again' },
    });
    expect(Date.now() - began).toBeLessThan(3_000);
  });

  it('gives up a handshake that does not come, or that is cancelled', async () => {
    const silent = make([RAW, '{"silent":true}']);
    await expect(silent.connect({ timeoutMs: 100 })).rejects.toMatchObject({ failure: 'timeout' });
    const controller = new AbortController();
    const cancelled = make([RAW, '{"silent":true}']);
    const connecting = cancelled.connect({ timeoutMs: 10_000, signal: controller.signal });
    controller.abort();
    await expect(connecting).rejects.toMatchObject({ failure: 'cancelled' });
  });

  it('lists all pages and leaves broken items out one by one', async () => {
    const client = await connect({ extraTools: 40, pageSize: 7, brokenItems: true });
    const { items, diagnostics } = await client.listTools();
    const names = items.map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(['null-schema', 'no-schema', 'dangling', 'draft-4', 'tool-39']));
    expect(diagnostics.map((one) => `${one.item}: ${one.problem}`)).toEqual([
      '#1: left out: it is not an object',
      '#2: left out: its name is not a string',
    ]);
  });

  it('says that a cursor came twice', async () => {
    const client = await connect({ pageSize: 3, repeatCursor: true });
    const { items, diagnostics } = await client.listTools();
    expect(items).toHaveLength(3);
    expect(diagnostics).toHaveLength(1);
  });

  it('keeps resources as they are listed and reads any URI as given', async () => {
    const client = await connect({
      resources: [
        { uri: 'window://h/c%2Fd', annotations: { priority: 5, audience: ['agent'] } },
        { uri: 'memo:x', annotations: null, mimeType: null },
        { uri: 'x_y://a' },
        { uri: 'users/me' },
        { name: 'no uri' },
      ],
    });
    const { items, diagnostics } = await client.listResources();
    expect(items[0]).toEqual({ uri: 'window://h/c%2Fd', annotations: { priority: 5, audience: ['agent'] } });
    expect(diagnostics).toHaveLength(1);
    for (const { uri } of items) {
      expect(await client.readResource(uri)).toMatchObject({ contents: [{ uri }] });
    }
    expect(await client.listResourcesPage()).toHaveProperty('resources.length', 5);
  });

  it('knows what a server without capabilities cannot do', async () => {
    const client = await connect({ capabilities: {} });
    expect((await client.listTools()).items).toEqual([]);
    await expect(client.listResourcesPage()).rejects.toMatchObject({ capability: 'resources' });
  });

  it('reports notifications', async () => {
    const client = await connect();
    const seen: string[] = [];
    client.events.on('toolsChanged', () => seen.push('tools'));
    client.events.on('resourcesChanged', () => seen.push('resources'));
    client.events.on('resourceUpdated', (uri) => seen.push(uri));
    await client.callTool('storm', { times: 2 });
    await client.callTool('add-resource', { uri: 'a:b' });
    await client.callTool('touch', { uri: 'c:d' });
    expect(seen).toEqual(['tools', 'tools', 'resources', 'c:d']);
  });

  it('subscribes where the answer has extra fields', async () => {
    const client = await connect();
    await client.subscribe('memo:x');
    expect(JSON.parse(textOf(await client.callTool('subscribed', {})))).toEqual(['memo:x']);
    await client.unsubscribe('memo:x');
    expect(client.canSubscribe).toBe(true);
  });

  it('talks with the reference servers', async () => {
    const everything = make([`${SERVERS}server-everything/dist/index.js`, 'stdio']);
    const memory = make([`${SERVERS}server-memory/dist/index.js`]);
    await Promise.all([everything.connect({ timeoutMs: 10_000 }), memory.connect({ timeoutMs: 10_000 })]);
    expect((await everything.listTools()).items.map((tool) => tool.name)).toContain('echo');
    expect(textOf(await everything.callTool('echo', { message: 'hi' }))).toContain('hi');
    const seen: unknown[] = [];
    const args = { duration: 0.2, steps: 4 };
    await everything.callTool('trigger-long-running-operation', args, { onProgress: (one) => seen.push(one.progress) });
    expect(seen).toEqual([1, 2, 3, 4]);
    expect((await memory.listTools()).items).toHaveLength(9);
  }, 20_000);
});
