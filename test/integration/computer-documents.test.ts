import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileDpeResolver, HttpDpeResolver, type Diagnostic, type DpeResolver } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { Office, officeServer, type OfficeSetup } from '../fixtures/computer/office.js';

const URI = 'dpe://com.docs/report';
const TEXT = JSON.stringify({ pages: [{ page_index: 0, elements: [] }] });
const contents = { [URI]: [{ uri: URI, mimeType: 'application/json', text: TEXT }] };
const resources = [{ uri: URI, name: 'report', mimeType: 'application/json' }];
const INLINE = 'application/vnd.a2c.dpe-inline+json';
const REFERENCE = 'application/vnd.a2c.dpe-uri+json';

let office: Office | undefined;
let closing: AsyncDisposable[] = [];
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'computer-documents-'));
});
afterEach(async () => {
  await office?.[Symbol.asyncDispose]();
  for (const one of closing) await one[Symbol.asyncDispose]();
  office = undefined;
  closing = [];
  await rm(folder, { recursive: true, force: true });
});

async function open(setup: OfficeSetup): Promise<Office> {
  const servers = { docs: officeServer({ resources, contents }) };
  office = await Office.open({ servers, ...setup });
  return office;
}

function owned<T extends AsyncDisposable>(resource: T): T {
  closing.push(resource);
  return resource;
}

async function get(uri = URI, payload: JsonObject = {}): Promise<JsonObject> {
  if (office === undefined) throw new Error('no office');
  return await office.ask('client:get_dpe', { uri, ...payload });
}

/** How often the MCP server was asked for the document. */
async function reads(uri = URI): Promise<number> {
  const requests = (await office?.callJson('requests')) as string[];
  return requests.filter((request) => request === `resources/read ${uri}`).length;
}

/** Asks until the server has been asked to tell of changes and what came of the document is kept. */
async function warm(): Promise<void> {
  await get();
  await expect
    .poll(async () => (await office?.callJson('requests')) as string[])
    .toContain(`resources/subscribe ${URI}`);
  await get();
}

describe('A document of a server that tells of changes', () => {
  it('is read no more while it stays the same, and yields what it holds once it changed', async () => {
    await open({ documents: owned(new FileDpeResolver({ folder })) });
    await warm();
    const before = await reads();
    const answers = [await get(), await get()];
    expect(await reads()).toBe(before);
    expect(new Set(answers.map(({ uri }) => uri)).size).toBe(1);
    await office?.call('show', { uri: URI, text: 'new' });
    const { uri } = await get();
    expect(await readFile(fileURLToPath(String(uri)), 'utf8')).toBe('new');
    expect(await reads()).toBe(before + 1);
  });

  it('is read again after its server was restarted, its list changed, or its file has gone', async () => {
    await open({ documents: owned(new FileDpeResolver({ folder })) });
    await warm();
    const before = await reads();
    await office?.call('set-resources', { resources });
    await get();
    expect(await reads()).toBe(before + 1);
    for (const name of await readdir(folder)) await rm(join(folder, name));
    const { uri } = await get();
    expect(await readFile(fileURLToPath(String(uri)), 'utf8')).toBe(TEXT);
    expect(await reads()).toBe(before + 2);
    await office?.computer.restartServer('docs');
    await get();
    expect(await reads()).toBe(1);
  });

  it('is resolved anew by another resolver, and by none once there is none [R-8.3-no-resolver]', async () => {
    await open({ documents: owned(new FileDpeResolver({ folder })) });
    await warm();
    const unregister = office?.computer.registerDpeResolver({ resolve: () => Promise.resolve({ uri: 'memory:1' }) });
    expect(await get()).toMatchObject({ uri: 'memory:1' });
    unregister?.();
    expect(await get()).toMatchObject({ code: 4011, uri: URI });
    expect(office?.computer.documents().hasResolver).toBe(false);
  });
});

describe('A document of a server that does not tell of changes', () => {
  it('is read each time', async () => {
    const silent = officeServer({ resources, contents, capabilities: { tools: {}, resources: {} } });
    await open({ documents: owned(new FileDpeResolver({ folder })), servers: { docs: silent } });
    for (let time = 0; time < 3; time += 1) await get();
    expect(await reads()).toBe(3);
  });
});

describe('Requests for one document at the same time', () => {
  it('are read and resolved once, and the shorter time of one does not end it for the other', async () => {
    let answer: ((uri: string) => void) | undefined;
    let calls = 0;
    const signals: AbortSignal[] = [];
    const documents: DpeResolver = {
      resolve: (_uri, _contents, _hint, { signal }) => {
        calls += 1;
        signals.push(signal);
        return new Promise((resolve) => {
          answer = (uri) => {
            resolve({ uri });
          };
        });
      },
    };
    await open({ documents });
    const short = get(URI, { timeout: 1 });
    const long = get(URI, { timeout: 15 });
    expect(await short).toMatchObject({ code: 4013, category: 'resolver_error', uri: URI });
    expect(signals[0]?.aborted).toBe(false);
    answer?.('memory:late');
    expect(await long).toMatchObject({ uri: 'memory:late' });
    expect(calls).toBe(1);
  });
});

