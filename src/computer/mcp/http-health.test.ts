import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  cleanups,
  closeAll,
  closeServer,
  connect,
  json,
  makeClient,
  ok,
  rawHttp,
  sse,
  type RawHttp,
} from '../../../test/fixtures/mcp-servers/raw-http.js';
import { mcpServerConfigSchema, silentLogger } from '../../protocol/index.js';
import type { McpClient } from './mcp-client.js';
import { McpServerManager } from './mcp-server-manager.js';

afterEach(closeAll);

/** Settled as soon as the client's health is as asked. */
function healthIs(client: McpClient, wanted: (problem: string | undefined) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (wanted(client.health.problem)) resolve();
    };
    client.events.on('healthChanged', look);
    look();
  });
}

const isWell = (problem: string | undefined): boolean => problem === undefined;
const says =
  (words: string) =>
  (problem: string | undefined): boolean =>
    problem?.includes(words) ?? false;

function answering(onGet?: RawHttp['onGet']): Promise<RawHttp> {
  return rawHttp((message, response) => {
    json(response, ok(message, { content: [] }));
  }, onGet);
}

describe('the health of an HTTP server', () => {
  it('is impaired while its stream cannot be opened again, and restored once it can [F-D-dead-stream]', async () => {
    let gets = 0;
    const raw = await answering((_request, response) => {
      gets += 1;
      if (gets === 2) return void response.writeHead(503).end();
      sse(response, ': hello\n\n');
      if (gets === 1) setImmediate(() => response.destroy());
    });
    const client = makeClient({ url: raw.url, firstReconnectMs: 5 });
    const impaired = healthIs(client, says('its notifications do not arrive: HTTP 503'));
    await client.connect({ timeoutMs: 2_000 });
    await impaired;
    await healthIs(client, isWell);
    expect(gets).toBe(3);
  });

  it('is impaired by a request that could not reach it, and restored without another request', async () => {
    const raw = await answering();
    const client = await connect({ url: raw.url, firstReconnectMs: 20 });
    await cleanups.shift()?.();
    await expect(client.callTool('t', {})).rejects.toMatchObject({ notExecuted: true });
    expect(client.health.problem).toContain('ECONNREFUSED');
    const { port } = new URL(raw.url);
    const back = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(202).end());
    });
    await new Promise<void>((resolve) => back.listen(Number(port), '127.0.0.1', resolve));
    cleanups.push(() => closeServer(back));
    await healthIs(client, isWell);
  });

  it('shows as `degraded` and as `running` again, the same session with the same tools', async () => {
    const raw = await rawHttp((message, response) => {
      if (message.method === 'tools/list') json(response, ok(message, { tools: [{ name: 't' }] }));
      else json(response, 'busy', 503);
    });
    let gets = 0;
    raw.onGet = (_request, response) => {
      gets += 1;
      if (gets === 2) return void response.writeHead(503).end();
      sse(response, ': hello\n\n');
      if (gets === 1) setImmediate(() => response.destroy());
    };
    await using manager = new McpServerManager({
      render: (config) => Promise.resolve(config),
      logger: silentLogger,
      redact: (text) => text,
      clientInfo: { name: 't', version: '1' },
    });
    const seen: unknown[] = [];
    let toolChanges = 0;
    manager.events.on('toolsChanged', () => (toolChanges += 1));
    const wellAgain = new Promise<void>((resolve) => {
      manager.events.on('serverState', (_server, { state, tools }) => {
        seen.push([state, tools]);
        if (seen.length === 4) resolve();
      });
    });
    const parameters = { url: raw.url };
    const config = mcpServerConfigSchema.parse({ name: 'h', type: 'streamable', server_parameters: parameters });
    await manager.setServers([{ config }]);
    const client = manager.client('h');
    await wellAgain;
    expect(seen).toEqual([
      ['starting', 0],
      ['running', 1],
      ['degraded', 1],
      ['running', 1],
    ]);
    expect(manager.client('h')).toBe(client);
    expect(toolChanges).toBe(1);
  });

  it('ends the session of a server that stays away [F-D-reconnects]', async () => {
    const raw = await answering();
    const client = await connect({ url: raw.url, firstReconnectMs: 5 });
    const closed = new Promise((resolve) => client.events.on('closed', resolve));
    await cleanups.shift()?.();
    await expect(client.callTool('t', {})).rejects.toMatchObject({ notExecuted: true });
    expect(await closed).toMatchObject({ reason: expect.stringContaining('cannot be reached any more') as string });
  });

  it('tells that a request was refused for want of a login', async () => {
    const raw = await rawHttp((_message, response) => {
      json(response, 'nope', 401);
    });
    const client = await connect({ url: raw.url });
    await expect(client.callTool('t', {})).rejects.toMatchObject({ kind: 'required' });
    expect(client.health.problem).toBe('it refused a request for want of a login');
  });

  it('opens a stream that is silent for too long again, from where it was', async () => {
    const resumed = new Promise<unknown>((resolve) => {
      void answering((request, response) => {
        sse(response, 'id: 7\ndata: {"method":"notifications/message"}\n\n');
        if (request.headers['last-event-id'] !== undefined) resolve(request.headers['last-event-id']);
      }).then((raw) => connect({ url: raw.url, firstReconnectMs: 5, streamIdleMs: 50 }));
    });
    expect(await resumed).toBe('7');
  });

  /** A server of the older transport, which answers on its stream until `mute()`. */
  async function sseServer(): Promise<{ url: string; mute: () => void; pinged: (times: number) => Promise<void> }> {
    let isMute = false;
    let pings = 0;
    const onPing = new Set<() => void>();
    let stream: ServerResponse | undefined;
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
        const message = JSON.parse(body) as { id?: unknown; method: string };
        if (message.method === 'ping') {
          pings += 1;
          for (const look of onPing) look();
        }
        if (isMute || message.id === undefined) return;
        const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
        if (stream !== undefined)
          sse(stream, `data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => closeServer(server));
    const pinged = (times: number): Promise<void> =>
      new Promise((resolve) => {
        onPing.add(() => {
          if (pings >= times) resolve();
        });
      });
    const mute = (): void => {
      isMute = true;
    };
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, mute, pinged };
  }

  it('asks a server of the older transport whose stream is silent for a sign of life, and ends with one that gives none', async () => {
    const { url, mute, pinged } = await sseServer();
    const client = await connect({ url, kind: 'sse', streamIdleMs: 30, minPingMs: 100, connectTimeoutMs: 100 });
    const closed = new Promise((resolve) => client.events.on('closed', resolve));
    await pinged(3);
    expect(client.health.problem).toBeUndefined();
    mute();
    expect(await closed).toMatchObject({ reason: expect.stringContaining('a ping is not answered') as string });
  });
});
