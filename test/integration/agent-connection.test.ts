import { describe, expect, it } from 'vitest';
import type { Socket } from 'socket.io';
import {
  ConnectionError,
  JoinRefusedError,
  OfficeConnection,
  PacketTooLargeError,
  RequestTimeoutError,
  UnsendablePayloadError,
  type OfficeConnectionEvents,
  type OfficeConnectionOptions,
} from '../../src/client/index.js';
import { ProtocolVersionError } from '../../src/protocol/index.js';
import { acceptMembers, bareServer, refuseVersion, VERSION_REFUSAL } from './agent-bare-server.js';

const OFFICE = { officeId: 'office-1', name: 'agent-1' };
const TRANSPORTS = [[['polling', 'websocket']], [['polling']], [['websocket']]] as const;

function connection(url: string, options: Partial<OfficeConnectionOptions> = {}): OfficeConnection {
  return new OfficeConnection({ url, role: 'agent', reconnectDelayMs: 20, reconnectDelayMaxMs: 50, ...options });
}

/** The arguments of the next `event`. */
function next<E extends keyof OfficeConnectionEvents>(
  from: OfficeConnection,
  event: E,
): Promise<OfficeConnectionEvents[E]> {
  return new Promise((resolve) => {
    const off = from.events.on(event, (...args) => {
      off();
      resolve(args);
    });
  });
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );

describe('connecting', () => {
  it.each(TRANSPORTS)(
    '[R-2-version-in-url] [R-2-auth-role] works over %j, with role and credentials in auth and the version in the URL',
    async (transports) => {
      const seen: Socket['handshake'][] = [];
      await using server = await bareServer({ onSocket: (socket) => seen.push(socket.handshake) });
      await using client = connection(`${server.url}/?a2c_version=9.9.9&x=1`, {
        transports,
        auth: () => Promise.resolve({ token: 't', role: 'admin' }),
        headers: { 'x-extra': 'yes' },
      });
      await client.connect();
      expect(client.connected).toBe(true);
      expect(seen[0]?.auth).toEqual({ token: 't', role: 'agent' });
      expect(seen[0]?.query).toMatchObject({ a2c_version: '0.2.0', x: '1' });
      expect(seen[0]?.headers['x-extra']).toBe('yes');
    },
  );

  it.each(TRANSPORTS)(
    '[R-2.2-version-error] [R-2.2-no-retry] ends with one ProtocolVersionError and one attempt when the version is refused over %j',
    async (transports) => {
      await using server = await bareServer({ answer: refuseVersion });
      server.refuseUpgrades(JSON.stringify(VERSION_REFUSAL));
      await using client = connection(server.url, { transports, retryFirstConnect: true });
      const error = await failure(client.connect());
      expect(error).toBeInstanceOf(ProtocolVersionError);
      expect(error).toMatchObject({
        clientVersion: '0.2.0',
        serverVersion: '0.9.0',
        minSupported: '0.9.0',
        maxSupported: '0.9.999',
      });
      expect(server.dials()).toBe(1);
    },
  );

  it('[R-2-polling-first] starts with polling and upgrades', async () => {
    const transports: string[] = [];
    await using server = await bareServer({
      onSocket: (socket) => {
        transports.push(socket.conn.transport.name);
        socket.conn.on('upgrade', () => transports.push(socket.conn.transport.name));
      },
    });
    await using client = connection(server.url);
    await client.connect();
    await expect.poll(() => transports).toEqual(['polling', 'websocket']);
  });

  it('takes a rejection without data for the final word of the Server', async () => {
    await using server = await bareServer({
      middleware: (_socket, done) => {
        done(new Error('go away'));
      },
    });
    await using client = connection(server.url, { retryFirstConnect: true });
    await expect(client.connect()).rejects.toThrow(/refused the connection: go away/);
  });

  it('[R-2.2-header-decides] decides by the header when the body cannot be read', async () => {
    await using server = await bareServer({
      answer: (_request, response) => {
        response.writeHead(400, { 'X-A2C-Error-Code': '4008' }).end('<html>');
        return true;
      },
    });
    await using client = connection(server.url);
    const error = await failure(client.connect());
    expect(error).toBeInstanceOf(ProtocolVersionError);
    expect(error).toMatchObject({ clientVersion: undefined, serverVersion: undefined, minSupported: undefined });
  });

  it.each([
    ['a proxy that is down', 502, 'Bad gateway', undefined],
    ["Engine.IO's own refusal", 400, '{"code":1,"message":"Session ID unknown"}', undefined],
    ['a refused version text', 400, '{"code":400,"message":"Invalid a2c_version: x"}', 400],
  ])('[R-2.2-own-form] does not take %s for a version refusal', async (_what, status, body, code) => {
    await using server = await bareServer({
      answer: (_request, response) => {
        response.writeHead(status).end(body);
        return true;
      },
    });
    await using client = connection(server.url);
    const error = await failure(client.connect());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code });
  });

  it('[R-2.2-own-form] keeps the code and data of refused credentials, and does not try again', async () => {
    await using server = await bareServer({
      middleware: (_socket, done) => {
        done(Object.assign(new Error('Unauthorized'), { data: { code: 401, message: 'Unauthorized' } }));
      },
    });
    await using client = connection(server.url, { retryFirstConnect: true });
    const error = await failure(client.connect());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 401, data: { code: 401, message: 'Unauthorized' } });
    expect(server.dials()).toBe(1);
  });

  it('names the reason when nobody listens', async () => {
    const server = await bareServer();
    await server.close();
    await using client = connection(server.url);
    await expect(client.connect()).rejects.toThrow(/ECONNREFUSED/);
  });

  it('keeps trying the first connect when told to', async () => {
    const first = await bareServer();
    await first.close();
    await using client = connection(first.url, { retryFirstConnect: true });
    const connected = client.connect();
    await using second = await bareServer({ port: first.port });
    await connected;
    expect(second.dials()).toBe(1);
    expect(client.connected).toBe(true);
  });

  it('gives up when its signal is aborted, and when the Server does not answer in time', async () => {
    await using server = await bareServer({ answer: () => true });
    const stop = new AbortController();
    await using aborted = connection(server.url);
    const waiting = failure(aborted.connect({ signal: stop.signal }));
    stop.abort(new Error('changed my mind'));
    await expect(waiting).resolves.toMatchObject({ message: 'changed my mind' });
    await using slow = connection(server.url, { connectTimeoutMs: 50 });
    await expect(slow.connect()).rejects.toThrow(/no answer within 50 ms/);
  });

  it('reports an auth callback that throws', async () => {
    await using server = await bareServer();
    await using client = connection(server.url, {
      auth: () => {
        throw new Error('secret stuff');
      },
    });
    await expect(client.connect()).rejects.toThrow('The auth callback gave no usable credentials');
  });

  it.each([
    ['url', { url: 'ftp://x' }],
    ['url', { url: 'http://user:pass@x' }],
    ['url', { url: 'http://x/other' }],
    ['path', { path: '/socket.io/?a2c_version=9' }],
    ['transports', { transports: [] }],
    ['maxPacketBytes', { maxPacketBytes: 0 }],
  ])('refuses a bad %s', (name, options) => {
    expect(() => connection('http://x', options)).toThrow(new RegExp(`^${name} must`));
  });
});

