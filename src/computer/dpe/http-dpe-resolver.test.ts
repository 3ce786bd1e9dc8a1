import { request as httpRequest, type IncomingMessage } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResolvedResource } from './dpe-resolver.js';
import type { HttpDpeResolverOptions } from './http-dpe-options.js';
import { HttpDpeResolver } from './http-dpe-resolver.js';

const { signal } = new AbortController();
const TEXT = '0123456789';
const BEGIN = Date.UTC(2030, 0, 1);
let now = 0;
let folder = '';
let open: HttpDpeResolver[] = [];

beforeEach(async () => {
  now = BEGIN;
  folder = await mkdtemp(join(tmpdir(), 'http-dpe-'));
});
afterEach(async () => {
  await Promise.all(open.map((resolver) => resolver.close()));
  open = [];
  await rm(folder, { recursive: true, force: true });
});

async function listen(options: HttpDpeResolverOptions = {}): Promise<HttpDpeResolver> {
  const resolver = await HttpDpeResolver.listen({ folder, now: () => now, ...options });
  open.push(resolver);
  return resolver;
}

async function resolve(resolver: HttpDpeResolver, text = TEXT, mimeType = 'text/plain'): Promise<ResolvedResource> {
  return await resolver.resolve('dpe://h/../1', [{ text, mimeType }], { mimeType: undefined }, { signal });
}

async function served(options?: HttpDpeResolverOptions, text?: string, mimeType?: string): Promise<string> {
  return (await resolve(await listen(options), text, mimeType)).uri;
}

