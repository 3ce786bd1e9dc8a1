import { readFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { PROFILE_0_2 } from '../../src/protocol/index.js';
import { Server, type ServerOptions } from '../../src/server/index.js';
import { Peer } from '../support/peer.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { startServer } from '../support/running-server.js';

interface Case {
  readonly client: string | null;
  readonly server: string;
  readonly result: 'accept' | 400 | 4008;
  readonly query: string;
}

interface Vectors {
  readonly cases: readonly Case[];
  readonly body4008: { readonly client: string; readonly body: object };
}

const vectors = JSON.parse(
  readFileSync(new URL('../../test-vectors/version.json', import.meta.url), 'utf8'),
) as Vectors;

/** What a request that opens a session got. */
interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const pathOf = (transport: string, query: string): string =>
  `/socket.io/?EIO=4&transport=${transport}${query === '' ? '' : `&${query}`}`;

function poll(port: number, query: string, options: { method?: string; headers?: object } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    const sent = request({ port, host: '127.0.0.1', path: pathOf('polling', query), method, headers: { ...headers } });
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body });
      });
    });
    sent.on('error', reject).end(method === 'POST' ? 'x'.repeat(100_000) : undefined);
  });
}

function upgrade(port: number, query: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${pathOf('websocket', query)}`);
    socket.on('unexpected-response', (sent, response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode, headers: response.headers, body });
        sent.destroy();
      });
    });
    socket.on('message', (data: Buffer) => {
      resolve({ status: 101, headers: {}, body: data.toString() });
      socket.close();
    });
    socket.on('error', reject);
  });
}

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';

/** What a server answers to these very bytes until it ends the connection. */
async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

function speaking(version: string): ServerOptions {
  return { profile: { ...PROFILE_0_2, version } };
}

describe('the version gate', () => {
  it.each(vectors.cases.map((vector) => [vector.query, vector.server, vector.result, vector] as const))(
    '"%s" at a Server of %s: %s, by polling and by direct upgrade alike [R-2.1-every-session] [R-2.1-rules] [R-2.1-same-bytes] [R-2.1-header-only-4008]',
    async (query, server, result) => {
      await using running = await startServer(speaking(server));
      const answers = [await poll(running.port, query), await upgrade(running.port, query)];
      if (result === 'accept') {
        expect(answers.map(({ status }) => status)).toEqual([200, 101]);
        return;
      }
      for (const { status, headers, body } of answers) {
        expect(status).toBe(400);
        expect(headers['content-type']).toBe('application/json');
        expect(headers['content-length']).toBe(String(Buffer.byteLength(body)));
        expect(headers['x-a2c-error-code']).toBe(result === 4008 ? '4008' : undefined);
        expect(JSON.parse(body)).toMatchObject({ code: result });
      }
      expect(answers[0]?.body).toBe(answers[1]?.body);
    },
  );

  it('an incompatible version gets the six fields of the body [R-2.1-incompatible] [R-5.3-body]', async () => {
    await using running = await startServer();
    const { body } = await poll(running.port, `a2c_version=${vectors.body4008.client}`);
    expect(JSON.parse(body)).toEqual(vectors.body4008.body);
    await using later = await startServer(speaking('1.2.3'));
    expect(JSON.parse((await poll(later.port, 'a2c_version=0.2.0')).body)).toEqual({
      code: 4008,
      message: 'Protocol version mismatch',
      server_version: '1.2.3',
      client_version: '0.2.0',
      min_supported: '1.0.0',
      max_supported: '1.2.999',
    });
  });

  it.each(['', 'a2c_version=', 'A2C_VERSION=0.2.0'])(
    'an absent or empty version is missing: "%s" [R-2.1-missing]',
    async (query) => {
      await using running = await startServer();
      expect((await poll(running.port, query)).body).toBe(
        '{"code":400,"message":"Missing a2c_version query parameter"}',
      );
    },
  );

  it.each([
    ['a2c_version=abc', 'abc'],
    [`a2c_version=${'9'.repeat(100)}`, '9'.repeat(64)],
    [`a2c_version=${encodeURIComponent('😀'.repeat(70))}`, '😀'.repeat(64)],
    ['a2c_version=%22%0D%0AX%3A%201', '"\r\nX: 1'],
    ['a2c_version=0.2.0&a2c_version=0.2.0', 'given more than once'],
    ['a2c_version=0.1.0&a2c_version=0.2.0', 'given more than once'],
    ['a2c_version=&a2c%5Fversion=0.2.0', 'given more than once'],
  ])(
    'an invalid version is shown as received, cut at 64 characters: %s [R-2.1-invalid] [F-J-one-version]',
    async (query, shown) => {
      await using running = await startServer();
      const answers = [await poll(running.port, query), await upgrade(running.port, query)];
      for (const { body } of answers) {
        expect(JSON.parse(body)).toEqual({ code: 400, message: `Invalid a2c_version: ${shown}` });
      }
    },
  );

  it.each(['POST', 'PUT', 'DELETE'])('%s is judged as well [R-2.1-every-session]', async (method) => {
    await using running = await startServer();
    expect((await poll(running.port, 'a2c_version=0.1.0', { method })).headers['x-a2c-error-code']).toBe('4008');
  });

  it('an empty sid is a new session, an invented one opens none [R-2.1-every-session]', async () => {
    await using running = await startServer();
    expect((await poll(running.port, 'a2c_version=0.1.0&sid=')).headers['x-a2c-error-code']).toBe('4008');
    const invented = await poll(running.port, 'a2c_version=0.1.0&sid=invented');
    expect(invented).toMatchObject({ status: 400, body: '{"code":1,"message":"Session ID unknown"}' });
  });

  it('stands in front of everything: an authenticator that throws does not disable it [R-2.1-before-handlers]', async () => {
    let asked = 0;
    await using running = await startServer({
      authenticator: () => {
        asked += 1;
        throw new Error('broken');
      },
    });
    await expect(Peer.connect(running.url)).rejects.toThrow('Authentication failed');
    expect((await poll(running.port, 'a2c_version=0.1.0')).status).toBe(400);
    expect((await upgrade(running.port, 'a2c_version=0.1.0')).status).toBe(400);
    expect(asked).toBe(1);
  });

  it('browsers of allowed origins may read the header; others get no access [R-2.1-header-only-4008]', async () => {
    await using running = await startServer({ corsOrigins: ['https://app.example'] });
    const headers = { origin: 'https://app.example' };
    const answer = await poll(running.port, 'a2c_version=0.1.0', { headers });
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-expose-headers': 'X-A2C-Error-Code',
      'x-a2c-error-code': '4008',
    });
    const preflight = await poll(running.port, '', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    const other = await poll(running.port, 'a2c_version=0.1.0', { headers: { origin: 'https://evil.example' } });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    for (const corsOrigins of ['*', ['*']] as const) {
      await using open = await startServer({ corsOrigins });
      const any = await poll(open.port, 'a2c_version=0.2.0', { headers });
      expect(any.headers['access-control-allow-origin']).toBe('*');
    }
  });

  it.each(['0.1.0', '0.2.0'])(
    'clients that reset the connection during an upgrade with %s harm nobody [F-J-upgrade-reset]',
    async (version) => {
      await using running = await startServer();
      for (let attempt = 0; attempt < 50; attempt += 1) {
        const socket = connect(running.port, '127.0.0.1');
        const closed = new Promise((resolve) => socket.once('close', resolve));
        await new Promise((resolve) => socket.once('connect', resolve));
        socket.on('error', () => undefined);
        socket.write(`GET ${pathOf('websocket', `a2c_version=${version}`)} HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`, () =>
          socket.resetAndDestroy(),
        );
        await closed;
      }
      await using peer = await Peer.connect(running.url);
      expect(peer.socket.connected).toBe(true);
    },
  );

  it('the path is configurable [R-2-namespace]', async () => {
    await using running = await startServer({ path: '/signal/' });
    await using peer = await Peer.connect(running.url, { path: '/signal/' });
    expect(await peer.join('computer', 'laptop', 'office')).toEqual([true, null]);
    expect((await poll(running.port, 'a2c_version=0.2.0')).status).toBe(404);
  });

  it.each(['', 'signal', '//', '/a b/', '/a?b/'])('a path that nobody could reach is refused: "%s"', (path) => {
    expect(() => new Server({ path })).toThrow(TypeError);
  });

  it.each(['//[', '/\\[', '//host:99999/'])(
    'a URL that is none harms nobody, also where every path is Socket.IO: %s [R-2.1-missing]',
    async (url) => {
      await using running = await startServer({ path: '/' });
      const missing = expect.stringContaining('Missing a2c_version query parameter') as string;
      expect(await sendRaw(running.port, `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`)).toEqual(missing);
      expect(await sendRaw(running.port, `GET ${url} HTTP/1.1\r\nHost: x\r\n${UPGRADE}\r\n`)).toEqual(missing);
      await using peer = await Peer.connect(running.url, { path: '/' });
      expect(peer.socket.connected).toBe(true);
    },
  );

  it('other namespaces than /smcp are refused [R-2-namespace]', async () => {
    await using running = await startServer();
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}${pathOf('websocket', 'a2c_version=0.2.0')}`);
    const packets: string[] = [];
    const refused = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        packets.push(data.toString());
        if (packets.length === 3) resolve();
      });
    });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('40');
    socket.send('40/other,');
    await refused;
    expect(packets.slice(1).toSorted()).toEqual([
      '44/other,{"message":"Invalid namespace"}',
      '44{"message":"Invalid namespace"}',
    ]);
    socket.close();
  });
});

