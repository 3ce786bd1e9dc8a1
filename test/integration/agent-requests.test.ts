import { describe, expect, it } from 'vitest';
import { isMcpServerNotFound, PacketTooLargeError, UnsendablePayloadError } from '../../src/agent/index.js';
import { ProtocolError } from '../../src/protocol/index.js';
import { failure, fakeComputer, joinedAgent, newAgent, startServer, tool } from './agent-fixtures.js';

const LAPTOP = { office: 'o', name: 'laptop' };
const TRANSPORTS = [[['polling', 'websocket']], [['polling']], [['websocket']]] as const;

describe.each(TRANSPORTS)('requests over %j', (transports) => {
  it('getTools gives the tools, the absent parts filled in', async () => {
    const server = await startServer();
    const odd = { name: 'odd', description: null, extra: [1] };
    await fakeComputer(server.url, LAPTOP, {
      'client:get_tools': ({ req_id }) => ({ tools: [tool('echo'), null, { description: 'nameless' }, odd], req_id }),
    });
    const agent = await joinedAgent(server.url, 'o', { transports });
    expect(await agent.getTools('laptop')).toEqual([
      tool('echo'),
      { name: 'odd', description: '', params_schema: {}, return_schema: null, meta: {}, extra: [1] },
    ]);
  });

  it('getConfig gives servers and inputs', async () => {
    const server = await startServer();
    const servers = { files: { type: 'stdio', name: 'files' } };
    await fakeComputer(server.url, LAPTOP, {
      'client:get_config': () => ({ servers, inputs: null }),
    });
    const agent = await joinedAgent(server.url, 'o', { transports });
    expect(await agent.getConfig('laptop')).toEqual({ servers, inputs: [] });
  });

  it('getDesktop sends size and window, and gives the texts', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP, {
      'client:get_desktop': ({ req_id, window }) => ({ desktops: window === undefined ? ['a', 'b'] : null, req_id }),
    });
    const agent = await joinedAgent(server.url, 'o', { transports });
    expect(await agent.getDesktop('laptop', { size: 2 })).toEqual(['a', 'b']);
    expect(await agent.getDesktop('laptop', { window: 'window://h/x' })).toEqual([]);
    const sent = laptop.received.filter(({ event }) => event === 'client:get_desktop').map(({ payload }) => payload);
    expect(sent).toEqual([
      { agent: 'agent-1', req_id: expect.any(String) as string, computer: 'laptop', desktop_size: 2 },
      { agent: 'agent-1', req_id: expect.any(String) as string, computer: 'laptop', window: 'window://h/x' },
    ]);
  });

  it('getResources gives a page, and resources() all of them', async () => {
    const server = await startServer();
    const pages: Record<string, object> = {
      '': { resources: [{ uri: 'a:1' }], next_cursor: 'p2' },
      p2: { resources: [{ uri: 'a:2' }, { uri: 'a:2' }], next_cursor: 'p3' },
      p3: { resources: [{ uri: 'a:3' }], next_cursor: null },
    };
    await fakeComputer(server.url, LAPTOP, {
      'client:get_resources': ({ cursor, req_id }) => ({
        ...pages[typeof cursor === 'string' ? cursor : ''],
        req_id,
      }),
    });
    const agent = await joinedAgent(server.url, 'o', { transports });
    expect(await agent.getResources('laptop', 'files')).toEqual({ resources: [{ uri: 'a:1' }], nextCursor: 'p2' });
    expect(await agent.getResources('laptop', 'files', { cursor: 'p3' })).toEqual({ resources: [{ uri: 'a:3' }] });
    const uris: unknown[] = [];
    for await (const resource of agent.resources('laptop', 'files')) uris.push(resource['uri']);
    expect(uris).toEqual(['a:1', 'a:2', 'a:2', 'a:3']);
  });

  it('[R-4.2-string-as-given] getDpe sends the URI as it is given, and its budget in whole seconds', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP, {
      'client:get_dpe': ({ req_id }) => ({
        uri: 'file:///x.json',
        mime_type: 'application/json',
        size: 3,
        _meta: { a: 1 },
        annotations: null,
        req_id,
      }),
    });
    const agent = await joinedAgent(server.url, 'o', { transports });
    const uri = ' DPE://Host/a%2Fb?x#y';
    expect(await agent.getDpe('laptop', uri, { timeoutMs: 1001 })).toEqual({
      uri: 'file:///x.json',
      mimeType: 'application/json',
      size: 3,
      meta: { a: 1 },
    });
    await agent.getDpe('laptop', uri);
    const sent = laptop.received.filter(({ event }) => event === 'client:get_dpe').map(({ payload }) => payload);
    expect(sent).toMatchObject([{ uri, timeout: 2 }, { uri }]);
    expect(sent[1]).not.toHaveProperty('timeout');
  });

  it('listRoom gives the members', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o', { transports });
    const members = await agent.listRoom();
    expect(members).toHaveLength(2);
    expect(members.find(({ role }) => role === 'computer')).toEqual({
      sid: laptop.socket.id,
      name: 'laptop',
      role: 'computer',
      officeId: 'o',
      protocolVersion: '0.2.0',
    });
  });

  it('callTool sends its parameters untouched and gives the result', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP, {
      'client:tool_call': ({ params }) => ({
        content: [{ type: 'text', text: JSON.stringify(params) }],
        isError: null,
      }),
    });
    const agent = await joinedAgent(server.url, 'o', { transports });
    const params = JSON.parse('{"b":1,"a":{"__proto__":{"x":1}}}') as Record<string, unknown>;
    const result = await agent.callTool('laptop', 'echo', params, { timeoutMs: 1500, reqId: 'r-1' });
    expect(result).toEqual({ content: [{ type: 'text', text: '{"b":1,"a":{"__proto__":{"x":1}}}' }] });
    expect(laptop.received.find(({ event }) => event === 'client:tool_call')?.payload).toMatchObject({
      agent: 'agent-1',
      req_id: 'r-1',
      computer: 'laptop',
      tool_name: 'echo',
      timeout: 2,
    });
  });

  it('[R-5.2-packet-limit] what is too large is refused here, and the connection stays up', async () => {
    const server = await startServer();
    await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o', { transports });
    const error = await failure(agent.callTool('laptop', 'echo', { text: 'x'.repeat(1_000_000) }));
    expect(error).toBeInstanceOf(PacketTooLargeError);
    expect(error).toMatchObject({ limit: 1_000_000 });
    expect(await failure(agent.callTool('laptop', 'echo', { n: 1n }))).toBeInstanceOf(UnsendablePayloadError);
    expect(await agent.getTools('laptop')).toHaveLength(1);
  });

  it('an error answer of the Server or the Computer is thrown, in either form', async () => {
    const server = await startServer();
    await fakeComputer(server.url, LAPTOP, {
      'client:get_dpe': ({ uri }) => ({ code: 4013, message: 'no', uri, reason: 'gone', category: 'unknown_host' }),
      'client:get_config': () => ({ error: { code: 500, message: 'wrapped' } }),
      'client:get_resources': () => ({ code: 404, message: 'no such server', mcp_server_name: 'files' }),
    });
    const agent = await joinedAgent(server.url, 'o', { transports });
    const seen: unknown[] = [];
    const unknown = await failure(agent.getTools('nobody', { onAck: (ack) => seen.push(ack) }));
    expect(unknown).toBeInstanceOf(ProtocolError);
    expect(unknown).toMatchObject({ code: 404, fields: { computer: 'nobody' } });
    expect(isMcpServerNotFound(unknown)).toBe(false);
    expect(seen).toEqual([{ code: 404, message: expect.any(String) as string, computer: 'nobody' }]);
    expect(await failure(agent.getDpe('laptop', 'dpe://h/x'))).toMatchObject({
      code: 4013,
      fields: { category: 'unknown_host', reason: 'gone', uri: 'dpe://h/x' },
    });
    expect(await failure(agent.getConfig('laptop'))).toMatchObject({ code: 500, message: 'wrapped' });
    expect(isMcpServerNotFound(await failure(agent.getResources('laptop', 'files')))).toBe(true);
  });
});