describe('HttpDpeResolver', () => {
  it('answers a URL on loopback that yields the document, with when it expires and what tells it from another', async () => {
    const { uri, ...rest } = await resolve(await listen());
    expect(new URL(uri).hostname).toBe('127.0.0.1');
    const etag = expect.stringMatching(/^"[0-9a-f]{64}"$/) as string;
    expect(rest).toEqual({
      mimeType: 'text/plain',
      size: 10,
      _meta: { expires_at: '2030-01-01T01:00:00.000Z', etag },
    });
    const answer = await fetch(uri);
    expect([answer.status, await answer.text()]).toEqual([200, TEXT]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-length': '10',
      'content-disposition': 'attachment; filename="document.txt"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=3600, immutable',
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      etag: rest._meta?.['etag'],
    });
    const head = await fetch(uri, { method: 'HEAD', headers: { range: 'bytes=1-2' } });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
  });

  it.each<[string, number, string, string | null]>([
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, TEXT, 'bytes 0-9/10'],
    ['Bytes=0-1', 206, '01', 'bytes 0-1/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=99999999999999999999-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, TEXT, null],
    ['bytes=0-1,3-4', 200, TEXT, null],
    ['bytes=-', 200, TEXT, null],
    ['bytes=a-b', 200, TEXT, null],
    ['lines=1-2', 200, TEXT, null],
  ])('answers the range %s with %i', async (range, status, body, contentRange) => {
    const answer = await fetch(await served(), { headers: { range } });
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      status,
      body,
      contentRange,
    ]);
  });

  it('heeds validators: 304 for what the other side has, a range only of the same document', async () => {
    const uri = await served();
    const etag = (await fetch(uri)).headers.get('etag') ?? '';
    const statusOf = async (headers: Record<string, string>): Promise<number> => {
      const answer = await fetch(uri, { headers });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await statusOf({ 'if-none-match': etag })).toBe(304);
    expect(await statusOf({ 'if-none-match': `"x", W/${etag}`, range: 'bytes=0-1' })).toBe(304);
    expect(await statusOf({ 'if-none-match': '*' })).toBe(304);
    expect(await statusOf({ 'if-none-match': '"x"' })).toBe(200);
    expect(await statusOf({ 'if-range': etag, range: 'bytes=0-1' })).toBe(206);
    expect(await statusOf({ 'if-range': `W/${etag}`, range: 'bytes=0-1' })).toBe(200);
    expect(await statusOf({ 'if-range': 'Tue, 01 Jan 2030 00:00:00 GMT', range: 'bytes=0-1' })).toBe(200);
  });

  it('knows no URL but its own: whatever is changed in one, nothing is there', async () => {
    const own = await listen();
    const { uri } = await resolve(own);
    const url = new URL(uri);
    const [signature, expires] = [url.searchParams.get('signature') ?? '', url.searchParams.get('expires') ?? ''];
    const other = await resolve(own, 'other');
    const tampered = [
      url.origin,
      `${url.origin}/`,
      `${url.origin}${url.pathname}`,
      uri.replace(signature, `${signature.slice(0, -2)}AA`),
      uri.replace(signature, ''),
      uri.replace(signature, 'x'),
      uri.replace(expires, String(Number(expires) + 1)),
      uri.replace(expires, ''),
      uri.replace('text%2Fplain', 'text%2Fhtml'),
      `${new URL(other.uri).origin}${new URL(other.uri).pathname}${url.search}`,
      `${url.origin}/..%2f..%2fetc%2fpasswd${url.search}`,
      `${url.origin}${url.pathname}/${url.search}`,
      `${url.origin}/%${url.search}`,
    ];
    for (const one of tampered) {
      const answer = await fetch(one);
      expect([one, answer.status, answer.headers.get('cache-control')]).toEqual([one, 404, 'no-store']);
      expect(await answer.text()).toBe('There is no document here\n');
    }
    expect((await fetch(`${url.origin}/any/prefix${url.pathname}${url.search}`)).status).toBe(200);
  });

  it('answers 410 once a URL has expired, or its document is not kept any more', async () => {
    const resolver = await listen({ lifetimeMs: 60_000 });
    const resolved = await resolve(resolver);
    now += 59_000;
    expect((await fetch(resolved.uri)).headers.get('cache-control')).toBe('private, max-age=1, immutable');
    expect(resolver.isCurrent(resolved)).toBe(true);
    now += 1_000;
    expect((await fetch(resolved.uri)).status).toBe(410);
    expect(resolver.isCurrent(resolved)).toBe(false);
    const again = await resolve(resolver);
    for (const name of await readdir(folder)) await rm(join(folder, name));
    expect((await fetch(again.uri)).status).toBe(410);
    expect(resolver.isCurrent(again)).toBe(false);
  });

  it('serves what it served before a restart when folder and secret are the same, and not with another secret', async () => {
    const secret = 's'.repeat(32);
    const first = await listen({ secret });
    const { uri } = await resolve(first);
    const { port, pathname, search } = new URL(uri);
    await first.close();
    const second = await listen({ secret, port: Number(port) });
    expect(await (await fetch(uri)).text()).toBe(TEXT);
    await second.close();
    const third = await listen({ secret: 't'.repeat(32) });
    expect((await fetch(`${third.url}${pathname}${search}`)).status).toBe(404);
  });

  it.each([
    ['text/html', 'text/html', '.html'],
    ['application/x.own+json; a=b', 'application/x.own+json; a=b', '.json'],
    ['äö', 'application/octet-stream', '.bin'],
    ['text/plain\r\nset-cookie: a=b', 'application/octet-stream', '.bin'],
    [`text/${'x'.repeat(300)}`, 'application/octet-stream', '.bin'],
    ['', 'application/octet-stream', '.bin'],
  ])('serves a document of type %j as %s', async (mimeType, type, ending) => {
    const answer = await fetch(await served({}, TEXT, mimeType));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('content-disposition')).toContain(`document${ending}`);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  it('serves an empty document, whole and in part', async () => {
    const uri = await served({}, '');
    expect([(await fetch(uri)).status, await (await fetch(uri)).text()]).toEqual([200, '']);
    expect((await fetch(uri, { headers: { range: 'bytes=0-' } })).status).toBe(416);
  });

  it('lets pages of any origin read, or of those that are named', async () => {
    const origin = { origin: 'https://app.example' };
    const preflight = async (uri: string): Promise<Headers> => {
      const headers = {
        ...origin,
        'access-control-request-method': 'GET',
        'access-control-request-private-network': 'true',
      };
      const answer = await send(uri, 'OPTIONS', headers);
      expect(answer.statusCode).toBe(204);
      return new Headers(answer.headers as Record<string, string>);
    };
    const any = await preflight(await served());
    expect(any.get('access-control-allow-origin')).toBe('*');
    expect(any.get('access-control-allow-headers')).toContain('Range');
    expect(any.get('access-control-allow-private-network')).toBe('true');
    const named = await served({ corsOrigins: ['https://app.example'] });
    expect((await preflight(named)).get('access-control-allow-origin')).toBe('https://app.example');
    const other = await fetch(named, { headers: { origin: 'https://evil.example' } });
    expect([other.headers.get('access-control-allow-origin'), other.headers.get('vary')]).toEqual([null, 'Origin']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('does not let %s through', async (method) => {
    const answer = await send(await served(), method, {});
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('does not look at the name that it is called by', async () => {
    const answer = await send(await served(), 'GET', { host: 'evil.example' });
    expect(answer.statusCode).toBe(200);
  });

  it('closes without waiting for who has stopped to read', async () => {
    const big = 'x'.repeat(30_000_000);
    const resolver = await listen();
    const { uri } = await resolve(resolver, big);
    const { port, pathname, search } = new URL(uri);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await once(socket, 'readable');
    // Not read on: the server has more than the connection takes.
    const closed = once(socket, 'close');
    await resolver.close();
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(big.length);
    expect(await readdir(folder)).toHaveLength(1);
  });

  it('takes no more connections than it may', async () => {
    const uri = await served({ maxConnections: 1 });
    const holding = connect(Number(new URL(uri).port), '127.0.0.1');
    await once(holding, 'connect');
    await expect(fetch(uri)).rejects.toThrow('fetch failed');
    holding.destroy();
  });

  it('passes on what is at http(s) already', async () => {
    const resolver = await listen();
    const text = JSON.stringify({ uri: 'https://f.example/1', expires_at: '2030-01-01' });
    const contents = [{ text, mimeType: 'application/vnd.a2c.dpe-uri+json' }];
    const resolved = await resolver.resolve('dpe://h/1', contents, { mimeType: undefined }, { signal });
    expect(resolved).toEqual({ uri: 'https://f.example/1', _meta: { expires_at: '2030-01-01' } });
    expect(resolver.isCurrent(resolved)).toBe(true);
  });

  it.each<[string, HttpDpeResolverOptions]>([
    ['host: 0.0.0.0 is reachable from other machines', { host: '0.0.0.0', publicUrl: 'http://192.0.2.1' }],
    ['publicUrl: expected the URL where Agents reach ::', { host: '[::]', insecure: true }],
    ['publicUrl: expected an http(s) URL', { publicUrl: 'ftp://x' }],
    ['publicUrl: expected an http(s) URL', { publicUrl: 'http://x/?a' }],
    ['secret: expected at least 32', { secret: 'short' }],
    ['lifetimeMs: expected', { lifetimeMs: 0 }],
    ['maxConnections: expected', { maxConnections: Number.NaN }],
  ])('refuses to listen with "%s"', async (problem, options) => {
    await expect(HttpDpeResolver.listen(options)).rejects.toThrow(problem);
  });

  it('listens beyond loopback when it is told to, and names the URL that it was given', async () => {
    const resolver = await listen({ host: '0.0.0.0', insecure: true, publicUrl: 'http://files.example/a/' });
    expect((await resolve(resolver)).uri).toMatch(/^http:\/\/files\.example\/a\/[0-9a-f]{64}\.txt\?/);
  });

  it('says when the port is taken', async () => {
    const { port } = new URL((await listen()).url);
    await expect(HttpDpeResolver.listen({ port: Number(port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('leaves no folder of its own behind', async () => {
    const resolver = await HttpDpeResolver.listen();
    await resolve(resolver);
    await resolver.close();
    await resolver.close();
    await expect(resolve(resolver)).rejects.toThrow('closed');
  });
});

async function send(uri: string, method: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest(uri, { method, headers });
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}