describe('authentication', () => {
  const refusal = { message: 'Unauthorized', data: { code: 401, message: 'Unauthorized' } };

  it.each([['polling'], ['websocket']] as const)(
    'a wrong token over %s gets CONNECT_ERROR and the connection is closed [R-2-refused-auth]',
    async (transport) => {
      const logger = new RecordingLogger();
      await using running = await startServer({ token: 'right-token', logger });
      const transports = [transport];
      await expect(Peer.connect(running.url, { transports, auth: { token: 'wrong-token' } })).rejects.toMatchObject(
        refusal,
      );
      await expect(Peer.connect(running.url, { transports })).rejects.toMatchObject(refusal);
      await expect(Peer.connect(running.url, { transports, auth: { token: 7 } })).rejects.toMatchObject(refusal);
      await using peer = await Peer.connect(running.url, { transports, auth: { token: 'right-token' } });
      expect(peer.socket.connected).toBe(true);
      expect(logger.text).not.toMatch(/wrong-token|right-token/);
    },
  );

  it('a refused connection is closed by the Server, not only by a kind client [R-2-refused-auth]', async () => {
    await using running = await startServer({ token: 't' });
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}${pathOf('websocket', 'a2c_version=0.2.0')}`);
    const packets: string[] = [];
    socket.on('message', (data: Buffer) => packets.push(data.toString()));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('40/smcp,{"token":"no"}');
    await closed;
    expect(packets[1]).toBe('44/smcp,{"message":"Unauthorized","data":{"code":401,"message":"Unauthorized"}}');
  });

  it('a connection that asks twice while it is judged is refused: it would be let in twice', async () => {
    await using running = await startServer({ authenticator: () => sleep(50, true) });
    const socket = new WebSocket(`ws://127.0.0.1:${running.port}${pathOf('websocket', 'a2c_version=0.2.0')}`);
    const packets: string[] = [];
    socket.on('message', (data: Buffer) => packets.push(data.toString()));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('40/smcp,');
    socket.send('40/smcp,');
    await closed;
    expect(packets.slice(1)).toEqual([
      '44/smcp,{"message":"Already connecting","data":{"code":400,"message":"Already connecting"}}',
    ]);
  });

  it('a page of another origin cannot connect by WebSocket, unless it is allowed', async () => {
    const options = { transports: ['websocket'] as const, headers: { origin: 'https://evil.example' } };
    await using running = await startServer();
    await expect(Peer.connect(running.url, options)).rejects.toMatchObject({ data: { code: 403 } });
    await using open = await startServer({ corsOrigins: ['https://evil.example'] });
    await using peer = await Peer.connect(open.url, options);
    expect(peer.socket.connected).toBe(true);
  });

  it('an invalid auth.role is 400 [R-2-auth-role]', async () => {
    await using running = await startServer();
    await expect(Peer.connect(running.url, { auth: { role: 'boss' } })).rejects.toMatchObject({
      data: { code: 400, message: 'auth.role: expected "agent" or "computer"' },
    });
  });

  it('an authenticator sees what the connection shows, and may take its time', async () => {
    const seen: object[] = [];
    await using running = await startServer({
      credential: { header: 'Authorization' },
      authenticator: async ({ token, role, a2cVersion, auth }) => {
        await Promise.resolve();
        seen.push({ token, role, a2cVersion, tenant: auth['tenant'] });
        return true;
      },
    });
    const auth = { role: 'agent', tenant: 'acme' };
    await using peer = await Peer.connect(running.url, { auth, headers: { authorization: 'Bearer abc' } });
    expect(peer.socket.connected).toBe(true);
    expect(seen).toEqual([{ token: 'abc', role: 'agent', a2cVersion: '0.2.0', tenant: 'acme' }]);
  });

  it('an authenticator that takes too long is a refusal, soon enough for Python peers [F-J-quick-authentication]', async () => {
    await using running = await startServer({ authenticator: () => new Promise(() => undefined), authTimeoutMs: 50 });
    await expect(Peer.connect(running.url)).rejects.toMatchObject({ data: { code: 401 } });
  });

  it('what an authenticator throws is neither shown nor logged', async () => {
    const logger = new RecordingLogger();
    const authenticator = () => Promise.reject(new Error('canary'));
    await using running = await startServer({ authenticator, logger });
    await expect(Peer.connect(running.url)).rejects.toMatchObject({ message: 'Authentication failed' });
    expect(logger.text).not.toContain('canary');
    expect(logger.of('warn')).toHaveLength(1);
  });
});