/** 5,000 levels: a small message that makes careless readers overflow their stack. */
function deep(): unknown {
  let value: unknown = 1;
  for (let level = 0; level < 1000; level++) value = [value];
  return value;
}

describe('malformed answers of a Computer', () => {
  it.each([
    ['null', null],
    ['a string', 'hello'],
    ['a number', 7],
    ['a list', [1]],
    ['an empty object', {}],
    ['wrong types', { tools: 'x', servers: [], desktops: 'x', resources: {}, uri: 7, content: 'x' }],
  ])('fail each request with a ProtocolError that says so: %s', async (_what, answer) => {
    const server = await startServer();
    const wrong = (_payload: unknown, ack: (answer: unknown) => void): void => {
      ack(answer);
    };
    await fakeComputer(server.url, LAPTOP, {
      'client:get_tools': wrong,
      'client:get_config': wrong,
      'client:get_resources': wrong,
      'client:get_dpe': wrong,
      'client:tool_call': wrong,
    });
    const agent = await joinedAgent(server.url, 'o');
    for (const request of [
      agent.getTools('laptop'),
      agent.getConfig('laptop'),
      agent.getResources('laptop', 'files'),
      agent.getDpe('laptop', 'dpe://h/x'),
      agent.callTool('laptop', 'echo'),
    ]) {
      const error = await failure(request);
      expect(error).toBeInstanceOf(ProtocolError);
      expect(error).toMatchObject({ code: 500, message: expect.stringContaining('malformed') as string });
    }
    expect(agent.computers).toEqual(['laptop']);
  });

  it('that are nested too deep fail that request only', async () => {
    const server = await startServer();
    await fakeComputer(server.url, LAPTOP, {
      'client:tool_call': () => ({ content: [], structuredContent: deep() }),
    });
    const agent = await joinedAgent(server.url, 'o');
    const error = await failure(agent.callTool('laptop', 'echo', {}, { timeoutMs: 1000 }));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: 500 });
    expect(await agent.getTools('laptop')).toHaveLength(1);
  });
});

describe('requests outside an office or without a connection', () => {
  it('are answered 4103 by the Server before the join', async () => {
    const server = await startServer();
    const agent = newAgent(server.url);
    await agent.connect();
    expect(await failure(agent.listRoom())).toMatchObject({ code: 4103 });
    expect(await failure(agent.callTool('laptop', 'echo'))).toMatchObject({ code: 4103 });
  });

  it('fail at once without a connection', async () => {
    const agent = newAgent('http://127.0.0.1:9');
    expect(await failure(agent.callTool('laptop', 'echo'))).toMatchObject({ name: 'ConnectionError' });
    expect(() => {
      agent.cancel('r');
    }).toThrow('Not connected');
  });

  it('end with their signal', async () => {
    const server = await startServer();
    await fakeComputer(server.url, LAPTOP, { 'client:get_config': () => undefined });
    const agent = await joinedAgent(server.url, 'o');
    const stop = new AbortController();
    const waiting = failure(agent.getConfig('laptop', { signal: stop.signal }));
    stop.abort(new Error('enough'));
    expect(await waiting).toMatchObject({ message: 'enough' });
    expect(await failure(agent.getConfig('laptop', { timeoutMs: 20 }))).toMatchObject({ name: 'RequestTimeoutError' });
  });
});