describe('Documents over HTTP', () => {
  it('are fetched whole and in part, until their URL expires; a URL that was changed yields nothing', async () => {
    let now = Date.now();
    const documents = owned(await HttpDpeResolver.listen({ folder, lifetimeMs: 600_000, now: () => now }));
    await open({ documents });
    const answer = await get();
    const uri = String(answer['uri']);
    expect(answer).toMatchObject({ mime_type: 'application/json', size: TEXT.length });
    const meta = answer['_meta'] as JsonObject;
    expect(Date.parse(String(meta['expires_at']))).toBeGreaterThan(now + 590_000);
    const whole = await fetch(uri);
    expect([whole.headers.get('content-type'), await whole.text()]).toEqual(['application/json', TEXT]);
    expect(whole.headers.get('etag')).toBe(meta['etag']);
    const part = await fetch(uri, { headers: { range: 'bytes=2-6' } });
    expect([part.status, await part.text()]).toEqual([206, TEXT.slice(2, 7)]);
    expect((await fetch(uri, { headers: { 'if-none-match': String(meta['etag']) } })).status).toBe(304);
    expect((await fetch(uri.replace(/expires=\d+/, 'expires=99999999999'))).status).toBe(404);
    expect((await fetch(new URL('/', uri))).status).toBe(404);
    now += 600_000;
    expect((await fetch(uri)).status).toBe(410);
    const again = String((await get())['uri']);
    expect(await (await fetch(again)).text()).toBe(TEXT);
  });
});

describe.each<['file' | 'http']>([['file'], ['http']])('With the resolver "%s", what an MCP server gives', (kind) => {
  async function resolver(): Promise<DpeResolver> {
    const options = { folder };
    return owned(kind === 'file' ? new FileDpeResolver(options) : await HttpDpeResolver.listen(options));
  }

  async function fetchText(uri: unknown): Promise<string> {
    const address = String(uri);
    return kind === 'file' ? await readFile(fileURLToPath(address), 'utf8') : await (await fetch(address)).text();
  }

  it('is kept byte by byte, whatever it is [R-8.3-never-content]', async () => {
    const given: Record<string, [JsonObject, string, string]> = {
      'dpe://h/inline': [{ mimeType: INLINE, text: TEXT }, 'application/json', TEXT],
      'dpe://h/broken': [{ mimeType: INLINE, text: 'not { json' }, 'application/json', 'not { json'],
      'dpe://h/empty': [{ mimeType: 'text/plain', text: '' }, 'text/plain', ''],
      'dpe://h/blob': [{ mimeType: 'text/x', blob: Buffer.from('äö').toString('base64') }, 'text/x', 'äö'],
    };
    const uris = Object.keys(given);
    const options = {
      resources: uris.map((uri) => ({ uri, name: uri })),
      contents: Object.fromEntries(uris.map((uri) => [uri, [{ uri, ...given[uri]?.[0] }]])),
    };
    await open({ documents: await resolver(), servers: { docs: officeServer(options) } });
    for (const [uri, [, mimeType, text]] of Object.entries(given)) {
      const answer = await get(uri);
      expect(answer).toMatchObject({ mime_type: mimeType, size: Buffer.byteLength(text) });
      expect(await fetchText(answer['uri'])).toBe(text);
    }
  });

  it('by reference is passed on, or refused where it is not http(s)', async () => {
    const to = (uri: string): JsonObject[] => [
      { mimeType: REFERENCE, text: JSON.stringify({ uri, size: 3, etag: 'e' }) },
    ];
    const options = {
      resources: [{ uri: 'dpe://h/1', name: 'r' }],
      contents: {
        'dpe://h/1': to('https://files.example/1'),
        'dpe://h/2': to('file:///etc/passwd'),
        'dpe://h/3': to('rel'),
      },
    };
    await open({ documents: await resolver(), servers: { docs: officeServer(options) } });
    expect(await get('dpe://h/1')).toMatchObject({ uri: 'https://files.example/1', size: 3, _meta: { etag: 'e' } });
    for (const uri of ['dpe://h/2', 'dpe://h/3']) {
      const refused = await get(uri);
      expect(refused).toMatchObject({ code: 4013, category: 'resolver_error', uri });
      expect(JSON.stringify(refused)).not.toContain('passwd');
    }
  });

  it('under a name that leads elsewhere stays where it belongs', async () => {
    const names = ['dpe://com.docs/../../etc/passwd', 'dpe://com.docs/%2e%2e%2f%2e%2e%2fetc', 'dpe://com.docs/a%00b'];
    await open({ documents: await resolver() });
    for (const uri of names) {
      const answer = await get(uri);
      expect(await fetchText(answer['uri'])).toBe(`text of ${uri}`);
      if (kind === 'file') expect(dirname(fileURLToPath(String(answer['uri'])))).toBe(folder);
    }
    expect((await readdir(folder)).every((name) => /^[0-9a-f]{64}\.[a-z]+$/.test(name))).toBe(true);
  });
});