describe('membership', () => {
  it('joins with the two-argument acknowledgement, and leaves', async () => {
    await using server = await bareServer({ onSocket: acceptMembers });
    await using client = connection(server.url);
    await client.connect();
    expect(client.membership).toBeUndefined();
    await client.join(OFFICE);
    expect(client.membership).toEqual(OFFICE);
    const left = next(client, 'left');
    await client.leave();
    expect(await left).toEqual([OFFICE]);
    expect(client.membership).toBeUndefined();
    await client.leave();
  });

  it.each([
    ['two arguments', [false, 'Room already has an agent (4101)'], 4101, 'Room already has an agent (4101)'],
    ['one list', [[false, 'Taken (403)']], 403, 'Taken (403)'],
    ['an error object', [{ code: 400, message: 'name: bad' }], 400, 'name: bad'],
    ['an error beside false', [false, { code: 403, message: 'no' }], 403, 'no'],
    ['no reason', [false], undefined, 'no reason given'],
    ['nothing', [], undefined, 'the Server answered in an unknown form'],
    ['a string', ['yes'], undefined, 'the Server answered in an unknown form'],
  ])('reads a refused join that comes as %s', async (_form, ack, code, reason) => {
    await using server = await bareServer({
      onSocket: (socket) => {
        socket.on('server:join_office', (_payload: unknown, answer: (...args: unknown[]) => void) => {
          answer(...ack);
        });
      },
    });
    await using client = connection(server.url);
    await client.connect();
    const error = await failure(client.join(OFFICE));
    expect(error).toBeInstanceOf(JoinRefusedError);
    expect(error).toMatchObject({ code, reason });
    expect(client.membership).toBeUndefined();
  });

  it('[R-3.4-rejoin] joins again after the Server ended the connection, and after a restart on the same port', async () => {
    const first = await bareServer({ onSocket: acceptMembers });
    await using client = connection(first.url);
    await client.connect();
    await client.join(OFFICE);
    let joined = next(client, 'joined');
    first.sockets()[0]?.disconnect(true);
    expect(await joined).toEqual([{ ...OFFICE, rejoined: true }]);
    joined = next(client, 'joined');
    await first.close();
    await using second = await bareServer({ port: first.port, onSocket: acceptMembers });
    expect(second.port).toBe(first.port);
    expect(await joined).toEqual([{ ...OFFICE, rejoined: true }]);
    expect(client.membership).toEqual(OFFICE);
  });

  it('[R-3.4-rejoin] tries a refused rejoin again while its own ghost holds the name', async () => {
    let joins = 0;
    await using server = await bareServer({
      onSocket: (socket) => {
        socket.on('server:join_office', (_payload: unknown, ack: (...args: unknown[]) => void) => {
          joins++;
          if (joins === 1 || joins === 4) ack(true, null);
          else ack(false, 'Computer name already in use in this office: agent-1 (403)');
        });
      },
    });
    await using client = connection(server.url);
    await client.connect();
    await client.join(OFFICE);
    const joined = next(client, 'joined');
    server.sockets()[0]?.disconnect(true);
    expect(await joined).toEqual([{ ...OFFICE, rejoined: true }]);
    expect(joins).toBe(4);
  });

  it('[R-3.4-rejoin] reports a rejoin that stays refused', async () => {
    let joins = 0;
    await using server = await bareServer({
      onSocket: (socket) => {
        socket.on('server:join_office', (_payload: unknown, ack: (...args: unknown[]) => void) => {
          if (joins++ === 0) ack(true, null);
          else ack(false, 'Room already has an agent (4101)');
        });
      },
    });
    await using client = connection(server.url, { rejoinForMs: 100 });
    await client.connect();
    await client.join(OFFICE);
    const failed = next(client, 'rejoinFailed');
    server.sockets()[0]?.disconnect(true);
    const [error] = await failed;
    expect(error).toMatchObject({ code: 4101 });
    expect(joins).toBeGreaterThan(2);
    expect(client.connected).toBe(true);
  });

  it('makes the connection anew when a join stays unanswered', async () => {
    await using server = await bareServer();
    await using client = connection(server.url, { joinTimeoutMs: 50 });
    await client.connect();
    const again = next(client, 'connected');
    await expect(client.join(OFFICE)).rejects.toThrow(RequestTimeoutError);
    await again;
    await expect.poll(() => server.sockets().length).toBe(1);
  });

  it('does not come back to an office that it left while disconnected', async () => {
    const joins: unknown[] = [];
    await using server = await bareServer({
      onSocket: (socket) => {
        acceptMembers(socket);
        socket.on('server:join_office', (payload: unknown) => joins.push(payload));
      },
    });
    await using client = connection(server.url);
    await client.connect();
    await client.join(OFFICE);
    const [down, up] = [next(client, 'disconnected'), next(client, 'connected')];
    server.sockets()[0]?.disconnect(true);
    await down;
    await client.leave();
    await up;
    await client.join({ officeId: 'office-2', name: 'agent-1' });
    expect(joins).toHaveLength(2);
  });
});

