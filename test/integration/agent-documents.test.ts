import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentError, type DocumentFetcher } from '../../src/agent/index.js';
import { ErrorCode } from '../../src/protocol/index.js';
import { failure, until } from './agent-fixtures.js';
import {
  dataUri,
  DOCUMENT,
  documentOffice,
  json,
  startSite,
  status,
  textPage,
  type Route,
} from './document-fixtures.js';

const bytes =
  (body: string | Uint8Array): Route =>
  (response) => {
    response.writeHead(200).end(body);
  };

describe('a document that an Agent opens', () => {
  it('has its fields, its pages inline and by manifest, and unknown fields [R-8.4-fetch] [R-8.5-reader] [R-8.5-inline-wins]', async () => {
    const site = await startSite();
    const content = {
      doc_ref: 'report',
      title: 'Report',
      summary: 'About it',
      keywords: ['a', 'b'],
      file_type: 'xlsx',
      last_modified: '2026-01-15T08:30:00Z',
      licence: 'MIT',
      pages: [
        { ...textPage('inline'), uri: `${site.origin}/never.json`, title: 'One', layout: 'wide' },
        { uri: `${site.origin}/page.json?signature=1`, title: 'Two', element_count: 1 },
        { uri: 'relative.json' },
      ],
    };
    Object.assign(site.routes, {
      '/docs/report.json': json(content),
      '/page.json': json(textPage('by manifest', { colour: 'red' })),
      '/docs/relative.json': json(textPage('relative')),
    });
    const { agent } = await documentOffice([{ uri: `${site.origin}/docs/report.json`, size: 7, mime_type: 'a/b' }]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(document).toMatchObject({
      computer: 'laptop',
      uri: DOCUMENT,
      title: 'Report',
      summary: 'About it',
      keywords: ['a', 'b'],
      fileType: 'xlsx',
      lastModified: '2026-01-15T08:30:00Z',
      content,
      access: { size: 7, mimeType: 'a/b' },
    });
    expect(document.pages.count).toBe(3);
    expect(site.asked).toEqual(['/docs/report.json']);
    const pages = await Promise.all([0, 1, 2].map((index) => document.pages.get(index)));
    expect(pages.map((page) => [page.index, page.title, page.text()])).toEqual([
      [0, 'One', 'inline'],
      [1, 'Two', 'by manifest'],
      [2, undefined, 'relative'],
    ]);
    expect(pages[0]?.content).toMatchObject({ layout: 'wide' });
    expect(pages[1]).toMatchObject({ content: { colour: 'red' }, entry: { element_count: 1 } });
    expect(site.asked.slice(1).sort()).toEqual(['/docs/relative.json', '/page.json?signature=1']);
    expect(await document.text()).toBe('inline\n\nby manifest\n\nrelative');
    expect(await document.toMarkdown()).toBe('# Report\n\n## One\n\ninline\n\n## Two\n\nby manifest\n\nrelative');
  });

  it('finds a text whatever its case, a pattern, and what a function wants', async () => {
    const pages = [textPage('Revenue grew'), textPage('Costs did not'), textPage('REVENUE again')];
    const { agent } = await documentOffice([dataUri({ pages })]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    const found = async (sought: Parameters<typeof document.find>[0]): Promise<number[]> => {
      const indices: number[] = [];
      for await (const { page } of document.find(sought)) indices.push(page.index);
      return indices;
    };
    expect(await found('revenue')).toEqual([0, 2]);
    const sticky = /r/giy;
    expect(await found(sticky)).toEqual([0, 2]);
    expect(sticky.lastIndex).toBe(0);
    expect(await found(({ text }, { index }) => index > 0 && text.includes('did'))).toEqual([1]);
  });

  it('reads pages ahead, a few at a time, and stops when nobody wants more', async () => {
    const site = await startSite();
    const held: (() => void)[] = [];
    const pages = Array.from({ length: 100 }, (_, index) => ({ uri: `${site.origin}/${index}` }));
    for (const index of pages.keys()) {
      site.routes[`/${index}`] = (response, request) => {
        held.push(() => {
          json(textPage(String(index)))(response, request);
        });
      };
    }
    site.routes['/d'] = json({ pages });
    const { agent } = await documentOffice([`${site.origin}/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    const reading = document.pages.read({ from: 10, readAhead: 3 });
    const first = reading.next();
    await until(() => held.length === 3);
    held[2]?.();
    held[0]?.();
    expect((await first).value?.text()).toBe('10');
    expect(site.asked.slice(1)).toEqual(['/10', '/11', '/12']);
    const second = reading.next();
    await until(() => held.length === 4);
    held[1]?.();
    expect((await second).value?.text()).toBe('11');
    await reading.return();
    expect(site.asked).toHaveLength(5);
  });

  it('opens 100,000 pages at once, and says what is wrong with one when that is asked for', async () => {
    const site = await startSite();
    const pages: unknown[] = Array.from({ length: 100_000 }, (_, index) => ({ uri: `${site.origin}/${index}` }));
    pages[77] = { elements: [{ text: 'a' }, { ele_metadata: [] }] };
    pages[78] = null;
    pages[79] = { title: 'nothing' };
    site.routes['/d'] = json({ pages });
    site.routes['/99999'] = json(textPage('the last'));
    const { agent } = await documentOffice([`${site.origin}/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(document.pages.count).toBe(100_000);
    expect((await document.pages.get(99_999)).text()).toBe('the last');
    expect(await failure(document.pages.get(77))).toMatchObject({
      reason: 'invalid',
      field: 'pages.77.elements.1.ele_metadata',
    });
    expect(await failure(document.pages.get(78))).toMatchObject({ reason: 'invalid', field: 'pages.78' });
    expect(await failure(document.pages.get(79))).toMatchObject({
      message: expect.stringMatching(/pages\.79: a page needs "elements" or the "uri"/) as string,
    });
    for (const index of [-1, 100_000, 0.5, Number.NaN]) {
      expect(await failure(document.pages.get(index))).toBeInstanceOf(RangeError);
    }
    expect(site.asked).toEqual(['/d', '/99999']);
  });

  it('is read no further once the signal is aborted, also where nothing has to be fetched', async () => {
    const pages = Array.from({ length: 100 }, (_, index) => textPage(String(index)));
    const { agent } = await documentOffice([dataUri({ pages })]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    const stop = new AbortController();
    const reason = new Error('enough');
    let count = 0;
    const reading = (async () => {
      for await (const page of document.pages.read({ signal: stop.signal, readAhead: 1 })) {
        count += page.elements.length;
        if (count === 3) stop.abort(reason);
      }
    })();
    expect(await failure(reading)).toBe(reason);
    expect(count).toBe(3);
  });

  it('is not put together to a text longer than it may be', async () => {
    const { agent } = await documentOffice([dataUri({ pages: [textPage('12345'), textPage('12345')] })]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(await document.text({ maxLength: 12 })).toBe('12345\n\n12345');
    expect(await failure(document.text({ maxLength: 11 }))).toMatchObject({ reason: 'too-large' });
    expect(await failure(document.toMarkdown({ maxLength: 11 }))).toMatchObject({ reason: 'too-large' });
  });
});

describe('what is no document', () => {
  it.each<[string, Route, object]>([
    ['nothing', bytes(''), { reason: 'not-json', message: expect.stringContaining('it is empty') as string }],
    ['a web page', bytes('<!doctype html>'), { reason: 'not-json' }],
    ['half of one', bytes('{"pages": ['), { reason: 'not-json' }],
    ['bytes that are no text', bytes(Uint8Array.of(0x7b, 0xff, 0x7d)), { reason: 'not-json' }],
    ['a list', json([]), { reason: 'invalid', field: undefined }],
    ['null', json(null), { reason: 'invalid' }],
    ['no pages', json({ title: 'x' }), { reason: 'invalid', field: 'pages' }],
    ['pages that are an object', json({ pages: {} }), { reason: 'invalid', field: 'pages' }],
    ['a title that is a number', json({ title: 7, pages: [] }), { reason: 'invalid', field: 'title' }],
    [
      'keywords that hold an object',
      json({ keywords: ['a', {}], pages: [] }),
      { reason: 'invalid', field: 'keywords.1' },
    ],
  ])('[R-8.5-reader] is refused with its reason: %s', async (_, route, expected) => {
    const site = await startSite({ '/d': route });
    const { agent, asks } = await documentOffice([`${site.origin}/d`]);
    const error = await failure(agent.openDocument('laptop', DOCUMENT));
    expect(error).toBeInstanceOf(DocumentError);
    expect(error).toMatchObject({ uri: DOCUMENT, ...expected });
    expect(asks()).toBe(1);
  });

  it('takes a document that begins with a byte order mark, and one that nests too deep only where it does', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const site = await startSite({
      '/d': bytes(`\uFEFF{"pages":[{"elements":[{"text":"x","ele_metadata":${deep}}]},{"elements":[]}]}`),
    });
    const { agent } = await documentOffice([`${site.origin}/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(await failure(document.pages.get(0))).toMatchObject({ reason: 'invalid', field: 'pages.0' });
    expect((await document.pages.get(1)).elements).toEqual([]);
  });

  it('passes on what the Computer answers', async () => {
    const { agent } = await documentOffice(
      [],
      {},
      {
        'client:get_dpe': ({ req_id }) => ({
          code: 4013,
          message: 'no',
          uri: DOCUMENT,
          category: 'unknown_host',
          req_id,
        }),
      },
    );
    expect(await failure(agent.openDocument('laptop', DOCUMENT))).toMatchObject({
      name: 'ProtocolError',
      code: ErrorCode.DpeResolutionFailed,
      fields: { category: 'unknown_host' },
    });
  });
});

describe('any JSON', () => {
  it('is a document that can be read, or a DocumentError [R-8.5-reader]', async () => {
    let content: unknown;
    const mem: DocumentFetcher = () => Promise.resolve({ body: Buffer.from(JSON.stringify(content)) });
    const { agent } = await documentOffice(['mem:/d'], { documents: { fetchers: { mem } } });
    const element = fc.record(
      { category: fc.oneof(fc.constant('Title'), fc.jsonValue()), text: fc.jsonValue(), ele_metadata: fc.jsonValue() },
      { requiredKeys: [] },
    );
    const elements = fc.oneof(fc.array(element), fc.jsonValue());
    const page = fc.oneof(
      fc.record({ title: fc.jsonValue(), elements, uri: fc.constantFrom('mem:/p', '', null) }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    const document = fc.record(
      { title: fc.jsonValue(), keywords: fc.jsonValue(), pages: fc.array(page) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(document, fc.jsonValue()), async (value) => {
        content = value;
        try {
          const opened = await agent.openDocument('laptop', DOCUMENT);
          const outcomes = await Promise.all(
            Array.from({ length: opened.pages.count }, (_, index) =>
              opened.pages.get(index).then(
                (read) => read.text() + read.toMarkdown(),
                (error: unknown) => error,
              ),
            ),
          );
          for (const outcome of outcomes)
            expect(typeof outcome === 'string' || outcome instanceof DocumentError).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(DocumentError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('manifests of pages', () => {
  it('lead to further ones, whose URIs are relative to where they stand', async () => {
    const site = await startSite();
    Object.assign(site.routes, {
      '/d': json({ pages: [{ uri: 'a/1' }] }),
      '/a/1': json({ uri: '2' }),
      '/a/2': json({ uri: '../b/3' }),
      '/b/3': json(textPage('here')),
    });
    const { agent } = await documentOffice([`${site.origin}/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect((await document.pages.get(0)).text()).toBe('here');
  });

  it('that lead nowhere are refused, and cost only their page', async () => {
    const site = await startSite();
    const loop = (path: string): object => ({ uri: site.origin + path });
    Object.assign(site.routes, {
      '/d': json({
        pages: [loop('/self'), loop('/a'), loop('/d'), loop('/on'), loop('/list'), { uri: '' }, textPage('fine')],
      }),
      '/self': json(loop('/self')),
      '/a': json(loop('/b')),
      '/b': json(loop('/a')),
      '/on': ((response, request) => {
        const step = Number(new URL(request.url ?? '', site.origin).searchParams.get('n')) + 1;
        json(loop(`/on?n=${step}`))(response, request);
      }) satisfies Route,
      '/list': json([]),
    });
    const { agent, asks } = await documentOffice([`${site.origin}/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT, { maxManifests: 4 });
    for (const [index, reason] of ['cyclic', 'cyclic', 'cyclic', 'cyclic', 'invalid', 'cyclic'].entries()) {
      expect(await failure(document.pages.get(index))).toMatchObject({ reason, field: `pages.${index}.uri` });
    }
    expect((await document.pages.get(6)).text()).toBe('fine');
    expect(site.asked.filter((path) => path.startsWith('/on'))).toHaveLength(4);
    expect(asks()).toBe(1);
  });

  it.each([
    ['relative in a document that has no place', { uri: 'page.json' }, 'invalid'],
    ['of a scheme that nobody fetches', { uri: 's3://bucket/page' }, 'unsupported-scheme'],
    ['of a file', { uri: 'file:///etc/passwd' }, 'refused'],
  ])('are refused where they are %s', async (_, page, reason) => {
    const { agent } = await documentOffice([dataUri({ pages: [page] })]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(await failure(document.pages.get(0))).toMatchObject({ reason, field: 'pages.0.uri' });
  });
});

describe('fetchers of other schemes', () => {
  it('fetch documents and pages, and may take the place of ours [R-8.4-fetch]', async () => {
    const asked: unknown[] = [];
    const s3: DocumentFetcher = (uri, { purpose, accessUri }) => {
      asked.push([uri, purpose, accessUri]);
      const content = uri.endsWith('/d')
        ? { pages: [{ uri: 's3://b/p' }, { uri: 'HTTP://never.example/x' }] }
        : textPage('p');
      return Promise.resolve({ body: Buffer.from(JSON.stringify(content)) });
    };
    const http: DocumentFetcher = (uri) => {
      const pieces = [JSON.stringify(textPage(uri))].map((piece) => Buffer.from(piece));
      return Promise.resolve({
        body: (async function* () {
          yield* await Promise.resolve(pieces);
        })(),
      });
    };
    const { agent } = await documentOffice(['s3://b/d'], { documents: { fetchers: { s3 } } });
    const document = await agent.openDocument('laptop', DOCUMENT, { fetchers: { http } });
    expect(await document.text()).toBe('p\n\nHTTP://never.example/x');
    expect(asked).toEqual([
      ['s3://b/d', 'document', 's3://b/d'],
      ['s3://b/p', 'page', 's3://b/d'],
    ]);
  });

  it('that fail, hang or give too much cost only what they were asked for', async () => {
    let left = false;
    const forever: DocumentFetcher = (_uri, { signal }) => {
      signal.addEventListener('abort', () => (left = true));
      return new Promise(() => undefined);
    };
    const endless: DocumentFetcher = () =>
      Promise.resolve({
        body: (async function* () {
          for (;;) yield await Promise.resolve(new Uint8Array(1_000));
        })(),
      });
    const stuck: DocumentFetcher = () =>
      Promise.resolve({ body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) } });
    const broken: DocumentFetcher = () => {
      throw new Error('no bucket');
    };
    const fetchers = { forever, endless, stuck, broken };
    const pages = Object.keys(fetchers).map((scheme) => ({ uri: `${scheme}:x` }));
    const { agent } = await documentOffice([dataUri({ pages })], {
      documents: { fetchers, fetchTimeoutMs: 50, maxFetchBytes: 50_000 },
    });
    const document = await agent.openDocument('laptop', DOCUMENT);
    const errors = await Promise.all(pages.map((_, index) => failure(document.pages.get(index))));
    expect(errors.map((error) => (error as DocumentError).reason)).toEqual([
      'timeout',
      'too-large',
      'timeout',
      'unreachable',
    ]);
    expect((errors[3] as Error).message).toContain('no bucket');
    expect(left).toBe(true);
  });
});

describe('the content of a document as it is', () => {
  it('comes in pieces, whatever it is, with its type', async () => {
    const site = await startSite({
      '/pdf': (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    });
    const { agent, asks } = await documentOffice([`${site.origin}/gone`, `${site.origin}/pdf`]);
    const { body, mimeType, access } = await agent.fetchDocument('laptop', DOCUMENT);
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('%PDF');
    expect({ mimeType, uri: access.uri }).toEqual({ mimeType: 'application/pdf', uri: `${site.origin}/pdf` });
    expect(asks()).toBe(2);
  });
});

describe('options for documents', () => {
  it.each<[string, object]>([
    ['documents.maxFetchBytes', { maxFetchBytes: 0 }],
    ['documents.fetchTimeoutMs', { fetchTimeoutMs: Number.NaN }],
    ['documents.maxRedirects', { maxRedirects: -1 }],
    ['documents.privateOrigins', { privateOrigins: ['10.0.0.1'] }],
    ['documents.fetchers', { fetchers: { 's3:': () => undefined } }],
    ['documents.fetchers', { fetchers: { s3: 'x' } }],
  ])('that are wrong are named: %s', async (name, documents) => {
    const site = await startSite({ '/d': status(500) });
    const { agent, asks } = await documentOffice([`${site.origin}/d`]);
    const error = await failure(agent.openDocument('laptop', DOCUMENT, documents));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain(name);
    expect(asks()).toBe(0);
  });
});
