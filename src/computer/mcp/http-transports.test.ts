import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import {
  cleanups,
  closeAll,
  connect,
  json,
  makeClient,
  ok,
  rawHttp,
  sse,
  type Message,
  type Handler,
} from '../../../test/fixtures/mcp-servers/raw-http.js';

afterEach(closeAll);

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
  ])('fails a call at once: %s [F-D-no-answer]', async (_what, handler, message) => {
    const raw = await rawHttp(handler);
    const client = await connect({ url: raw.url });
    const began = Date.now();
    const failed = client.callTool('t', {});
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toMatchObject({ name: 'UpstreamError', notExecuted: false });
    expect(Date.now() - began).toBeLessThan(3_000);
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
  ])('tells HTTP %i apart from failures: %j [F-G-auth-by-status]', async (status, headers, kind, challenge) => {
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

  it('opens the stream of the server again after a drop', async () => {
    let gets = 0;
    const raw = await rawHttp((message, response) => {
      json(response, ok(message, { content: [] }));
    });
    raw.onGet = (_request, response) => {
      gets += 1;
      sse(response, gets === 1 ? ': hello\n\n' : 'data: {"method":"notifications/tools/list_changed"}\n\n');
      if (gets === 1) response.end();
    };
    const client = makeClient({ url: raw.url, firstReconnectMs: 5 });
    const changed = new Promise<void>((resolve) => client.events.on('toolsChanged', resolve));
    await client.connect({ timeoutMs: 2_000 });
    await changed;
    expect(await client.callTool('t', {})).toEqual({ content: [] });
  });

  it('ends when the stream of the server cannot be opened again [F-D-reconnects]', async () => {
    let gets = 0;
    const raw = await rawHttp(() => undefined);
    raw.onGet = (_request, response) => {
      gets += 1;
      if (gets > 1) return void response.writeHead(500).end();
      sse(response, ': hello\n\n');
      setImmediate(() => response.destroy());
    };
    const client = makeClient({ url: raw.url, firstReconnectMs: 5 });
    const closed = new Promise((resolve) => client.events.on('closed', resolve));
    await client.connect({ timeoutMs: 2_000 });
    expect(await closed).toMatchObject({ reason: expect.stringContaining('HTTP 500') as string });
    expect(gets).toBe(4);
  });

  it('refuses bad addresses and headers without quoting their values', async () => {
    await expect(connect({ url: 'ftp://user:pw@h/' })).rejects.toMatchObject({ failure: 'bad-config' });
    const bad = connect({ url: 'http://127.0.0.1:9/', headers: { 'X-Key': 'sec\nret' } });
    await expect(bad).rejects.toThrow(/Not a valid HTTP header: "X-Key"/);
  });

  it('has many requests under way without a warning of the platform', async () => {
    const warnings: unknown[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning.message);
    process.on('warning', onWarning);
    const waiting: (() => void)[] = [];
    const raw = await rawHttp((message, response) => {
      waiting.push(() => {
        json(response, ok(message, { content: [] }));
      });
      if (waiting.length === 30) for (const answer of waiting) answer();
    });
    const client = await connect({ url: raw.url });
    await Promise.all(Array.from({ length: 30 }, () => client.callTool('t', {})));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  it('says that a port is one to which nobody may connect', async () => {
    await expect(connect({ url: 'http://127.0.0.1:9/mcp' })).rejects.toThrow('Cannot reach the server: bad port');
  });

  it('says that a server cannot be reached', async () => {
    const raw = await rawHttp(() => undefined);
    await cleanups.pop()?.();
    await expect(connect({ url: raw.url })).rejects.toMatchObject({
      failure: 'unreachable',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  it.each([
    ['p%40ss', 'p@ss'],
    ['100%zz', '100%zz'],
  ])('turns userinfo of the address into a header, password %s', async (written, meant) => {
    const raw = await rawHttp((message, response) => {
      json(response, ok(message, { content: [] }));
    });
    await connect({ url: raw.url.replace('//', `//me:${written}@`) });
    expect(raw.headers[0]?.authorization).toBe(`Basic ${Buffer.from(`me:${meant}`).toString('base64')}`);
  });
});
