import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import type { ResolvedResource } from './dpe-resolver.js';
import { S3DpeResolver, type S3DpeResolverOptions } from './s3-dpe-resolver.js';

// How it works with a store is in test/integration/s3-documents.test.ts; here is what no good store does.

const { signal: never } = new AbortController();
const credentials = { accessKeyId: 'canary-key', secretAccessKey: 'canary-secret' };

function resolver(options: Partial<S3DpeResolverOptions>): S3DpeResolver {
  const made = new S3DpeResolver({ bucket: 'docs', credentials, ...options });
  onTestFinished(() => made.close());
  return made;
}

const resolve = (made: S3DpeResolver, content: JsonObject, signal = never): Promise<ResolvedResource> =>
  made.resolve('dpe://h/1', [content], { mimeType: undefined }, { signal });

/** What calls itself a store, and answers like this. */
async function store(answer: RequestListener): Promise<{ endpoint: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(String(request.method));
    request.resume().once('end', () => {
      answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { endpoint: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, requests };
}

describe('S3DpeResolver', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    [{ bucket: 'A' }, 'bucket'],
    [{ bucket: 'a/b' }, 'bucket'],
    [{ prefix: '' }, 'prefix'],
    [{ prefix: '/a' }, 'prefix'],
    [{ prefix: 'a//b' }, 'prefix'],
    [{ prefix: 'a/../b' }, 'prefix'],
    [{ prefix: 'a b' }, 'prefix'],
    [{ endpoint: 'localhost:9000' }, 'endpoint'],
    [{ endpoint: 'https://u:p@h' }, 'endpoint'],
    [{ endpoint: 'https://h/?q' }, 'endpoint'],
    [{ region: 'eu/../x' }, 'region'],
    [{ expiresInSeconds: 0 }, 'expiresInSeconds'],
    [{ expiresInSeconds: 604_801 }, 'expiresInSeconds'],
    [{ expiresInSeconds: 1.5 }, 'expiresInSeconds'],
    [{ maxDocumentBytes: Number.NaN }, 'maxDocumentBytes'],
    [{ client: { config: {}, send: () => Promise.resolve() } }, 'client'],
  ])('refuses %j, naming the option', (options, name) => {
    expect(() => resolver({ region: 'eu-central-1', ...options })).toThrow(new RegExp(`^${name}: `));
  });

  it('passes on what is elsewhere on the web, with what is known of it, and nothing else', async () => {
    const made = resolver({ region: 'eu-central-1' });
    const reference = (value: JsonObject): JsonObject => ({
      mimeType: 'application/vnd.a2c.dpe-uri+json',
      text: JSON.stringify(value),
    });
    const known = { mime_type: 'application/json', size: 5, expires_at: '2027-01-01T00:00:00Z', etag: '"e"' };
    expect(await resolve(made, reference({ uri: 'https://docs.example/1', ...known }))).toEqual({
      uri: 'https://docs.example/1',
      mimeType: 'application/json',
      size: 5,
      _meta: { expires_at: '2027-01-01T00:00:00Z', etag: '"e"' },
    });
    await expect(resolve(made, reference({ uri: 'file:///etc/passwd' }))).rejects.toThrow('not passed on');
  });

  it('refuses a document that is too large before anything is sent, and any when it is closed', async () => {
    const { endpoint, requests } = await store((_, response) => response.end());
    const made = resolver({ endpoint, maxDocumentBytes: 3 });
    await expect(resolve(made, { text: 'four' })).rejects.toThrow('larger than the limit of 3 bytes');
    await made.close();
    await made.close();
    await expect(resolve(made, { text: 'x' })).rejects.toThrow('closed');
    expect(requests).toEqual([]);
  });

  it('fails with a sentence when nothing listens at the endpoint', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    server.close();
    await once(server, 'close');
    await expect(resolve(resolver({ endpoint }), { text: 'x' })).rejects.toThrow(
      `The bucket "docs" at ${endpoint} cannot be used: nothing listens at the endpoint`,
    );
  });

  it.each([
    [500, '<Error><Code>Canary canary-secret</Code><Message>canary-secret</Message></Error>', 'the store answered 500'],
    [403, '', 'access is denied'],
    [403, '<Error><Code>SlowDown</Code><AWSAccessKeyId>canary-key</AWSAccessKeyId></Error>', 'too much to do'],
    [400, '<html>canary-secret</html>', 'the store answered 400'],
    [301, '<Error><Code>PermanentRedirect</Code></Error>', 'another region'],
  ])('fails with a sentence of its own when the store answers %i %s', async (status, body, sentence) => {
    const { endpoint } = await store(({ method }, response) => {
      const isHead = method === 'HEAD';
      response.writeHead(isHead ? 404 : status, { 'content-type': 'application/xml' }).end(isHead ? '' : body);
    });
    const error = (await resolve(resolver({ endpoint }), { text: 'x' }).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain(sentence);
    expect(error.message + String(error.cause) + JSON.stringify(error)).not.toMatch(/canary/i);
  });

  it.each([
    ['before the address expires', 60_000, ['HEAD', 'PUT']],
    ['later', 2 * 3_600_000, ['HEAD']],
  ])('uploads anew what a rule removes %s', async (_, inMs, expected) => {
    const { endpoint, requests } = await store(({ method }, response) => {
      const date = new Date(Date.now() + inMs).toUTCString();
      const rule = { 'x-amz-expiration': `expiry-date="${date}", rule-id="old"` };
      response
        .writeHead(200, method === 'HEAD' ? { 'content-length': 1, etag: '"e"', ...rule } : { etag: '"e"' })
        .end();
    });
    const { _meta } = await resolve(resolver({ endpoint }), { text: 'x' });
    expect(requests).toEqual(expected);
    expect(_meta).toMatchObject({ etag: '"e"' });
  });

  it('ends with its signal when the store never answers', async () => {
    const controller = new AbortController();
    const { endpoint } = await store(() => {
      controller.abort(new Error('the time is up'));
    });
    await expect(resolve(resolver({ endpoint }), { text: 'x' }, controller.signal)).rejects.toThrow('the time is up');
  });

  it('fails when the credentials of the application cannot be had, without its words', async () => {
    const failing = (): Promise<never> => Promise.reject(new Error('canary-secret was refused'));
    const made = resolver({ endpoint: 'http://127.0.0.1:9', credentials: failing });
    const error = await made.prepare().catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('The bucket "docs" at http://127.0.0.1:9 cannot be used');
    expect(String(error)).not.toContain('canary');
  });

  it('looks for the region again with the next document when there was none', async () => {
    for (const name of ['AWS_REGION', 'AWS_PROFILE', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
    const made = resolver({});
    await expect(made.prepare()).rejects.toThrow('there is no region: set "region"');
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    await made.prepare();
  });
});
