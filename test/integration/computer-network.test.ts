import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { McpServer } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { Computer, type ComputerOptions } from '../../src/computer/index.js';
import { TestAuthorizationServer } from '../fixtures/computer/authorization-server.js';
import { ProtectedServer } from '../fixtures/computer/protected-server.js';
import { serveOverHttp, type WebServer } from '../fixtures/mcp-servers/web-server.js';
import { makeAuthority, makeCertificate, type KeyPair } from '../support/certificates.js';
import { startProxy, startSocksProxy } from '../support/proxy.js';

let authority: KeyPair;
let certificate: KeyPair;
beforeAll(async () => {
  authority = await makeAuthority();
  certificate = await makeCertificate(authority);
});

function webServer(): Promise<WebServer> {
  const server = new McpServer({ name: 'web', version: '1.0.0' });
  server.registerTool('ping', {}, () => ({ content: [] }));
  return serveOverHttp(server);
}

/** Speaks TLS for a server that does not. */
async function behindTls(port: number): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const front = createServer(certificate, (client) => {
    const upstream = connect(port, '127.0.0.1');
    sockets.add(client).add(upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream).pipe(client);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    port: (front.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => front.close(resolve));
    },
  };
}

/** How a server at this address fares. */
async function started(url: string, options: ComputerOptions): Promise<object> {
  await using computer = new Computer({ servers: { web: { url, type: 'streamable' } }, ...options });
  computer.start();
  await computer.settled();
  return computer.servers()[0] ?? {};
}

const portOf = (url: string): number => Number(new URL(url).port);

describe('An MCP server over HTTP', () => {
  it('is reached through an HTTP proxy, without a tunnel', async () => {
    await using proxy = await startProxy({ credentials: 'ann:secret' });
    await using web = await webServer();
    const url = `http://a2c.test:${portOf(web.url)}/mcp`;
    const settings = { proxy: `http://ann:secret@127.0.0.1:${proxy.port}` };
    expect(await started(url, settings)).toMatchObject({ state: 'running', tools: 1 });
    expect(proxy.seen).toContain(`POST ${url}`);
  });

  it.each(['http', 'socks5h'] as const)('is reached through an %s proxy and TLS', async (scheme) => {
    await using proxy = await (scheme === 'http' ? startProxy() : startSocksProxy());
    await using web = await webServer();
    await using front = await behindTls(portOf(web.url));
    const url = `https://a2c.test:${front.port}/mcp`;
    const settings = { proxy: `${scheme}://127.0.0.1:${proxy.port}`, ca: authority.cert };
    expect(await started(url, settings)).toMatchObject({ state: 'running', tools: 1 });
    expect(proxy.seen[0]).toMatch(new RegExp(`^(CONNECT|SOCKS) a2c\\.test:${front.port}$`));
    expect(await started(url, { proxy: settings.proxy })).toMatchObject({
      state: 'backing-off',
      reason: expect.stringContaining('its certificate is of an unknown authority (UNABLE_') as string,
    });
  });

  it('on this machine is reached without the proxy', async () => {
    await using proxy = await startProxy({ status: 503 });
    await using web = await webServer();
    const settings = { proxy: `http://127.0.0.1:${proxy.port}` };
    expect(await started(web.url, settings)).toMatchObject({ state: 'running' });
    expect(proxy.seen).toEqual([]);
  });

  it.each(['http', 'https'])('says which proxy says no to %s, without its credentials', async (scheme) => {
    await using proxy = await startProxy({ credentials: 'ann:right' });
    const settings = { proxy: `http://ann:canary@127.0.0.1:${proxy.port}` };
    const state = await started(`${scheme}://a2c.test:8443/mcp`, settings);
    expect(state).toMatchObject({
      state: 'backing-off',
      reason: expect.stringContaining(
        `the proxy wants other credentials (through the proxy 127.0.0.1:${proxy.port})`,
      ) as string,
    });
    expect(JSON.stringify(state)).not.toContain('canary');
  });
});

it('A login at an MCP server goes through the proxy, too', async () => {
  await using proxy = await startProxy();
  await using authorization = await TestAuthorizationServer.open();
  await using server = await ProtectedServer.open(authorization);
  await using computer = new Computer({
    servers: { web: { url: server.url, type: 'streamable' } },
    // A given proxy would leave this machine out, where all of these are.
    proxy: () => `http://127.0.0.1:${proxy.port}`,
    openBrowser: async (url) => {
      await (await fetch(url)).text();
    },
  });
  computer.start();
  await computer.settled();
  await computer.login('web');
  expect(computer.servers()[0]).toMatchObject({ state: 'running' });
  expect(proxy.seen).toContain(`POST ${authorization.url}/token`);
  expect(proxy.seen).toContain(`POST ${server.url}`);
});