describe('reconnecting', () => {
  it('[R-2.2-no-retry] stops for good when it meets a Server of another version, after exactly one attempt', async () => {
    const first = await bareServer({ onSocket: acceptMembers });
    await using client = connection(first.url);
    await client.connect();
    await client.join(OFFICE);
    const refused = next(client, 'refused');
    const down = next(client, 'disconnected');
    await first.close();
    await using second = await bareServer({ port: first.port, answer: refuseVersion });
    await down;
    const [error] = await refused;
    expect(error).toBeInstanceOf(ProtocolVersionError);
    // An attempt of its own would have been counted beside this one.
    expect(await failure(client.connect())).toBeInstanceOf(ProtocolVersionError);
    expect(second.dials()).toBe(2);
    expect(client.connected).toBe(false);
  });

  it('asks for credentials at every connect', async () => {
    const tokens: unknown[] = [];
    await using server = await bareServer({ onSocket: (socket) => tokens.push(socket.handshake.auth['token']) });
    let asked = 0;
    await using client = connection(server.url, { auth: () => ({ token: ++asked }) });
    await client.connect();
    const again = next(client, 'connected');
    server.sockets()[0]?.disconnect(true);
    await again;
    expect(tokens).toEqual([1, 2]);
  });
});

describe('requests', () => {
  const CALL = { agent: 'a', req_id: '1', computer: 'c' };

  it('give the first argument of the acknowledgement as it came', async () => {
    await using server = await bareServer({
      onSocket: (socket) => {
        socket.on('client:get_tools', (_payload: unknown, ack: (...args: unknown[]) => void) => {
          ack({ code: 404, message: 'x' }, 'more');
        });
      },
    });
    await using client = connection(server.url);
    await client.connect();
    await expect(client.request('client:get_tools', CALL, { timeoutMs: 1000 })).resolves.toEqual({
      code: 404,
      message: 'x',
    });
  });

  it('end with their time, with their signal, and with the connection', async () => {
    await using server = await bareServer();
    await using client = connection(server.url);
    await client.connect();
    await expect(client.request('client:get_tools', CALL, { timeoutMs: 30 })).rejects.toThrow(RequestTimeoutError);
    const stop = new AbortController();
    const aborted = client.request('client:get_tools', CALL, { timeoutMs: 10_000, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    const lost = failure(client.request('client:get_tools', CALL, { timeoutMs: 10_000 }));
    server.sockets()[0]?.disconnect(true);
    expect(await lost).toBeInstanceOf(ConnectionError);
  });

  it('are refused without a connection, and not sent later', async () => {
    await using server = await bareServer();
    await using client = connection(server.url);
    await expect(client.request('client:get_tools', CALL, { timeoutMs: 1000 })).rejects.toThrow(ConnectionError);
    expect(() => {
      client.send('server:update_config', { computer: 'c' });
    }).toThrow(ConnectionError);
  });

  it.each([['polling'], ['websocket']] as const)(
    '[R-5.2-packet-limit] that are too large or cannot be encoded are refused here, and the %s connection stays up',
    async (transport) => {
      await using server = await bareServer({ maxHttpBufferSize: 20_000, onSocket: acceptMembers });
      await using client = connection(server.url, { transports: [transport] });
      await client.connect();
      expect(client.maxPacketBytes).toBe(20_000);
      const send = (params: unknown): Promise<unknown> =>
        failure(client.request('client:tool_call', { ...CALL, params }, { timeoutMs: 1000 }));
      const tooLarge = await send({ text: 'é'.repeat(10_000) });
      expect(tooLarge).toBeInstanceOf(PacketTooLargeError);
      expect(tooLarge).toMatchObject({ limit: 20_000 });
      expect((tooLarge as PacketTooLargeError).size).toBeGreaterThan(20_000);
      expect(await send({ bytes: new Uint8Array(20_000) })).toBeInstanceOf(PacketTooLargeError);
      let deep: unknown = 1;
      for (let level = 0; level < 5000; level++) deep = [deep];
      const cycle: Record<string, unknown> = {};
      cycle['self'] = cycle;
      for (const bad of [deep, cycle, { n: 1n }]) expect(await send(bad)).toBeInstanceOf(UnsendablePayloadError);
      await client.join(OFFICE);
      expect(client.connected).toBe(true);
    },
  );

  it('[R-3-notify-from-client] refuse to emit notify events', async () => {
    await using server = await bareServer();
    await using client = connection(server.url);
    await client.connect();
    await expect(client.request('notify:update_config' as never, {}, { timeoutMs: 100 })).rejects.toThrow(TypeError);
  });
});

describe('incoming events', () => {
  it('reach their handler, and are answered with 400 when there is none', async () => {
    await using server = await bareServer();
    await using client = connection(server.url);
    const seen: unknown[] = [];
    client.handle('client:get_tools', (args) => {
      seen.push(args[0]);
      (args.at(-1) as (answer: unknown) => void)({ tools: [] });
    });
    client.handle('notify:update_config', () => {
      throw new Error('a bad handler');
    });
    await client.connect();
    const [socket] = server.sockets();
    socket?.emit('notify:update_config', {});
    await expect(socket?.timeout(1000).emitWithAck('client:get_tools', { a: 1 })).resolves.toEqual({ tools: [] });
    await expect(socket?.timeout(1000).emitWithAck('client:other', {})).resolves.toMatchObject({ code: 400 });
    expect(seen).toEqual([{ a: 1 }]);
  });
});

describe('closing', () => {
  it('is idempotent, ends requests, and is final', async () => {
    await using server = await bareServer();
    const client = connection(server.url);
    await client.connect();
    const request = failure(
      client.request('client:get_tools', { agent: 'a', req_id: '1', computer: 'c' }, { timeoutMs: 10_000 }),
    );
    await Promise.all([client.close(), client.close()]);
    expect(await request).toBeInstanceOf(ConnectionError);
    expect(client.connected).toBe(false);
    await expect(client.connect()).rejects.toThrow('closed');
  });

  it('ends a connect under way', async () => {
    await using server = await bareServer({ answer: () => true });
    const client = connection(server.url);
    const connecting = failure(client.connect());
    await client.close();
    expect(await connecting).toBeInstanceOf(ConnectionError);
  });
});
