import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger, type JsonObject } from '../../protocol/index.js';
import { HttpTransport, type HttpTransportOptions } from './http-transports.js';
import { McpClient } from './mcp-client.js';

const EVERYTHING = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js', import.meta.url),
);
interface Message extends JsonObject {
  id?: number;
  method: string;
  params?: JsonObject;
}
type Handler = (message: Message, response: ServerResponse, request: IncomingMessage) => void;

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const json = (response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};
const ok = (message: Message, result: JsonObject) => ({ jsonrpc: '2.0', id: message.id, result });

interface RawHttp {
  url: string;
  /** What came: `POST initialize`, `GET`, `DELETE` … */
  seen: string[];
  headers: IncomingMessage['headers'][];
  onGet?: (request: IncomingMessage, response: ServerResponse) => void;
}

/** A streamable HTTP server that makes the handshake and leaves `tools/call` to the test. */
async function rawHttp(onCall: Handler, onGet?: RawHttp['onGet']): Promise<RawHttp> {
  const raw: RawHttp = { url: '', seen: [], headers: [], onGet };
  const answer = (message: Message, request: IncomingMessage, response: ServerResponse) => {
    raw.seen.push(`POST ${message.method}`);
    raw.headers.push(request.headers);
    if (message.method === 'initialize') {
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {}, 'x-odd': 1 },
        serverInfo: { name: 'h' },
      };
      json(response, ok(message, result), 200, { 'mcp-session-id': 'sess-1' });
    } else if (message.id === undefined) {
      response.writeHead(202).end();
    } else {
      onCall(message, response, request);
    }
  };
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      raw.seen.push(request.method ?? '');
      raw.headers.push(request.headers);
      if (request.method === 'GET' && raw.onGet) raw.onGet(request, response);
      else response.writeHead(request.method === 'GET' ? 405 : 200).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      answer(JSON.parse(body) as Message, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) =>
      server.close(() => {
        resolve();
      }),
    );
  });
  raw.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return raw;
}

function makeClient(options: Partial<HttpTransportOptions> & { url: string }) {
  const transport = new HttpTransport({
    server: 'h',
    kind: 'streamable',
    connectTimeoutMs: 2_000,
    logger: silentLogger,
    ...options,
  });
  const client = new McpClient({
    server: 'h',
    transport,
    clientInfo: { name: 't', version: '1' },
    logger: silentLogger,
    redact: (text) => text,
  });
  cleanups.push(() => client.close());
  return client;
}

async function connect(options: Partial<HttpTransportOptions> & { url: string }): Promise<McpClient> {
  const client = makeClient(options);
  await client.connect({ timeoutMs: 5_000 });
  return client;
}

const sse = (response: ServerResponse, text: string) => {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
};