describe('What a resolver does wrong', () => {
  const cyclic: JsonObject = {};
  cyclic['self'] = cyclic;
  it.each<[string, string, () => unknown]>([
    [
      'throws at once',
      'resolver_error',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', 'resolver_error', () => Promise.reject(new Error('no'))],
    ['never answers', 'resolver_error', () => new Promise(() => undefined)],
    ['returns nothing', 'resolver_returned_invalid', () => undefined],
    ['returns a list', 'resolver_returned_invalid', () => [{ uri: 'memory:1' }]],
    ['returns a relative URI', 'resolver_returned_invalid', () => ({ uri: '../report.json' })],
    ['returns a path', 'resolver_returned_invalid', () => ({ uri: '/tmp/report.json' })],
    [
      'returns 10 MB of metadata',
      'resolver_returned_invalid',
      () => ({ uri: 'memory:1', _meta: { a: 'x'.repeat(10_000_000) } }),
    ],
    ['returns a URI of 10 MB', 'resolver_returned_invalid', () => ({ uri: `memory:${'x'.repeat(10_000_000)}` })],
    ['returns cyclic metadata', 'resolver_returned_invalid', () => ({ uri: 'memory:1', _meta: cyclic })],
  ])('that %s is %s, and the Computer goes on [R-8.3-resolver]', async (_what, category, resolve) => {
    await open({ documents: { resolve } as unknown as DpeResolver });
    const answer = await get(`${URI}?a=1`, { timeout: 1 });
    expect(answer).toMatchObject({ code: 4013, category, uri: `${URI}?a=1`, reason: expect.any(String) as string });
    expect(JSON.stringify(answer).length).toBeLessThan(1_000);
    office?.computer.registerDpeResolver({ resolve: () => Promise.resolve({ uri: 'memory:1' }) });
    expect(await get()).toMatchObject({ uri: 'memory:1' });
  });
});

describe('What an MCP server does wrong', () => {
  it.each<[string, string, JsonObject, RegExp]>([
    ['fails', 'upstream_unavailable', { unreadable: [URI] }, /unreadable/],
    ['never answers', 'upstream_unavailable', { ignored: ['resources/read'] }, /"docs" did not answer in time/],
    ['gives no contents', 'invalid_content', { contents: { [URI]: [] } }, /"docs" gave no contents/],
    ['gives a text for contents', 'invalid_content', { contents: { [URI]: 'text' } }, /gave no contents/],
    ['gives contents without bytes', 'resolver_error', { contents: { [URI]: [{ uri: URI }] } }, /resolver failed/],
    ['gives a blob that is none', 'resolver_error', { contents: { [URI]: [{ blob: '$' }] } }, /resolver failed/],
  ])('that %s is %s, with a reason [R-8.3-upstream]', async (_what, category, options, reason) => {
    const servers = { docs: officeServer({ resources, ...options }) };
    await open({ servers, documents: owned(new FileDpeResolver({ folder })) });
    const answer = await get(URI, { timeout: 1 });
    expect(answer).toMatchObject({ code: 4013, category, uri: URI, reason: expect.stringMatching(reason) as string });
  });
});

describe('A host that two MCP servers use', () => {
  const other = 'dpe://other.docs/1';
  const servers = {
    docs: officeServer({ resources, contents, only: [] }),
    windows: officeServer({
      only: ['none'],
      resources: [
        { uri: 'window://COM.docs/w', name: 'w' },
        { uri: other, name: 'o' },
      ],
    }),
  };

  it('is shown with who uses it, and served by the first [R-8.3-shared-host]', async () => {
    await open({ servers, documents: owned(new FileDpeResolver({ folder })) });
    await expect
      .poll(() => office?.computer.documents())
      .toEqual({
        hasResolver: true,
        hosts: [
          { host: 'com.docs', servers: ['docs'], usedBy: ['docs', 'windows'] },
          { host: 'other.docs', servers: ['windows'], usedBy: ['windows'] },
        ],
      });
    expect(await get()).toMatchObject({ mime_type: 'application/json' });
  });

  it('is refused where that is wanted, with a warning and a reason that name both; others are not', async () => {
    const diagnostics: Diagnostic[] = [];
    const setup = { servers, sharedHosts: 'refuse', documents: owned(new FileDpeResolver({ folder })) } as const;
    await open(setup);
    office?.computer.on('diagnostic', (diagnostic) => void diagnostics.push(diagnostic));
    await expect.poll(() => office?.computer.documents().hosts.length).toBe(2);
    const refused = await get();
    expect(refused).toMatchObject({ code: 4013, category: 'unknown_host', uri: URI });
    expect(refused['reason']).toMatch(/"docs", "windows".*refuses/);
    expect(await get(other)).toMatchObject({ size: `text of ${other}`.length });
    await office?.computer.removeServer('windows');
    expect(await get()).toMatchObject({ mime_type: 'application/json' });
  });
});
