import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/protocol/index.js';
import { nextEvent, Office, textOf } from '../fixtures/computer/office.js';
import {
  cleanups,
  closeAll,
  closeServer,
  connect,
  json,
  makeClient,
  rawHttp,
  sse,
  type Message,
} from '../fixtures/mcp-servers/raw-http.js';
import { SessionServer } from '../fixtures/mcp-servers/session-server.js';

afterEach(closeAll);

const configOf = (web: SessionServer): JsonObject => ({
  type: 'streamable',
  server_parameters: { url: web.url },
  default_tool_meta: { auto_apply: true },
});

async function openOffice(...webs: SessionServer[]): Promise<Office> {
  const servers = Object.fromEntries(webs.map((web, index) => [`web-${index + 1}`, configOf(web)]));
  const office = await Office.open({ servers, hosting: { restarts: { minMs: 20 } } });
  // The window of each server is subscribed.
  await vi.waitFor(() => {
    for (const web of webs) expect(web.requests.map(({ method }) => method)).toContain('resources/subscribe');
  });
  return office;
}

describe('A lost session', () => {
  it.each<[string, (web: SessionServer) => unknown, boolean]>([
    [
      'the server has forgotten it',
      (web) => {
        web.forgetSessions();
      },
      true,
    ],
    ['the server was restarted', (web) => web.close().then(() => web.listen()), false],
  ])(
    'is made anew when %s, and the call is executed once [F-D-session-lost] [F-D-never-twice] [F-I-replayed]',
    async (_why, lose, isCertain) => {
      await using web = await SessionServer.open();
      await using office = await openOffice(web);
      expect(textOf(await office.call('work'))).toBe('run 1');
      await lose(web);
      const result = await office.call('work');
      // A call that met a closed connection may have been executed: it is not repeated, and says so.
      if (!isCertain && result['isError'] === true) expect(result).toMatchObject({ meta: { error_code: 4003 } });
      else expect(textOf(result)).toBe('run 2');
      await vi.waitFor(async () => {
        expect(textOf(await office.call('work'))).toMatch(/^run [23]$/);
      });
      await vi.waitFor(() => {
        expect(web.methodsOf('session-2')).toContain('resources/subscribe');
      });
      expect(web.methodsOf('session-2')[0]).toBe('notifications/initialized');
      expect(web.methodsOf('session-2')).toEqual(expect.arrayContaining(['GET', 'tools/list', 'resources/list']));
      expect(web.methodsOf(undefined)).toEqual(['initialize', 'initialize']);
      const lastOld = web.requests.findLastIndex(({ session }) => session === 'session-1');
      const firstNew = web.requests.findIndex(({ session }) => session === 'session-2');
      expect(lastOld).toBeLessThan(firstNew);
      expect(office.computer.servers()).toMatchObject([{ state: 'running', tools: 1 }]);
    },
  );

  it('that is lost again at every call fails the call and says so, after two attempts [F-D-never-twice]', async () => {
    await using web = await SessionServer.open();
    await using office = await openOffice(web);
    let refused = 0;
    web.onCall = (_message, response) => {
      refused += 1;
      response.writeHead(404).end();
    };
    const result = await office.call('work');
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result)).not.toBe('');
    expect(refused).toBe(2);
  });
});