describe('streamable HTTP', () => {
  it('gives the result as it was written, keeps the session and odd capabilities, and ends the session', async () => {
    const raw = await rawHttp((message, response) => {
      json(
        response,
        `{"jsonrpc":"2.0","extra":1,"id":${message.id},"result":{"z":1,"__proto__":{"a":1},"resultType":"x","content":[]}}`,
      );
    });
    const client = await connect({ url: raw.url, headers: { 'X-Key': 'k' } });
    expect(JSON.stringify(await client.callTool('t', {}))).toBe(
      '{"z":1,"__proto__":{"a":1},"resultType":"x","content":[]}',
    );
    expect(client.capabilities).toEqual({ tools: {}, 'x-odd': 1 });
    await client.close();
    expect(raw.seen).toEqual(expect.arrayContaining(['POST initialize', 'POST tools/call', 'DELETE']));
    expect(raw.headers.at(-1)).toMatchObject({ 'mcp-session-id': 'sess-1', 'x-key': 'k' });
  });

  it('reads an event stream with progress before the answer', async () => {
    const raw = await rawHttp((message, response) => {
      const token = (message.params?.['_meta'] as JsonObject)['progressToken'];
      const progress = {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress: 1 },
      };
      sse(response, `data: ${JSON.stringify(progress)}\n\ndata: ${JSON.stringify(ok(message, { content: [] }))}\n\n`);
      response.end();
    });
    const client = await connect({ url: raw.url });
    const seen: unknown[] = [];
    await client.callTool('t', {}, { onProgress: (one) => seen.push(one) });
    expect(seen).toEqual([{ progress: 1 }]);
  });

  it.each<[string, Handler, RegExp]>([
    [
      'an event stream that ends',
      (_m, response) => {
        sse(response, ': hi\n\n');
        response.end();
      },
      /ended before the answer/,
    ],
    [
      'an event stream that breaks',
      (_m, response) => {
        sse(response, ': hi\n\n');
        setImmediate(() => response.destroy());
      },
      /connection was lost/,
    ],
    [
      'HTTP 202',
      (_m, response) => {
        response.writeHead(202).end();
      },
      /accepted the request but gave no answer/,
    ],
    [
      'a page of HTML',
      (_m, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi');
      },
      /unexpected content type: text\/html/,
    ],
    [
      'broken JSON',
      (_m, response) => {
        json(response, '{"jsonrpc');
      },
      /holds no answer/,
    ],
    [
      'a null result',
      (message, response) => {
        json(response, { id: message.id, result: null });
      },
      /not an object/,
    ],
    [
      'HTTP 500',
      (_m, response) => {
        json(response, { error: 'auth token expired' }, 500);
      },
      /HTTP 500$/,
    ],
    [
      'HTTP 502 that speaks of auth',
      (_m, response) => {
        response.writeHead(502).end('unauthorized auth 401');
      },
      /HTTP 502$/,
    ],
    [
      '400 with the error inside',
      (message, response) => {
        json(response, { jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'bad args' } }, 400);
      },
      /bad args/,
    ],
    [
      'a reset',
      (_m, response) => {
        response.socket?.resetAndDestroy();
      },
      /Cannot reach the server/,
    ],
  ])('fails a call at once: %s', async (_what, handler, message) => {
    const raw = await rawHttp(handler);
    const client = await connect({ url: raw.url });
    const began = Date.now();
    const failed = client.callTool('t', {});
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toMatchObject({ name: 'UpstreamError', notExecuted: false });
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  it('resumes a stream that ended after an event id', async () => {
    let asked: Message = { method: '' };
    const raw = await rawHttp((message, response) => {
      asked = message;
      sse(response, 'id: ev-7\nretry: 10\ndata:\n\n');
      response.end();
    });
    raw.onGet = (request, response) => {
      if (request.headers['last-event-id'] !== 'ev-7') return void response.writeHead(405).end();
      sse(response, `data: ${JSON.stringify(ok(asked, { content: [] }))}\n\n`);
    };
    const client = await connect({ url: raw.url });
    expect(await client.callTool('t', {})).toEqual({ content: [] });
  });

  it('closes the HTTP request of a cancelled call and of no other', async () => {
    const gone: string[] = [];
    const raw = await rawHttp((message, response) => {
      const { name } = message.params as { name: string };
      response.on('close', () => {
        if (!response.writableFinished) gone.push(name);
        waiter();
      });
      if (name === 'quick')
        setTimeout(() => {
          json(response, ok(message, { content: [] }));
        }, 100);
    });
    let waiter: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => (waiter = resolve));
    const client = await connect({ url: raw.url });
    const controller = new AbortController();
    const quick = client.callTool('quick', {});
    const hung = client.callTool('hung', {}, { signal: controller.signal });
    setTimeout(() => {
      controller.abort();
    }, 30);
    await expect(hung).rejects.toMatchObject({ name: 'CallCancelledError' });
    await closed;
    expect(await quick).toEqual({ content: [] });
    expect(gone).toEqual(['hung']);
    expect(raw.seen).toContain('POST notifications/cancelled');
  });

  it.each([
    [401, {}, 'required', {}],
    [
      401,
      { 'www-authenticate': 'Bearer error="invalid_token", scope="a b"' },
      'required',
      { error: 'invalid_token', scope: 'a b' },
    ],
    [403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="w"' }, 'failed', { scope: 'w' }],
    [403, {}, 'failed', {}],
  ])('tells HTTP %i apart from failures: %j', async (status, headers, kind, challenge) => {
    const raw = await rawHttp((_message, response) => {
      json(response, 'nope', status, headers);
    });
    const client = await connect({ url: raw.url });
    await expect(client.callTool('t', {})).rejects.toMatchObject({ name: 'UpstreamAuthError', kind, challenge });
  });

  it.each([
    [404, 'gone'],
    [400, 'Bad Request: No valid session ID provided'],
  ])(
    'ends the connection when the session is lost (HTTP %i), and says that the call was not executed',
    async (status, text) => {
      const raw = await rawHttp((_message, response) => {
        json(response, text, status);
      });
      const client = await connect({ url: raw.url });
      const closed = new Promise((resolve) => client.events.on('closed', resolve));
      await expect(client.callTool('t', {})).rejects.toMatchObject({ name: 'UpstreamError', notExecuted: true });
      expect(await closed).toMatchObject({ sessionLost: true });
    },
  );

  it('takes messages from the stream of the server', async () => {
    const raw = await rawHttp((message, response) => {
      json(response, ok(message, { content: [] }));
    });
    raw.onGet = (_request, response) => {
      sse(response, 'data: {"method":"notifications/tools/list_changed"}\n\n');
    };
    const client = makeClient({ url: raw.url });
    const changed = new Promise<void>((resolve) => client.events.on('toolsChanged', resolve));
    await client.connect({ timeoutMs: 2_000 });
    await changed;
  });

  it('refuses bad addresses and headers without quoting their values', async () => {
    await expect(connect({ url: 'ftp://user:pw@h/' })).rejects.toMatchObject({ failure: 'bad-config' });
    const bad = connect({ url: 'http://127.0.0.1:9/', headers: { 'X-Key': 'sec\nret' } });
    await expect(bad).rejects.toThrow(/Not a valid HTTP header: "X-Key"/);
  });

  it('says that a server cannot be reached', async () => {
    const raw = await rawHttp(() => undefined);
    await cleanups.pop()?.();
    await expect(connect({ url: raw.url })).rejects.toMatchObject({
      failure: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it('turns userinfo of the address into a header', async () => {
    const raw = await rawHttp((message, response) => {
      json(response, ok(message, { content: [] }));
    });
    await connect({ url: raw.url.replace('//', '//me:p%40ss@') });
    expect(raw.headers[0]?.authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });
});

describe('SSE', () => {
  /** An SSE server whose answers the test writes. */
  async function rawSse(onPost: (message: Message, stream: ServerResponse, response: ServerResponse) => void) {
    let stream: ServerResponse | undefined;
    const server = createServer((request, response) => {
      if (request.method === 'GET') {
        stream = response;
        sse(response, 'event: endpoint\ndata: /post\n\n');
        return;
      }
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const message = JSON.parse(body) as Message;
        if (stream && message.method !== 'initialize') {
          onPost(message, stream, response);
          return;
        }
        response.writeHead(202).end();
        const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '1' } };
        stream?.write(`data: ${JSON.stringify(ok(message, result))}\n\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => {
      server.closeAllConnections();
      return new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  }

  it('gives results as they were written', async () => {
    const url = await rawSse((message, stream, response) => {
      response.writeHead(202).end();
      if (message.id !== undefined)
        stream.write(`data: {"id":${message.id},"result":{"z":1,"__proto__":{},"content":[]}}\n\n`);
    });
    const client = await connect({ url, kind: 'sse' });
    expect(JSON.stringify(await client.callTool('t', {}))).toBe('{"z":1,"__proto__":{},"content":[]}');
  });

  it('ends with its stream at once, running calls too', async () => {
    const url = await rawSse((message, stream, response) => {
      response.writeHead(202).end();
      if (message.id !== undefined) stream.destroy();
    });
    const client = await connect({ url, kind: 'sse' });
    const began = Date.now();
    await expect(client.callTool('t', {})).rejects.toThrow('stream from the server is lost');
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  it('maps a refused message by its status', async () => {
    const url = await rawSse((message, _stream, response) => {
      response.writeHead(message.id === undefined ? 202 : 401).end();
    });
    const client = await connect({ url, kind: 'sse' });
    await expect(client.callTool('t', {})).rejects.toMatchObject({ name: 'UpstreamAuthError', kind: 'required' });
  });

  it('gives up a server that sends no endpoint', async () => {
    const raw = await rawHttp(
      () => undefined,
      (_request, response) => {
        sse(response, ': nothing\n\n');
      },
    );
    const connecting = connect({ url: raw.url, kind: 'sse', connectTimeoutMs: 100 });
    await expect(connecting).rejects.toMatchObject({ failure: 'timeout' });
  });

  it.each([
    [401, 'auth-required'],
    [403, 'auth-failed'],
    [500, 'unreachable'],
  ])('tells why it cannot connect: HTTP %i', async (status, failure) => {
    const raw = await rawHttp(
      () => undefined,
      (_request, response) => {
        response.writeHead(status).end();
      },
    );
    await expect(connect({ url: raw.url, kind: 'sse' })).rejects.toMatchObject({ failure });
  });
});

describe('the reference server over HTTP', () => {
  it.each(['streamableHttp', 'sse'] as const)(
    'works over %s',
    async (mode) => {
      const probe = createServer();
      await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
      const { port } = probe.address() as AddressInfo;
      await new Promise((resolve) => probe.close(resolve));
      const child = spawn(process.execPath, [EVERYTHING, mode], { env: { ...process.env, PORT: String(port) } });
      cleanups.push(
        () =>
          new Promise((resolve) => {
            child.once('exit', () => {
              resolve();
            });
            child.kill('SIGKILL');
          }),
      );
      await new Promise<void>((resolve) => {
        const look = (chunk: Buffer) => {
          if (chunk.toString().includes(String(port))) resolve();
        };
        child.stderr.on('data', look);
        child.stdout.on('data', look);
      });
      const kind = mode === 'sse' ? 'sse' : 'streamable';
      const client = await connect({ url: `http://localhost:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`, kind });
      expect((await client.listTools()).items.map((tool) => tool.name)).toContain('get-sum');
      const seen: unknown[] = [];
      const args = { duration: 0.2, steps: 3 };
      await client.callTool('trigger-long-running-operation', args, { onProgress: (one) => seen.push(one.progress) });
      expect(seen).toEqual([1, 2, 3]);
      expect((await client.listResources()).items).toHaveLength(7);
    },
    15_000,
  );
});
