import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { inspect } from 'node:util';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeAuthority, makeCertificate, type KeyPair } from '../support/certificates.js';
import { startProxy, startSocksProxy } from '../support/proxy.js';
import { failure, until } from './agent-fixtures.js';
import { dataUri, DOCUMENT, documentOffice, json, startSite, textPage } from './document-fixtures.js';

let authority: KeyPair;
let certificate: KeyPair;
beforeAll(async () => {
  authority = await makeAuthority();
  certificate = await makeCertificate(authority);
});

const fine = { pages: [textPage('fine')] };
const portOf = ({ origin }: { readonly origin: string }): number => Number(new URL(origin).port);

interface TlsSite {
  readonly port: number;
  /** For each request, whether a certificate came with it. */
  readonly certificates: readonly boolean[];
  readonly connections: ReadonlySet<Socket>;
}

/** A web server behind TLS with a document everywhere, which keeps its connections open. */
async function startTlsSite(): Promise<TlsSite> {
  const certificates: boolean[] = [];
  const connections = new Set<Socket>();
  const tls = { ...certificate, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  const site = createServer({ ...tls, keepAliveTimeout: 600_000 }, (request, response) => {
    certificates.push('authorized' in request.socket && request.socket.authorized === true);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fine));
  });
  site.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => site.close(resolve));
  });
  return { port: (site.address() as AddressInfo).port, certificates, connections };
}

describe('an Agent in a network with a proxy', () => {
  it('fetches a document and its pages through it, without a tunnel where there is no TLS', async () => {
    await using proxy = await startProxy({ credentials: 'ann:p@ss' });
    const site = await startSite({ '/d': json({ pages: [{ uri: 'page' }] }), '/page': json(textPage('page')) });
    const origin = `http://a2c.test:${portOf(site)}`;
    const { agent } = await documentOffice([`${origin}/d`], { proxy: `http://ann:p%40ss@127.0.0.1:${proxy.port}` });
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(await document.text()).toBe('page');
    expect(proxy.seen).toEqual([`GET ${origin}/d`, `GET ${origin}/page`]);
  });

  it.each(['http', 'socks5h'] as const)(
    'fetches through an %s proxy and TLS with an authority of its own, and shows no client certificate',
    async (scheme) => {
      await using proxy = await (scheme === 'http' ? startProxy() : startSocksProxy());
      const { port, certificates } = await startTlsSite();
      const network = { proxy: `${scheme}://127.0.0.1:${proxy.port}`, ca: authority.cert, ...certificate };
      const { agent } = await documentOffice([`https://a2c.test:${port}/d`], network);
      expect(await (await agent.openDocument('laptop', DOCUMENT)).text()).toBe('fine');
      expect(proxy.seen).toEqual([`${scheme === 'http' ? 'CONNECT' : 'SOCKS'} a2c.test:${port}`]);
      expect(certificates).toEqual([false]);
    },
  );

  it('goes without it on this machine and where none is chosen, as Node does by itself', async () => {
    await using proxy = await startProxy({ status: 503 });
    const site = await startSite({ '/d': json(fine) });
    const asked: string[] = [];
    const choose = (url: URL): undefined => {
      asked.push(url.origin);
    };
    for (const chosen of [`http://127.0.0.1:${proxy.port}`, choose]) {
      const { agent } = await documentOffice([`${site.origin}/d`], { proxy: chosen });
      expect(await (await agent.openDocument('laptop', DOCUMENT)).text()).toBe('fine');
    }
    expect(asked).toContain(site.origin);
    expect(proxy.seen).toEqual([]);
  });

  it.each(['http', 'https'])('says which proxy says no to %s, without its credentials', async (scheme) => {
    await using locked = await startProxy({ credentials: 'ann:right' });
    await using shut = await startProxy({ status: 503 });
    await using gone = await startProxy();
    await gone[Symbol.asyncDispose]();
    const messages: string[] = [];
    for (const { port } of [locked, shut, gone]) {
      const proxy = `http://ann:canary@127.0.0.1:${port}`;
      const { agent } = await documentOffice([`${scheme}://a2c.test:8443/d?key=canary`], { proxy });
      const error = (await failure(agent.openDocument('laptop', DOCUMENT))) as Error;
      expect(error).toMatchObject({ name: 'DocumentError', reason: 'unreachable' });
      messages.push(error.message);
    }
    const start = `Document ${DOCUMENT}: ${scheme}://a2c.test:8443`;
    expect(messages).toEqual([
      `${start} cannot be fetched: the proxy wants other credentials (through the proxy 127.0.0.1:${locked.port})`,
      `${start} ${scheme === 'http' ? 'answered 503' : 'cannot be fetched: HTTP status 503'} (through the proxy 127.0.0.1:${shut.port})`,
      `${start} cannot be fetched: ECONNREFUSED (through the proxy 127.0.0.1:${gone.port})`,
    ]);
  });

  it('keeps the credentials of a SOCKS proxy out of the causes of the error, too', async () => {
    await using gone = await startSocksProxy();
    await gone[Symbol.asyncDispose]();
    const proxy = `socks5h://ann:canary@127.0.0.1:${gone.port}`;
    const { agent } = await documentOffice(['http://a2c.test:8443/d'], { proxy });
    const error = await failure(agent.openDocument('laptop', DOCUMENT));
    const all: string[] = [];
    for (let at = error; at instanceof Error; at = at.cause) all.push(inspect(at, { depth: 9 }));
    expect(all.join('\n')).toContain(`(through the proxy 127.0.0.1:${gone.port})`);
    expect(all.join('\n')).not.toContain('canary');
  });

  it('does not let a document lead through it to private addresses, but leaves names it does not know to it', async () => {
    await using proxy = await startProxy();
    const site = await startSite({ '/page': json(textPage('page')) });
    const pages = ['127.0.0.1', '[::1]', '10.0.0.5', '169.254.169.254', 'localhost', 'a2c.test'].map((host) => ({
      uri: `http://${host}:${portOf(site)}/page`,
    }));
    const { agent } = await documentOffice([dataUri({ pages })], { proxy: () => `http://127.0.0.1:${proxy.port}` });
    const document = await agent.openDocument('laptop', DOCUMENT);
    for (const index of [0, 1, 2, 3, 4]) {
      expect(await failure(document.pages.get(index))).toMatchObject({ reason: 'refused' });
    }
    // The Agent's connection goes through it as well.
    const pagesSeen = (): string[] => proxy.seen.filter((line) => line.endsWith('/page'));
    expect(pagesSeen()).toEqual([]);
    expect((await document.pages.get(5)).text()).toBe('page');
    expect(pagesSeen()).toEqual([`GET http://a2c.test:${portOf(site)}/page`]);
  });
});

