import { createServer, get, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { PROFILE_0_2 } from '../../src/protocol/index.js';
import { Server } from '../../src/server/index.js';
import { Peer } from '../support/peer.js';
import { startServer } from '../support/running-server.js';

async function listening(
  httpServer: HttpServer,
): Promise<{ url: string; port: number; [Symbol.asyncDispose](): Promise<void> }> {
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
  const { port } = httpServer.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        httpServer.close(() => {
          resolve();
        });
        httpServer.closeAllConnections();
      }),
  };
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

describe('listening', () => {
  it('a taken port is a clear error, and the Server can try another one', async () => {
    await using running = await startServer();
    await using second = new Server();
    await expect(second.listen(running.port)).rejects.toMatchObject({
      name: 'ListenError',
      code: 'EADDRINUSE',
      message: `Cannot listen on 127.0.0.1, port ${running.port}: it is already in use. Choose another port, or 0 for a free one`,
    });
    const { url } = await second.listen(0);
    await using peer = await Peer.connect(url);
    expect(peer.socket.connected).toBe(true);
  });

  it.each([
    [70_000, '127.0.0.1', 'ERR_SOCKET_BAD_PORT'],
    [0, '203.0.113.1', 'EADDRNOTAVAIL'],
  ])('port %i on %s is %s', async (port, host, code) => {
    await using server = new Server();
    await expect(server.listen(port, host)).rejects.toMatchObject({ name: 'ListenError', code });
  });

  it('listening twice, or after close(), is an error', async () => {
    await using running = await startServer();
    await expect(running.server.listen(0)).rejects.toThrow('already listening');
    await running.server.close();
    await expect(running.server.listen(0)).rejects.toThrow('was closed');
  });

  it('closing while it begins to listen leaves nothing open', async () => {
    const server = new Server();
    const begun = server.listen(0);
    await Promise.all([server.close(), expect(begun).rejects.toThrow('was closed')]);
  });

  it('a version that is none is refused at construction', () => {
    expect(() => new Server({ profile: { ...PROFILE_0_2, version: 'x' } })).toThrow(
      'profile.version must be MAJOR.MINOR.PATCH',
    );
  });
});

describe('attaching', () => {
  it('serves beside the application, and lets go of its HTTP server on close()', async () => {
    const application = createServer((_request, response) => {
      response.writeHead(418).end();
    });
    await using host = await listening(application);
    const before = ['request', 'upgrade', 'close', 'listening'].map((event) => application.rawListeners(event));
    const server = new Server();
    server.attach(application);
    expect(() => {
      server.attach(application);
    }).toThrow('already listening or attached');
    await using peer = await Peer.connect(host.url);
    expect(await peer.join('computer', 'laptop', 'office')).toEqual([true, null]);
    expect(await statusOf(`${host.url}/`)).toBe(418);
    expect(await statusOf(`${host.url}/socket.io/?EIO=4&transport=polling`)).toBe(400);
    const gone = peer.disconnected();
    await server.close();
    expect(await gone).toBe('transport close');
    expect(['request', 'upgrade', 'close', 'listening'].map((event) => application.rawListeners(event))).toEqual(
      before,
    );
    expect(await statusOf(`${host.url}/socket.io/`)).toBe(418);
    const next = new Server();
    next.attach(application);
    await using again = await Peer.connect(host.url);
    expect(again.socket.connected).toBe(true);
    await next.close();
  });
});

it.each([
  ['a refused version', '/socket.io/?EIO=4&transport=websocket&a2c_version=0.1.0'],
  ['another path', '/elsewhere'],
])('an upgrade that came to nothing, for %s, holds no socket when its client never ends', async (_title, path) => {
  await using running = await startServer();
  const socket = connect({ port: running.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined).resume();
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
  );
  await new Promise((resolve) => socket.once('end', resolve));
  // Only a socket that is gone answers what comes then with a reset.
  const writing = setInterval(() => socket.write('x'), 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(writing);
});

describe('closing', () => {
  it.each([['polling'], ['websocket']] as const)(
    'tells every member of every other one, over %s, and nobody twice [R-3.3-leave-first]',
    async (transport) => {
      const running = await startServer();
      const options = { transports: [transport] };
      await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'one' }, options);
      await using first = await Peer.join(running.url, { role: 'computer', name: 'a', office: 'one' }, options);
      await using second = await Peer.join(running.url, { role: 'computer', name: 'b', office: 'one' }, options);
      await using lonely = await Peer.join(running.url, { role: 'computer', name: 'a', office: 'two' }, options);
      const peers = [agent, first, second, lonely];
      await Promise.all(peers.map((peer) => peer.settle()));
      for (const peer of peers) peer.received.length = 0;
      const gone = Promise.all(peers.map((peer) => peer.disconnected()));
      await running.server.close();
      // Not "io server disconnect", after which clients would not come back by themselves.
      expect(await gone).toEqual(peers.map(() => 'transport close'));
      const left = (peer: Peer): unknown[] => peer.received.map(({ event, args }) => [event, args[0]]);
      const notice = (member: object): unknown[] => ['notify:leave_office', { office_id: 'one', ...member }];
      expect(left(agent)).toEqual([notice({ computer: 'a' }), notice({ computer: 'b' })]);
      expect(left(first)).toEqual([notice({ agent: 'agent' }), notice({ computer: 'b' })]);
      expect(left(second)).toEqual([notice({ agent: 'agent' }), notice({ computer: 'a' })]);
      expect(left(lonely)).toEqual([]);
    },
  );

  it('ends calls under way with 404, and clients come back to a Server on the same port by themselves', async () => {
    const running = await startServer();
    await using agent = await Peer.connect(running.url, { reconnection: true });
    await agent.join('agent', 'agent', 'office');
    await using computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' });
    const call = agent.call('client:get_tools', { agent: 'agent', req_id: 'r', computer: 'laptop' });
    await computer.next('client:get_tools');
    await running.server.close();
    expect(await call).toMatchObject([{ code: 404 }]);
    const back = new Promise<void>((resolve) => agent.socket.once('connect', resolve));
    await using next = new Server();
    await next.listen(running.port);
    await back;
    expect(await agent.join('agent', 'agent', 'office')).toEqual([true, null]);
  });

  it.each(['listening', 'attached'])(
    'is bounded in time with connections that do not react, and idempotent: %s',
    async (how) => {
      const application = createServer();
      await using host = await listening(application);
      const server = new Server({ closeTimeoutMs: 200 });
      const { port } = how === 'listening' ? await server.listen(0) : host;
      if (how === 'attached') server.attach(application);
      const silent = connect(port, '127.0.0.1');
      const closed = new Promise((resolve) => silent.once('close', resolve));
      silent.on('error', () => undefined);
      await new Promise((resolve) => silent.once('connect', resolve));
      // A WebSocket peer that reads, but never answers the closing handshake.
      silent.write(
        'GET /socket.io/?EIO=4&transport=websocket&a2c_version=0.2.0 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n' +
          'Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      );
      await new Promise((resolve) => silent.once('data', resolve));
      silent.resume();
      const started = Date.now();
      const closing = server.close();
      expect(server.close()).toBe(closing);
      await closing;
      expect(Date.now() - started).toBeLessThan(1_500);
      await closed;
    },
  );

  it('closes idle keep-alive connections, and takes no more', async () => {
    const running = await startServer();
    expect(await statusOf(`${running.url}/anything`)).toBe(404);
    const started = Date.now();
    await running.server.close();
    expect(Date.now() - started).toBeLessThan(1_000);
    await expect(statusOf(running.url)).rejects.toThrow(/ECONNREFUSED|socket hang up/);
  });
});
