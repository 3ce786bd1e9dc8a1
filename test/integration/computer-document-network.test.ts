import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FileDpeResolver, S3DpeResolver, type S3DpeResolverOptions } from '../../src/computer/index.js';
import { makeAuthority, makeCertificate, type KeyPair } from '../support/certificates.js';
import { startProxy, startSocksProxy } from '../support/proxy.js';

let authority: KeyPair;
let certificate: KeyPair;
beforeAll(async () => {
  authority = await makeAuthority();
  certificate = await makeCertificate(authority);
});

const { signal } = new AbortController();
const hint = { mimeType: undefined };

/** Listens until the test is over. @returns the port. */
async function serve(listener: RequestListener, tls?: KeyPair): Promise<number> {
  const server: Server = tls === undefined ? createHttpServer(listener) : createServer(tls, listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return (server.address() as AddressInfo).port;
}

const text: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-type': 'text/plain' }).end('far away');

describe('a document that a Computer copies from elsewhere', () => {
  /** Copies what is at an address, and reads the copy. */
  async function copied(uri: string, network: { readonly proxy?: string; readonly ca?: string }): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'copied-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await using resolver = new FileDpeResolver({ folder, references: { mode: 'copy' }, ...network });
    const mimeType = 'application/vnd.a2c.dpe-uri+json';
    const contents = [{ uri: 'dpe://h/1', mimeType, text: JSON.stringify({ uri }) }];
    return await readFile(fileURLToPath((await resolver.resolve('dpe://h/1', contents, hint, { signal })).uri), 'utf8');
  }

  it.each(['http', 'socks5h'] as const)('comes through an %s proxy, with and without TLS', async (scheme) => {
    await using proxy = await (scheme === 'http' ? startProxy() : startSocksProxy());
    const [plain, secure] = [await serve(text), await serve(text, certificate)];
    const settings = { proxy: `${scheme}://127.0.0.1:${proxy.port}`, ca: authority.cert };
    expect(await copied(`http://a2c.test:${plain}/d`, settings)).toBe('far away');
    expect(await copied(`https://a2c.test:${secure}/d`, settings)).toBe('far away');
    expect(proxy.seen).toEqual(
      scheme === 'http'
        ? [`GET http://a2c.test:${plain}/d`, `CONNECT a2c.test:${secure}`]
        : [`SOCKS a2c.test:${plain}`, `SOCKS a2c.test:${secure}`],
    );
  });

  it.each(['127.0.0.1', '[::1]', '10.0.0.5', 'localhost'])('does not come from %s through one', async (host) => {
    await using proxy = await startProxy();
    const settings = { proxy: `http://127.0.0.1:${proxy.port}` };
    await expect(copied(`http://${host}:1/d`, settings)).rejects.toThrow('within this machine or its network');
    expect(proxy.seen).toEqual([]);
  });

  it.each(['http', 'https'])('says which proxy says no to %s, without its credentials', async (scheme) => {
    await using proxy = await startProxy({ credentials: 'ann:right' });
    const settings = { proxy: `http://ann:canary@127.0.0.1:${proxy.port}` };
    await expect(copied(`${scheme}://a2c.test:8443/canary`, settings)).rejects.toThrow(
      new Error(
        `The document could not be fetched (the proxy wants other credentials) (through the proxy 127.0.0.1:${proxy.port})`,
      ),
    );
  });
});

describe('a bucket of S3', () => {
  /** What calls itself a store, and takes everything. */
  const store: RequestListener = (request, response) => {
    request.resume().once('end', () => {
      response.writeHead(request.method === 'HEAD' ? 404 : 200, { etag: '"tag"' }).end();
    });
  };

  /** Puts a document there. @returns the host and path of its address. */
  async function put(options: Partial<S3DpeResolverOptions>): Promise<string> {
    const credentials = { accessKeyId: 'key', secretAccessKey: 'canary' };
    await using resolver = new S3DpeResolver({ bucket: 'docs', credentials, ...options });
    const { uri } = await resolver.resolve('dpe://h/1', [{ text: 'x' }], hint, { signal });
    return new URL(uri).origin;
  }

  it.each(['http', 'socks5h'] as const)('is reached through an %s proxy, with and without TLS', async (scheme) => {
    await using proxy = await (scheme === 'http' ? startProxy() : startSocksProxy());
    const [plain, secure] = [await serve(store), await serve(store, certificate)];
    const settings = { proxy: `${scheme}://127.0.0.1:${proxy.port}`, ca: authority.cert };
    for (const endpoint of [`http://a2c.test:${plain}`, `https://a2c.test:${secure}`]) {
      expect(await put({ endpoint, ...settings })).toBe(endpoint);
    }
    const seen = proxy.seen.map((line) => line.replace(/\/docs\/.*/, '/docs/'));
    const at = `http://a2c.test:${plain}/docs/`;
    expect(new Set(seen)).toEqual(
      new Set(
        scheme === 'http'
          ? [`HEAD ${at}`, `PUT ${at}`, `CONNECT a2c.test:${secure}`]
          : [`SOCKS a2c.test:${plain}`, `SOCKS a2c.test:${secure}`],
      ),
    );
  });

  it('on this machine is reached directly, with an authority of its own and not without', async () => {
    await using proxy = await startProxy({ status: 503 });
    const endpoint = `https://localhost:${await serve(store, certificate)}`;
    const settings = { endpoint, proxy: `http://127.0.0.1:${proxy.port}` };
    expect(await put({ ...settings, ca: authority.cert })).toBe(endpoint);
    await expect(put(settings)).rejects.toThrow(/: its certificate is of an unknown authority \([A-Z_]+\)$/);
    expect(proxy.seen).toEqual([]);
  });

  it('does not blame the store for a proxy that is not there', async () => {
    await using gone = await startProxy();
    await gone[Symbol.asyncDispose]();
    const endpoint = 'https://a2c.test:8443';
    await expect(put({ endpoint, proxy: `http://ann:canary@127.0.0.1:${gone.port}` })).rejects.toThrow(
      new Error(
        `The bucket "docs" at ${endpoint} cannot be used: the request failed (ECONNREFUSED) (through the proxy 127.0.0.1:${gone.port})`,
      ),
    );
  });

  it.each(['http', 'https'])('says which proxy says no to %s, without its credentials', async (scheme) => {
    await using proxy = await startProxy({ credentials: 'ann:right' });
    const endpoint = `${scheme}://a2c.test:8443`;
    await expect(put({ endpoint, proxy: `http://ann:canary@127.0.0.1:${proxy.port}` })).rejects.toThrow(
      new Error(
        `The bucket "docs" at ${endpoint} cannot be used: the proxy wants other credentials (through the proxy 127.0.0.1:${proxy.port})`,
      ),
    );
  });
});