describe('a document behind TLS', () => {
  it('is fetched with an authority of its own, and not without', async () => {
    const { port, certificates } = await startTlsSite();
    const access = [`https://localhost:${port}/d`];
    const trusting = await documentOffice(access, { ca: authority.cert, ...certificate });
    expect(await (await trusting.agent.openDocument('laptop', DOCUMENT)).text()).toBe('fine');
    expect(certificates).toEqual([false]);
    const other = await makeAuthority('another one');
    for (const network of [{}, { ca: other.cert }] as const) {
      const { agent } = await documentOffice(access, network);
      const { message } = (await failure(agent.openDocument('laptop', DOCUMENT))) as Error;
      expect(message).toMatch(/cannot be fetched: its certificate is of an unknown authority \([A-Z_]+\)$/);
    }
  });

  it('is fetched by the global fetch without proxy and authority', async () => {
    const fetching = vi.spyOn(globalThis, 'fetch');
    onTestFinished(() => {
      fetching.mockRestore();
    });
    const site = await startSite({ '/d': json(fine) });
    for (const [network, calls] of [
      [{}, 1],
      [{ ca: authority.cert }, 1],
      [{ proxy: () => undefined }, 2],
    ] as const) {
      const { agent } = await documentOffice([`${site.origin}/d`], network);
      expect(await (await agent.openDocument('laptop', DOCUMENT)).text()).toBe('fine');
      expect(fetching).toHaveBeenCalledTimes(calls);
    }
  });

  it.each(['directly', 'by a proxy'])('leaves no connection open when the Agent is closed, %s', async (how) => {
    await using proxy = await startProxy();
    const { port, connections } = await startTlsSite();
    const network = how === 'directly' ? {} : { proxy: () => `http://127.0.0.1:${proxy.port}` };
    const { agent } = await documentOffice([`https://localhost:${port}/d`], { ca: authority.cert, ...network });
    expect(await (await agent.openDocument('laptop', DOCUMENT)).text()).toBe('fine');
    expect(connections.size).toBe(1);
    await agent.close();
    await until(() => connections.size === 0);
  });

  it('ends in the middle when the Agent is closed', async () => {
    await using proxy = await startSocksProxy();
    const site = await startSite({ '/d': (response) => response.writeHead(200).write('{"pages":') });
    const { agent } = await documentOffice([`http://a2c.test:${portOf(site)}/d`], {
      proxy: `socks5h://127.0.0.1:${proxy.port}`,
    });
    const opening = failure(agent.openDocument('laptop', DOCUMENT));
    await until(() => site.asked.length === 1);
    await agent.close();
    expect(await opening).toMatchObject({ name: 'ConnectionError', message: 'The Agent was closed' });
    expect(await failure(agent.openDocument('laptop', DOCUMENT))).toMatchObject({ name: 'ConnectionError' });
  });
});
