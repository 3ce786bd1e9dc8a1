import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { everythingOverHttp } from '../../../test/fixtures/mcp-servers/everything-http.js';
import {
  cleanups,
  closeAll,
  connect,
  ok,
  rawHttp,
  sse,
  type Message,
} from '../../../test/fixtures/mcp-servers/raw-http.js';

afterEach(closeAll);

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

  it('ends with its stream at once, running calls too [F-D-no-answer]', async () => {
    const url = await rawSse((message, stream, response) => {
      response.writeHead(202).end();
      if (message.id !== undefined) stream.destroy();
    });
    const client = await connect({ url, kind: 'sse' });
    const began = Date.now();
    await expect(client.callTool('t', {})).rejects.toThrow('stream from the server is lost');
    expect(Date.now() - began).toBeLessThan(3_000);
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
      const kind = mode === 'sse' ? 'sse' : 'streamable';
      const client = await connect({ url: await everythingOverHttp(mode), kind });
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
