import { beforeAll, describe, expect, it } from 'vitest';
import { Agent, type AgentOptions } from '../../src/agent/index.js';
import { ConnectionError } from '../../src/client/index.js';
import { Computer } from '../../src/computer/index.js';
import { makeAuthority, makeCertificate, makeSelfSigned, type KeyPair } from '../support/certificates.js';
import { startProxy, startSocksProxy } from '../support/proxy.js';
import { startServer } from '../support/running-server.js';
import { startTlsServer } from '../support/tls-server.js';

let authority: KeyPair;
let server: KeyPair;
let client: KeyPair;

beforeAll(async () => {
  authority = await makeAuthority();
  [server, client] = await Promise.all([makeCertificate(authority), makeCertificate(authority, { hosts: ['laptop'] })]);
});

/** Connects, or says why it could not. */
async function outcome(options: AgentOptions): Promise<string> {
  await using agent = new Agent({ connectTimeoutMs: 10_000, catalog: false, ...options });
  try {
    await agent.connect();
    await agent.joinOffice('o');
    return 'joined';
  } catch (error) {
    expect(error).toBeInstanceOf(ConnectionError);
    return (error as Error).message;
  }
}

const TRANSPORTS = [[['polling', 'websocket']], [['websocket']], [['polling']]] as const;