describe('A call that may have been executed', () => {
  const endings: [string, (message: JsonObject, response: ServerResponse) => void][] = [
    ['the connection is cut before the answer', (_message, response) => void response.destroy()],
    [
      'the stream breaks before the answer',
      (_message, response) => {
        sse(response, ': working\n\n');
        setImmediate(() => response.destroy());
      },
    ],
    [
      'the stream ends before the answer',
      (_message, response) => {
        sse(response, ': working\n\n');
        response.end();
      },
    ],
    [
      'the stream is empty',
      (_message, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    ],
    ['the answer is HTTP 202', (_message, response) => void response.writeHead(202).end()],
    ['the answer is HTTP 204', (_message, response) => void response.writeHead(204).end()],
    [
      'the answer is empty',
      (_message, response) => {
        json(response, '');
      },
    ],
    [
      'the answer is a page',
      (_message, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>ok'),
    ],
    [
      'the answer is for another call',
      (message, response) => {
        json(response, { jsonrpc: '2.0', id: `${String(message['id'])}0`, result: { content: [] } });
      },
    ],
    [
      'the answer is null',
      (message, response) => {
        json(response, { jsonrpc: '2.0', id: message['id'], result: null });
      },
    ],
    ['the answer is HTTP 502', (_message, response) => void response.writeHead(502).end('bad gateway')],
  ];

  it('is not repeated and is no success, whatever came in its place, and fails at once [F-D-never-twice] [F-D-no-answer]', async () => {
    await using web = await SessionServer.open();
    await using office = await openOffice(web);
    for (const [what, end] of endings) {
      web.executed = 0;
      web.onCall = end;
      // The budget of the Agent is a minute: whoever waits for it fails by the limit of this test.
      const result = await office.call('work', {}, { timeout: 60 });
      expect(result, what).toMatchObject({ isError: true, meta: { error_code: 4003 } });
      expect(textOf(result), what).not.toBe('');
      expect(web.executed, what).toBe(1);
    }
    web.onCall = undefined;
    await vi.waitFor(async () => {
      expect(await office.call('work')).toMatchObject({ isError: false });
    });
  });
});

describe('An answer without end', () => {
  /** Writes as fast as it is read, until nobody reads any more. */
  async function endless(response: ServerResponse, piece: string): Promise<void> {
    while (!response.closed) {
      if (response.write(piece)) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  }

  const piece = 'x'.repeat(1024 * 1024);
  it.each<[string, number, string, string]>([
    ['in JSON', 200, 'application/json', piece],
    ['in one line of a stream', 200, 'text/event-stream', piece],
    ['in one event of a stream', 200, 'text/event-stream', `data: ${piece}\n`],
    ['in a refusal', 500, 'text/plain', piece],
  ])(
    '%s is cut: the call fails, the server and its other calls go on [F-X-huge-line] [F-F-hung-call]',
    async (_where, status, type, part) => {
      await using web = await SessionServer.open();
      await using office = await openOffice(web);
      let cut: Promise<void> | undefined;
      web.onCall = (_message, response) => {
        web.onCall = undefined;
        response.writeHead(status, { 'content-type': type });
        cut = endless(response, part);
      };
      const failing = office.call('work', {}, { timeout: 60 });
      await vi.waitFor(() => {
        expect(cut).toBeDefined();
      });
      expect(textOf(await office.call('work'))).toBe('run 2');
      const result = await failing;
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
      expect(textOf(result)).toMatch(status === 500 ? /HTTP 500/ : /larger than the limit/);
      await cut;
      expect(office.computer.servers()).toMatchObject([{ state: 'running' }]);
      expect(textOf(await office.call('work'))).toBe('run 3');
    },
  );
});

describe('The stream of an HTTP server', () => {
  it('that always ends politely is opened again ever more slowly, and shown as a fault [F-D-reconnects] [F-D-dead-stream]', async () => {
    const opened: number[] = [];
    const problems: unknown[] = [];
    let onSixth: () => void = () => undefined;
    const sixth = new Promise<void>((resolve) => (onSixth = resolve));
    const raw = await rawHttp(
      () => undefined,
      (_request, response) => {
        opened.push(performance.now());
        sse(response, ': hello\n\n');
        response.end();
        if (opened.length === 6) onSixth();
      },
    );
    const client = makeClient({ url: raw.url, firstReconnectMs: 20 });
    client.events.on('healthChanged', () => problems.push(client.health.problem));
    await client.connect({ timeoutMs: 5_000 });
    await sixth;
    const waits = opened.slice(1).map((at, index) => at - (opened[index] ?? 0));
    // Timers may be late, never early.
    const least = [20, 20, 40, 80, 160].map((ms) => ms - 2);
    for (const [index, ms] of least.entries()) expect(waits[index]).toBeGreaterThan(ms);
    expect(problems).toContainEqual(expect.stringContaining('notifications may be late'));
  });

  it('that is gone shows as degraded, not as running, until it is back [F-D-dead-stream]', async () => {
    await using web = await SessionServer.open();
    await using office = await openOffice(web);
    const gone = nextEvent(office.computer, 'serverState', ({ state }) => state !== 'running');
    await web.close();
    const [{ state, reason, tools }] = await gone;
    expect(['degraded', 'backing-off']).toContain(state);
    expect(reason).not.toBe('');
    expect(tools).toBe(1);
    const back = nextEvent(office.computer, 'serverState', (status) => status.state === 'running');
    await web.listen();
    await back;
    await vi.waitFor(() => {
      expect(web.methodsOf('session-2')).toContain('resources/subscribe');
    });
  });
});

describe('One hop', () => {
  it('keeps its session and its lifecycle to itself [F-D-one-hop]', async () => {
    await using one = await SessionServer.open('canary-one');
    await using two = await SessionServer.open('canary-two');
    two.tools = [{ name: 'other' }];
    await using office = await openOffice(one, two);
    const answers = [
      await office.call('work'),
      await office.call('other'),
      await office.ask('client:get_tools'),
      await office.ask('client:get_config'),
      await office.ask('client:get_resources', { mcp_server: 'web-1' }),
    ];
    const { length } = office.notices;
    await vi.waitFor(() => {
      expect([one.streams.size, two.streams.size]).toEqual([1, 1]);
    });
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/made-up']) {
      one.push({ method, params: { requestId: 1 } });
    }
    one.push({ id: 'x', method: 'initialize', params: {} });
    await vi.waitFor(() => {
      expect(one.methodsOf('canary-one-1')).toContain('answer');
    });
    answers.push(await office.call('work'));
    expect(JSON.stringify([answers, office.computer.servers(), office.computer.history])).not.toContain('canary');
    // What is told of the windows of two servers may come in two parts, the second of them now.
    expect(office.notices.slice(length).filter((notice) => !notice.startsWith('update_desktop'))).toEqual([]);
    for (const [web, prefix] of [
      [one, 'canary-one'],
      [two, 'canary-two'],
    ] as const) {
      expect(new Set(web.requests.map(({ session }) => session))).toEqual(new Set([undefined, `${prefix}-1`]));
      // Each was initialised by the Computer, once, and the Agent's call brought nothing with it.
      expect(web.methodsOf(undefined)).toEqual(['initialize']);
      expect(JSON.stringify(web.requests)).not.toMatch(/a2c_version|agent-1|office-1/);
    }
  });

  it('does not follow a redirect to another server with its session [F-D-one-hop]', async () => {
    await using one = await SessionServer.open();
    await using two = await SessionServer.open();
    await using office = await openOffice(one);
    one.onCall = (_message, response) => void response.writeHead(307, { location: two.url }).end();
    expect(await office.call('work')).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(two.requests).toEqual([]);
  });
});

describe('A server that does not know ping', () => {
  it('is healthy: an error is a sign of life too [F-I-no-ping]', async () => {
    let stream: ServerResponse | undefined;
    let pings = 0;
    const told = vi.fn();
    const answer = (message: Message): void => {
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
      const error = { code: -32601, message: 'Method not found' };
      if (message.method === 'ping') pings += 1;
      const body = message.method === 'initialize' ? { result } : { error };
      if (stream !== undefined && message.id !== undefined) {
        sse(stream, `data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body })}\n\n`);
      }
    };
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        stream = response;
        sse(response, 'event: endpoint\ndata: /p\n\n');
        return;
      }
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        response.writeHead(202).end();
        answer(JSON.parse(body) as Message);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => closeServer(server));
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/sse`;
    const client = await connect({ url, kind: 'sse', streamIdleMs: 30, minPingMs: 5_000 });
    client.events.on('closed', told);
    client.events.on('healthChanged', told);
    await vi.waitFor(() => {
      expect(pings).toBeGreaterThan(3);
    });
    expect(client.health.problem).toBeUndefined();
    expect(told).not.toHaveBeenCalled();
  });
});
