import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { S3DpeResolver, type ResolvedResource, type S3DpeResolverOptions } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { Office, officeServer } from '../fixtures/computer/office.js';
import { startProxy } from '../support/proxy.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { BUCKET, S3_KEYS, S3Server } from '../support/s3-server.js';
import { hasVersitygw, VERSITYGW_SETUP } from '../support/versitygw.js';

const installed = hasVersitygw();
// Where everything is set up for the tests nothing is skipped.
const wanted = installed || process.env['CI'] === 'true';

it.runIf(wanted)('versitygw is installed', () => {
  expect(installed, VERSITYGW_SETUP).toBe(true);
});

const DPE = 'dpe://com.docs/report';
const PART = 5 * 1024 * 1024;
const { signal: never } = new AbortController();

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const metaOf = ({ _meta }: ResolvedResource): JsonObject => _meta ?? {};

describe.runIf(installed)('S3DpeResolver, with a store that checks signatures', () => {
  let store: S3Server;

  beforeAll(async () => {
    store = await S3Server.start();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  function resolver(options: Partial<S3DpeResolverOptions> = {}): S3DpeResolver {
    const { endpoint } = store;
    const made = new S3DpeResolver({ bucket: BUCKET, endpoint, credentials: S3_KEYS, ...options });
    onTestFinished(() => made.close());
    return made;
  }

  const resolve = (made: S3DpeResolver, content: JsonObject, signal = never): Promise<ResolvedResource> =>
    made.resolve(DPE, [{ uri: DPE, ...content }], { mimeType: undefined }, { signal });

  /** How often something was asked so far. */
  async function count(pattern: RegExp): Promise<number> {
    const marker = `marker-${String(Math.random()).slice(2)}`;
    using client = store.client();
    await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: marker })).catch(() => undefined);
    await store.requested(new RegExp(marker));
    return store.requests.filter((line) => pattern.test(line)).length;
  }

  /** What nobody must see in what is logged or thrown. */
  const isClean = (text: string): boolean =>
    ![S3_KEYS.accessKeyId, S3_KEYS.secretAccessKey, 'X-Amz-', 'Signature='].some((secret) => text.includes(secret));

  it('takes what is large through a proxy, too', async () => {
    await using proxy = await startProxy();
    // A given proxy would leave this machine out, where the store is.
    const made = resolver({ proxy: () => `http://127.0.0.1:${proxy.port}` });
    const text = 'proxied '.repeat(PART / 4);
    const { uri, size } = await resolve(made, { text });
    expect(size).toBe(2 * PART);
    expect(sha256(await (await fetch(uri)).text())).toBe(sha256(text));
    const at = `${store.endpoint}/${BUCKET}/${sha256(text)}.bin`;
    expect(proxy.seen).toEqual(['HEAD', 'POST', 'PUT', 'PUT', 'POST'].map((method) => `${method} ${at}`));
  });

  it('keeps a document under the hash of its bytes, and answers a signed address that plain fetch can read', async () => {
    const text = '{"pages":[],"title":"äö"}';
    const before = Date.now();
    const resolved = await resolve(resolver({ prefix: 'agents/documents' }), { text, mimeType: 'application/json' });
    const { origin, pathname, searchParams } = new URL(resolved.uri);
    expect(origin + pathname).toBe(`${store.endpoint}/${BUCKET}/agents/documents/${sha256(text)}.json`);
    expect(searchParams.get('X-Amz-Expires')).toBe('3600');
    expect(resolved).toMatchObject({ mimeType: 'application/json', size: 27 });
    const expiresIn = Date.parse(String(metaOf(resolved)['expires_at'])) - before;
    expect(Math.abs(expiresIn - 3_600_000)).toBeLessThan(5_000);
    const response = await fetch(resolved.uri);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('etag')).toBe(metaOf(resolved)['etag']);
    expect(await response.text()).toBe(text);
  });

  it('has nothing of the name of a document in the key, whatever it looks like', async () => {
    const uri = 'dpe://com.docs/..%2F..%2Fetc/passwd?x';
    const made = resolver({ prefix: 'odd' });
    await made.resolve(uri, [{ uri, text: 'odd' }], { mimeType: 'text/plain' }, { signal: never });
    using client = store.client();
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'odd' }));
    expect(Contents.map(({ Key }) => Key)).toEqual([`odd/${sha256('odd')}.txt`]);
  });

  it('uploads what is there already no second time, whoever asks', async () => {
    const content = { text: 'once only', mimeType: 'text/plain' };
    const first = await resolve(resolver(), content);
    const second = await resolve(resolver(), content);
    expect(await count(new RegExp(`^PUT .*${sha256('once only')}`))).toBe(1);
    expect(metaOf(second)['etag']).toBe(metaOf(first)['etag']);
    expect(await (await fetch(second.uri)).text()).toBe('once only');
  });

  it('uploads again what is there in another size', async () => {
    using client = store.client();
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: `${sha256('whole')}.txt`, Body: 'who' }));
    const { uri } = await resolve(resolver(), { text: 'whole', mimeType: 'text/plain' });
    expect(await (await fetch(uri)).text()).toBe('whole');
  });

  it('says the type of this document, though the same bytes came first as another one', async () => {
    await resolve(resolver(), { text: 'two types', mimeType: 'application/x-one' });
    const { uri } = await resolve(resolver(), { text: 'two types', mimeType: 'application/x-two; a="b c"' });
    const response = await fetch(uri);
    expect(response.headers.get('content-type')).toBe('application/x-two; a="b c"');
    expect(await response.text()).toBe('two types');
  });

  it.each(['text/plain\r\nX-Evil: 1', 'none', `text/${'x'.repeat(300)}`, 'text/ä'])(
    'lets no header be made of the MIME type %j',
    async (mimeType) => {
      const resolved = await resolve(resolver(), { text: `evil ${mimeType}`, mimeType });
      expect(resolved.mimeType).toBe(mimeType);
      const { headers } = await fetch(resolved.uri);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('x-evil')).toBeNull();
    },
  );

  it.each([
    ['of no bytes', 0, 0],
    ['of exactly one part', PART, 0],
    ['of one part and a byte', PART + 1, 2],
    ['of several parts', 2 * PART + 12_345, 3],
  ])('keeps a document %s', async (_, size, parts) => {
    const bytes = Buffer.alloc(size, `${String(size)} bytes `);
    const made = resolver({ prefix: `size-${String(size)}` });
    const resolved = await resolve(made, { blob: bytes.toString('base64'), mimeType: 'application/pdf' });
    const key = `size-${String(size)}/${sha256(bytes)}.pdf`;
    expect(await count(new RegExp(`^PUT /${BUCKET}/${key} partNumber=`))).toBe(parts);
    expect(resolved.size).toBe(size);
    const response = await fetch(resolved.uri);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
  });

  it('answers addresses that can be read in ranges, and asked whether there is something new', async () => {
    const resolved = await resolve(resolver(), { text: '0123456789', mimeType: 'text/plain' });
    const part = await fetch(resolved.uri, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234']);
    const same = await fetch(resolved.uri, { headers: { 'if-none-match': String(metaOf(resolved)['etag']) } });
    expect(same.status).toBe(304);
  });

  it('answers addresses that are worth nothing once they have expired, when they were changed, or for another object', async () => {
    const { uri } = await resolve(resolver({ expiresInSeconds: 1 }), { text: 'short', mimeType: 'text/plain' });
    const other = await resolve(resolver(), { text: 'other', mimeType: 'text/plain' });
    const forged = new URL(other.uri);
    forged.searchParams.set('X-Amz-Signature', 'f'.repeat(64));
    const longer = new URL(other.uri);
    longer.searchParams.set('X-Amz-Expires', '7200');
    const elsewhere = new URL(other.uri);
    elsewhere.pathname = new URL(uri).pathname;
    for (const address of [forged, longer, elsewhere, new URL(elsewhere.pathname, store.endpoint)]) {
      const response = await fetch(address);
      expect(response.status, address.search).toBe(403);
    }
    const until = async (): Promise<Response> => {
      for (;;) {
        const response = await fetch(uri);
        if (response.status !== 200) return response;
        await response.arrayBuffer();
      }
    };
    const expired = await until();
    expect([expired.status, await expired.text()]).toEqual([403, expect.stringContaining('expired')]);
  });

  it('ends its answer with credentials that expire sooner, and asks for them anew when they did', async () => {
    let asked = 0;
    const expiration = new Date(Date.now() + 60_000);
    const credentials = async (): Promise<typeof S3_KEYS & { expiration: Date }> => {
      asked += 1;
      return await Promise.resolve({ ...S3_KEYS, expiration });
    };
    const resolved = await resolve(resolver({ credentials }), { text: 'temporary', mimeType: 'text/plain' });
    expect(metaOf(resolved)['expires_at']).toBe(expiration.toISOString());
    expect(asked).toBeGreaterThan(0);
    expect((await fetch(resolved.uri)).status).toBe(200);
  });

  it('works with a client of the application, which stays open', async () => {
    using client = store.client();
    const made = new S3DpeResolver({ bucket: BUCKET, client });
    const { uri } = await resolve(made, { text: 'injected' });
    await made.close();
    expect(await (await fetch(uri)).text()).toBe('injected');
    await client.send(new HeadObjectCommand({ Bucket: BUCKET, Key: `${sha256('injected')}.bin` }));
  });

  it.each([
    [
      'a secret that is wrong',
      { credentials: { ...S3_KEYS, secretAccessKey: 'wrong-secret' } },
      'check the secret key',
    ],
    // A name of its own, where S3 says InvalidAccessKeyId.
    ['a key that is not known', { credentials: { ...S3_KEYS, accessKeyId: 'NOBODY' } }, 'XAdminUserNotFound'],
    ['a bucket that is not there', { bucket: 'nowhere' }, 'bucket does not exist'],
    ['another region', { region: 'eu-central-1' }, 'set "region"'],
  ])('says what is wrong with %s, without secrets', async (_, options, reason) => {
    const error = await resolve(resolver(options), { text: 'refused' }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const { message, cause } = error as Error;
    expect(message).toContain(reason);
    expect(cause).toBeUndefined();
    expect(isClean(JSON.stringify([message, error]))).toBe(true);
    expect(message).not.toMatch(/wrong-secret|NOBODY/);
  });

  it('leaves no part behind when an upload is given up', async () => {
    const made = resolver({ prefix: 'given-up' });
    const controller = new AbortController();
    const blob = Buffer.alloc(10 * PART, 'x').toString('base64');
    const resolving = resolve(made, { blob, mimeType: 'application/pdf' }, controller.signal);
    await store.requested(/given-up\/.*partNumber=1/);
    controller.abort(new Error('enough'));
    await expect(resolving).rejects.toThrow('enough');
    await store.requested(/^DELETE .*given-up\/.*uploadId=/);
    using client = store.client();
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
    expect(Uploads).toEqual([]);
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: 'given-up' }));
    expect(Contents).toEqual([]);
  });

  it('copies a document that is elsewhere, when it shall', async () => {
    const bytes = Buffer.alloc(PART + 7, 'far away ');
    const web = createServer((_, response) => response.setHeader('content-type', 'application/pdf').end(bytes));
    await once(web.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void web.close());
    const uri = `http://127.0.0.1:${String((web.address() as AddressInfo).port)}/secret?token=canary`;
    const reference = { mimeType: 'application/vnd.a2c.dpe-uri+json', text: JSON.stringify({ uri }) };
    // A folder for temporary files that no other test uses.
    const temporary = await mkdtemp(join(tmpdir(), 's3-copies-'));
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await rm(temporary, { recursive: true });
    });
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary);
    const references = { mode: 'copy', allowPrivate: true } as const;
    const resolved = await resolve(resolver({ references }), reference);
    expect(new URL(resolved.uri).pathname).toBe(`/${BUCKET}/${sha256(bytes)}.pdf`);
    expect(resolved).toMatchObject({ mimeType: 'application/pdf', size: bytes.length });
    expect(sha256(new Uint8Array(await (await fetch(resolved.uri)).arrayBuffer()))).toBe(sha256(bytes));
    await expect(resolve(resolver({ references, maxDocumentBytes: 1000 }), reference)).rejects.toThrow('limit of 1000');
    await expect(resolve(resolver({ references: { mode: 'copy' } }), reference)).rejects.toThrow('not allowed');
    expect(await readdir(temporary)).toEqual([]);
  });

  it('brings a document from an MCP server to an Agent, and no log or event shows the address [R-8.3-never-content]', async () => {
    const text = '{"pages":[{"page_index":0,"elements":[]}]}';
    const logger = new RecordingLogger();
    const resource = { uri: DPE, name: 'Report', mimeType: 'application/json' };
    const contents = { [DPE]: [{ uri: DPE, mimeType: 'application/json', text }] };
    const servers = { docs: officeServer({ resources: [resource], contents }) };
    const documents = resolver({ prefix: 'office' });
    await using office = await Office.open({ servers, documents, logger, server: { logger } });
    const events: unknown[] = [];
    for (const event of ['diagnostic', 'serverState', 'toolCall'] as const) {
      office.computer.on(event, (told) => void events.push(told));
    }
    const { resources } = await office.ask('client:get_resources', { mcp_server: 'docs' });
    expect(resources).toEqual([{ ...resource, mime_type: 'application/json' }]);
    const answer = await office.ask('client:get_dpe', { uri: DPE, timeout: 10 });
    expect(answer).toMatchObject({ mime_type: 'application/json', size: text.length });
    expect(JSON.stringify(answer)).not.toContain('page_index');
    const response = await fetch(String(answer['uri']));
    expect([response.status, await response.text()]).toEqual([200, text]);
    const refused = resolver({ credentials: { ...S3_KEYS, secretAccessKey: 'canary-secret-key-2' }, prefix: 'other' });
    office.computer.registerDpeResolver(refused);
    expect(await office.ask('client:get_dpe', { uri: DPE, timeout: 10 })).toMatchObject({
      code: 4013,
      category: 'resolver_error',
    });
    expect(logger.text).toContain('check the secret key');
    expect(isClean(logger.text + JSON.stringify(events))).toBe(true);
  });
});