describe('a Server behind TLS', () => {
  it.each(TRANSPORTS)('is trusted when its authority is named, over %s', async (transports) => {
    await using tls = await startTlsServer(server);
    const url = `https://localhost:${tls.port}`;
    expect(await outcome({ url, ca: authority.cert, transports })).toBe('joined');
    expect(await outcome({ url: url.replace('https', 'wss'), ca: [authority.cert], transports })).toBe('joined');
  });

  it.each(TRANSPORTS)('is not trusted without, over %s', async (transports) => {
    await using tls = await startTlsServer(server);
    const url = `https://localhost:${tls.port}`;
    expect(await outcome({ url, transports })).toMatch(
      /^Cannot connect to the Server at localhost:\d+: its certificate is of an unknown authority \(UNABLE_TO_VERIFY/,
    );
  });

  it('is told apart: expired, for another host, self-signed, no TLS at all', async () => {
    const [old, other] = await Promise.all([
      makeCertificate(authority, { expired: true }),
      makeCertificate(authority, { hosts: ['elsewhere.test'] }),
    ]);
    await using expired = await startTlsServer(old);
    await using elsewhere = await startTlsServer(other);
    await using selfSigned = await startTlsServer(await makeSelfSigned());
    await using plain = await startServer();
    const ca = authority.cert;
    const at = (port: number): string => `https://localhost:${port}`;
    expect(await outcome({ url: at(expired.port), ca })).toContain('its certificate has expired (CERT_HAS_EXPIRED)');
    expect(await outcome({ url: at(elsewhere.port), ca })).toContain('its certificate is for another host name');
    expect(await outcome({ url: at(selfSigned.port) })).toContain('it shows a self-signed certificate');
    expect(await outcome({ url: at(plain.port), ca })).toMatch(/does not speak TLS|EPROTO/);
  });

  it.each(TRANSPORTS)('that wants a client certificate gets it, over %s', async (transports) => {
    const mutual = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    await using tls = await startTlsServer(mutual);
    const [locked, foreign] = await Promise.all([
      makeCertificate(authority, { passphrase: 'open sesame' }),
      makeAuthority('another one').then((another) => makeCertificate(another)),
    ]);
    const options = { url: `https://localhost:${tls.port}`, ca: authority.cert, transports };
    expect(await outcome({ ...options, ...client })).toBe('joined');
    expect(await outcome({ ...options, ...locked, passphrase: 'open sesame' })).toBe('joined');
    expect(await outcome(options)).toMatch(/it wants a client certificate/);
    // Node's own server just hangs up.
    expect(await outcome({ ...options, ...foreign })).toMatch(/it refuses the client certificate|ECONNRESET/);
  });
});

describe('a proxy', () => {
  it.each(TRANSPORTS)('leads to a Server behind TLS through a tunnel, over %s', async (transports) => {
    await using proxy = await startProxy({ credentials: 'ann:p@ss' });
    await using tls = await startTlsServer(server);
    const options = { url: `https://a2c.test:${tls.port}`, ca: authority.cert, transports };
    expect(await outcome({ ...options, proxy: `http://ann:p%40ss@127.0.0.1:${proxy.port}` })).toBe('joined');
    expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT a2c.test:${tls.port}`]));
  });

  it('gets plain requests for a Server without TLS, and a tunnel for the WebSocket only', async () => {
    await using proxy = await startProxy();
    await using plain = await startServer();
    const options = { url: `http://a2c.test:${plain.port}`, proxy: `http://127.0.0.1:${proxy.port}` };
    expect(await outcome({ ...options, transports: ['polling'] })).toBe('joined');
    expect(new Set(proxy.seen)).toEqual(
      new Set([`GET http://a2c.test:${plain.port}/socket.io/`, `POST http://a2c.test:${plain.port}/socket.io/`]),
    );
    expect(await outcome({ ...options, transports: ['websocket'] })).toBe('joined');
    expect(proxy.seen).toContain(`CONNECT a2c.test:${plain.port}`);
  });

  it('that makes no tunnels leaves the connection on polling, which works as well', async () => {
    await using proxy = await startProxy({ tunnels: false });
    await using plain = await startServer();
    await using agent = new Agent({
      url: `http://a2c.test:${plain.port}`,
      proxy: `http://127.0.0.1:${proxy.port}`,
      name: 'a',
    });
    await agent.connect();
    await agent.joinOffice('o');
    while (!proxy.seen.includes(`CONNECT a2c.test:${plain.port}`)) await agent.listRoom();
    expect((await agent.listRoom()).map(({ name }) => name)).toEqual(['a']);
    expect(agent.connected).toBe(true);
  });

  it('may speak TLS itself, with a certificate of the same authority, and never sees that of the client', async () => {
    const mutual = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    await using proxy = await startProxy({ tls: server });
    await using tls = await startTlsServer(mutual);
    const options = { url: `https://a2c.test:${tls.port}`, ca: authority.cert, ...client };
    expect(await outcome({ ...options, proxy: `https://localhost:${proxy.port}` })).toBe('joined');
    expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT a2c.test:${tls.port}`]));
    expect(await outcome({ ...options, ca: undefined, proxy: `https://localhost:${proxy.port}` })).toContain(
      `the proxy localhost:${proxy.port} cannot be reached or used: its certificate is of an unknown authority`,
    );
  });

  it('may speak SOCKS, and looks the name up where it is asked to', async () => {
    await using proxy = await startSocksProxy();
    await using tls = await startTlsServer(server);
    const options = { ca: authority.cert, proxy: `socks5h://127.0.0.1:${proxy.port}` };
    expect(await outcome({ ...options, url: `https://a2c.test:${tls.port}` })).toBe('joined');
    expect(new Set(proxy.seen)).toEqual(new Set([`SOCKS a2c.test:${tls.port}`]));
  });

  it('is chosen for each Server by a function, which may choose none', async () => {
    await using proxy = await startProxy();
    await using plain = await startServer();
    const asked: string[] = [];
    const choose = (url: URL): string | undefined => {
      asked.push(url.origin);
      return url.hostname === 'a2c.test' ? `http://127.0.0.1:${proxy.port}` : undefined;
    };
    expect(await outcome({ url: `ws://127.0.0.1:${plain.port}`, proxy: choose })).toBe('joined');
    expect(proxy.seen).toEqual([]);
    expect(await outcome({ url: `ws://a2c.test:${plain.port}`, proxy: choose })).toBe('joined');
    expect(asked).toEqual([`http://127.0.0.1:${plain.port}`, `http://a2c.test:${plain.port}`]);
  });

  it.each(TRANSPORTS)('that says no is named, and its credentials are not, over %s', async (transports) => {
    await using locked = await startProxy({ credentials: 'ann:right' });
    await using shut = await startProxy({ status: 503 });
    await using gone = await startProxy();
    await gone[Symbol.asyncDispose]();
    const to = (port: number): AgentOptions => ({
      url: 'https://a2c.test:1',
      proxy: `http://ann:canary@127.0.0.1:${port}`,
      transports,
    });
    const failures = [await outcome(to(locked.port)), await outcome(to(shut.port)), await outcome(to(gone.port))];
    const start = 'Cannot connect to the Server at a2c.test:1: the proxy 127.0.0.1';
    expect(failures).toEqual([
      `${start}:${locked.port} wants other credentials: HTTP status 407`,
      `${start}:${shut.port} makes no connection to it: HTTP status 503`,
      `${start}:${gone.port} cannot be reached or used: ECONNREFUSED`,
    ]);
  });
});

it('a Computer goes the same way as an Agent', async () => {
  const mutual = { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  await using proxy = await startProxy({ credentials: 'ann:secret' });
  await using tls = await startTlsServer(mutual);
  await using computer = new Computer({
    name: 'laptop',
    url: `https://a2c.test:${tls.port}`,
    proxy: `http://ann:secret@127.0.0.1:${proxy.port}`,
    ca: authority.cert,
    ...client,
  });
  computer.start();
  await computer.connect();
  await computer.joinOffice('o');
  expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT a2c.test:${tls.port}`]));
});
