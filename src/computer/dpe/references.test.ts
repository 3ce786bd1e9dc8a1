import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import type { ResolvedResource } from './dpe-resolver.js';
import { FileDpeResolver } from './file-dpe-resolver.js';
import type { ReferenceOptions } from './references.js';

const { signal } = new AbortController();
const none = { mimeType: undefined };
let base = '';
let server: Server | undefined;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'references-'));
});
afterEach(async () => {
  server?.closeAllConnections();
  if (server?.listening === true) await once(server.close(), 'close');
  server = undefined;
  await rm(base, { recursive: true });
});

function cache(): string {
  return join(base, 'cache');
}

async function kept(): Promise<readonly string[]> {
  return await readdir(cache()).catch(() => []);
}

async function resolve(
  reference: string | JsonObject,
  references: ReferenceOptions = {},
  maxDocumentBytes = 1000,
): Promise<ResolvedResource> {
  await using resolver = new FileDpeResolver({ folder: cache(), references, maxDocumentBytes });
  const text = JSON.stringify(typeof reference === 'string' ? { uri: reference } : reference);
  const contents = [{ uri: 'dpe://h/1', mimeType: 'application/vnd.a2c.dpe-uri+json', text }];
  return await resolver.resolve('dpe://h/1', contents, none, { signal });
}

/** @returns where it is. */
async function serve(listener: RequestListener): Promise<string> {
  const opened = createServer(listener);
  server = opened;
  await new Promise<void>((done) => {
    opened.listen(0, '127.0.0.1', done);
  });
  return `http://127.0.0.1:${(opened.address() as AddressInfo).port}`;
}

const copy = { mode: 'copy' } as const;
const anywhere = { ...copy, allowPrivate: true };

describe('A document that is elsewhere', () => {
  it('is passed on with what is known of it, if it is at http(s)', async () => {
    const full = { uri: 'https://f.example/1', mime_type: 'text/csv', size: 7, expires_at: '2030-01-01', etag: 'e' };
    expect(await resolve(full)).toEqual({
      uri: 'https://f.example/1',
      mimeType: 'text/csv',
      size: 7,
      _meta: { expires_at: '2030-01-01', etag: 'e' },
    });
    expect(await resolve('HTTP://f.example/1')).toEqual({ uri: 'HTTP://f.example/1' });
  });

  it.each(['file:///etc/passwd', 's3://b/k', 'data:,x', 'dpe://h/2', 'javascript:alert(1)'])(
    'is not passed on as %s',
    async (uri) => {
      await expect(resolve(uri)).rejects.toThrow(/not passed on/);
    },
  );

  it('is copied from http(s) through redirects, without credentials, with its bytes and type', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization, request.headers.cookie);
      if (request.url === '/a') response.writeHead(302, { location: '/b', 'set-cookie': 'a=b' }).end('moved');
      else response.writeHead(200, { 'content-type': 'text/plain; charset=latin1' }).end(Buffer.from([0, 255]));
    });
    const { uri, mimeType, size } = await resolve(`${url}/a`, anywhere);
    expect({ mimeType, size }).toEqual({ mimeType: 'text/plain; charset=latin1', size: 2 });
    expect([...(await readFile(fileURLToPath(uri)))]).toEqual([0, 255]);
    expect(seen).toEqual([undefined, undefined, undefined, undefined]);
    expect((await resolve({ uri: url, mime_type: 'text/csv' }, anywhere)).mimeType).toBe('text/csv');
  });

  it.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://0/',
  ])('is not copied from %s, an address within this machine or network', async (uri) => {
    await expect(resolve(uri, copy)).rejects.toThrow(/within this machine or its network/);
  });

  it('is not copied from where redirects lead too far, or elsewhere than to http(s), or from nowhere', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/file') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (path === '/gone') response.writeHead(404).end('secret');
      else response.writeHead(302, { location: '/round' }).end();
    });
    await expect(resolve(`${url}/file`, anywhere)).rejects.toThrow(/not http/);
    await expect(resolve(`${url}/round`, anywhere)).rejects.toThrow(/redirects more than 5 times/);
    await expect(resolve(`${url}/gone`, anywhere)).rejects.toThrow(/HTTP 404$/);
    await expect(resolve('http://127.0.0.1:1/secret', anywhere)).rejects.toThrow(/^(?!.*secret).*could not be fetched/);
    await expect(resolve('s3://b/k', anywhere)).rejects.toThrow(/cannot be copied/);
    expect(await kept()).toEqual([]);
  });

  it('is not copied when it is larger than allowed, whatever it says, or breaks off', async () => {
    const url = await serve(({ url: path }, response) => {
      if (path === '/broken') response.writeHead(200, { 'content-length': 500 }).write('x', () => response.destroy());
      else response.end('x'.repeat(2000));
    });
    await expect(resolve({ uri: url, size: 2000 }, anywhere)).rejects.toThrow(/limit of 1000/);
    await expect(resolve({ uri: url, size: 2 }, anywhere)).rejects.toThrow(/limit of 1000/);
    await expect(resolve(`${url}/broken`, anywhere)).rejects.toThrow(/could not be fetched/);
    expect(await kept()).toEqual([]);
  });

  it('is copied from a file below a folder that is allowed, and from no other file', async () => {
    const allowed = join(base, 'allowed');
    await mkdir(join(allowed, 'sub'), { recursive: true });
    await writeFile(join(allowed, 'sub', 'a b.txt'), 'text');
    await writeFile(join(base, 'secret'), 'secret');
    await symlink(join(base, 'secret'), join(allowed, 'link'));
    await symlink(join(allowed, 'sub'), join(base, 'way-in'));
    const references = { ...copy, folders: [join(base, 'none'), allowed] };
    const at = (...path: string[]): string => pathToFileURL(join(base, ...path)).href;
    const { uri, size } = await resolve({ uri: at('allowed', 'sub', 'a b.txt'), mime_type: 'text/plain' }, references);
    expect([await readFile(fileURLToPath(uri), 'utf8'), size]).toEqual(['text', 4]);
    expect((await resolve(at('way-in', 'a b.txt'), references)).size).toBe(4);
    for (const refused of [
      at('secret'),
      at('allowed', 'link'),
      `${at('allowed')}/../secret`,
      `${at('allowed')}/%2e%2e/secret`,
      at('allowed', 'missing'),
      at('allowed'),
      'file:///etc/passwd',
    ]) {
      await expect(resolve(refused, references)).rejects.toThrow(/not below a folder that is allowed/);
    }
    await expect(resolve(at('allowed', 'sub'), references)).rejects.toThrow(/no file/);
    await expect(resolve('file://host/share/x', references)).rejects.toThrow(/address that is none/);
    await expect(resolve(at('allowed', 'sub', 'a b.txt'), copy)).rejects.toThrow(/not below/);
  });
});
