import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { MemoryClient } from '../../test/support/memory-client.js';
import {
  page,
  paragraph,
  registerDocumentCollection,
  registerDocuments,
  title,
  type DocumentCollection,
  type DocumentDefinition,
} from './index.js';

const HOST = 'com.example.reports';
const uri = (ref: string): string => `dpe://${HOST}/${ref}`;
const pages = [page([title('Hello')]), page([paragraph('World')])];
const base = { host: HOST, ref: 'doc', title: 'A document' } as const;

interface Started {
  readonly server: McpServer;
  readonly errors: Error[];
  readonly connect: () => Promise<MemoryClient>;
}

function start(): Started {
  const server = new McpServer({ name: 'test', version: '1' });
  const errors: Error[] = [];
  server.server.onerror = (error) => void errors.push(error);
  const connect = async (): Promise<MemoryClient> => {
    const client = await MemoryClient.connect(server);
    onTestFinished(() => client[Symbol.asyncDispose]());
    return client;
  };
  return { server, errors, connect };
}

async function serving(...documents: DocumentDefinition[]): Promise<MemoryClient> {
  const { server, connect } = start();
  registerDocuments(server, documents);
  return connect();
}

async function read(client: MemoryClient, one: string): Promise<Record<string, unknown>> {
  const { contents } = await client.request('resources/read', { uri: one });
  expect(contents).toHaveLength(1);
  return (contents as [Record<string, unknown>])[0];
}

describe('registerDocuments', () => {
  it('lists a document with its metadata and the number of its pages, and reads it as DPE JSON', async () => {
    const client = await serving({ ...base, summary: 'Short', keywords: ['k'], fileType: 'md', content: { pages } });
    expect((await client.request('resources/list'))['resources']).toEqual([
      {
        uri: uri('doc'),
        name: 'A document',
        description: 'Short',
        mimeType: 'application/json',
        annotations: { audience: ['user'] },
        _meta: { keywords: ['k'], file_type: 'md', page_count: 2 },
      },
    ]);
    const content = await read(client, uri('doc'));
    expect(content).toMatchObject({ uri: uri('doc'), mimeType: 'application/json' });
    expect(JSON.parse(String(content['text']))).toMatchObject({
      doc_ref: 'doc',
      uri: uri('doc'),
      title: 'A document',
      page_count: 2,
      pages: [{ page_index: 0, elements: [{ element_id: 'p0-e0', category: 'Title' }] }, { page_index: 1 }],
    });
  });

  it.each<[string, DocumentDefinition['content'], Record<string, unknown>]>([
    ['a text', 'plain', { mimeType: 'text/markdown', text: 'plain' }],
    ['bytes', Uint8Array.from([0, 250, 255]), { mimeType: 'text/markdown', blob: 'APr/' }],
    ['a function', () => 'from a function', { text: 'from a function' }],
    ['a slow function', ({ uri: asked }) => Promise.resolve(asked), { text: uri('doc') }],
    [
      'a reference',
      { reference: { uri: 'https://files.example/1', size: 9, etag: '"1"', expiresAt: new Date(0) } },
      {
        mimeType: 'application/vnd.a2c.dpe-uri+json',
        text: '{"uri":"https://files.example/1","mime_type":"text/markdown","size":9,"expires_at":"1970-01-01T00:00:00.000Z","etag":"\\"1\\""}',
      },
    ],
  ])('gives %s as it is', async (_, content, expected) => {
    const client = await serving({ ...base, mimeType: 'text/markdown', content });
    expect(await read(client, uri('doc'))).toMatchObject({ uri: uri('doc'), ...expected });
  });

  it('gives bytes of any number without a change', async () => {
    const bytes = Uint8Array.from({ length: 100_001 }, (_, n) => n % 251);
    const { blob } = await read(await serving({ ...base, mimeType: 'application/pdf', content: bytes }), uri('doc'));
    expect(Buffer.from(String(blob), 'base64').equals(bytes)).toBe(true);
  });

  it('lets a document say more of itself than its resource does', async () => {
    const client = await serving({ ...base, content: () => ({ title: 'Today', pages }) });
    expect(JSON.parse(String((await read(client, uri('doc')))['text']))).toMatchObject({ title: 'Today' });
  });

  it('puts a large document elsewhere and tells where', async () => {
    const { server, connect } = start();
    const stored: string[] = [];
    registerDocuments(server, [{ ...base, content: { pages } }], {
      inlineLimitBytes: 100,
      reference: ({ uri: one, json }) => {
        stored.push(json);
        return { uri: `https://files.example/?of=${encodeURIComponent(one)}` };
      },
    });
    const { text, mimeType } = await read(await connect(), uri('doc'));
    expect(mimeType).toBe('application/vnd.a2c.dpe-uri+json');
    expect(JSON.parse(String(text))).toEqual({
      uri: 'https://files.example/?of=dpe%3A%2F%2Fcom.example.reports%2Fdoc',
      mime_type: 'application/json',
      size: Buffer.byteLength(stored[0] ?? ''),
    });
  });

  it('changes the list when a new content has another number of pages, and tells subscribers', async () => {
    const { server, connect } = start();
    const documents = registerDocuments(server, [{ ...base, content: { pages } }]);
    const client = await connect();
    await client.request('resources/list');
    await client.request('resources/subscribe', { uri: uri('doc') });
    documents.set(uri('doc'), { pages: [page([paragraph('Only one')])] });
    expect(await client.told()).toEqual(['list_changed', `updated ${uri('doc')}`]);
    documents.set(uri('doc'), { pages: [page([paragraph('Another one')])] });
    expect(await client.told()).toEqual([`updated ${uri('doc')}`]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no content', { ...base }, /dpe:\/\/.*\/doc: content: expected pages, a string, bytes or a reference/],
    ['a wrong option', { ...base, title: '', content: '' }, /documentResource: title: must not be blank/],
  ])('refuses %s at once', (_, definition, message) => {
    expect(() => registerDocuments(start().server, [definition as DocumentDefinition])).toThrow(message);
  });

  it('tells the author, and not the client, which field of a content is wrong', async () => {
    const { server, errors, connect } = start();
    const broken = [{ elements: [{ category: 'Title' }] }] as unknown as typeof pages;
    registerDocuments(server, [{ ...base, content: () => ({ pages: broken }) }]);
    const { error } = await (await connect()).ask('resources/read', { uri: uri('doc') });
    expect(error).toEqual({ code: -32603, message: 'The resource could not be read' });
    expect(errors[0]?.message).toBe('buildDocument: pages.0.elements.0.text: expected a string');
  });

  it('passes on an error that the author makes for the client', async () => {
    const client = await serving({
      ...base,
      content: () => {
        throw new ProtocolError(-32000, 'Come back tomorrow');
      },
    });
    const { error } = await client.ask('resources/read', { uri: uri('doc') });
    expect(error).toEqual({ code: -32000, message: 'Come back tomorrow' });
  });
});

describe('registerDocumentCollection', () => {
  const notes = new Map([
    ['a b', 'first'],
    ['folder/c', 'second'],
  ]);
  const collection: DocumentCollection = {
    host: HOST,
    name: 'Notes',
    list: () => [...notes.keys()].map((ref) => ({ ref, title: `Note ${ref}` })),
    read: (ref) => {
      const text = notes.get(decodeURIComponent(ref));
      return text === undefined ? undefined : { title: text, pages: [page([paragraph(text)])] };
    },
  };

  it('lists and reads what there is when somebody asks, behind the single documents, under a template', async () => {
    const { server, connect } = start();
    const handle = registerDocumentCollection(server, collection);
    registerDocuments(server, [{ ...base, ref: 'folder/c', content: 'wins' }]);
    const client = await connect();
    expect((await client.request('resources/templates/list'))['resourceTemplates']).toEqual([
      { uriTemplate: `dpe://${HOST}/{+ref}`, name: 'Notes' },
    ]);
    const { resources } = await client.request('resources/list');
    expect(resources).toMatchObject([{ name: 'A document' }, { uri: uri('a%20b'), name: 'Note a b' }]);
    expect(JSON.parse(String((await read(client, uri('a%20b')))['text']))).toMatchObject({
      uri: uri('a%20b'),
      title: 'first',
    });
    expect(await read(client, uri('folder/c'))).toMatchObject({ text: 'wins' });
    await client.request('resources/subscribe', { uri: uri('a%20b') });
    handle.update('a b');
    handle.listChanged();
    expect(await client.told()).toEqual(['list_changed', `updated ${uri('a%20b')}`]);
    handle.remove();
    handle.remove();
    expect(await client.told()).toEqual(['list_changed']);
    expect((await client.request('resources/list'))['resources']).toHaveLength(1);
  });

  it('asks for no document that is named by dots, and gives encoded slashes as parts of a segment', async () => {
    const { server, connect } = start();
    const asked: unknown[] = [];
    registerDocumentCollection(server, {
      host: HOST,
      name: 'Files',
      read: (ref, { segments }) => {
        asked.push([ref, segments]);
        return undefined;
      },
    });
    const client = await connect();
    for (const ref of ['..', '../../etc/passwd', 'a/%2e%2e/b', '..%2Fsecret', '']) {
      expect((await client.ask('resources/read', { uri: uri(ref) })).error).toMatchObject({ code: -32602 });
    }
    expect(asked).toEqual([['..%2Fsecret', ['../secret']]]);
  });

  it('leaves out a document that is described wrongly, and fails a list that cannot be made, without its reason', async () => {
    const { server, errors, connect } = start();
    let fails = false;
    registerDocumentCollection(server, {
      ...collection,
      list: () => {
        if (fails) throw new Error('password of the database');
        return [{ ref: 'x?y', title: 'wrong' }, { ref: 'fine', title: 'fine' }];
      },
    }); // prettier-ignore
    const client = await connect();
    expect((await client.request('resources/list'))['resources']).toMatchObject([{ uri: uri('fine') }]);
    expect(errors.splice(0)).toMatchObject([{ message: expect.stringContaining('documentResource: ref:') as string }]);
    fails = true;
    const { error } = await client.ask('resources/list');
    expect(error).toEqual({ code: -32603, message: 'The resources could not be listed' });
    expect(errors).toMatchObject([{ message: 'password of the database' }]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no name', { name: undefined }, /registerDocumentCollection: name: expected a string/],
    ['a host that is none', { host: 'a b' }, /host: .*blanks/],
    ['no way to read', { read: undefined }, /registerDocumentCollection: read: expected a function/],
    ['a list that is none', { list: [] }, /registerDocumentCollection: list: expected a function/],
    ['an unknown option', { pages: [] }, /Unrecognized key: "pages"/],
  ])('refuses %s', (_, change, message) => {
    const wrong = { ...collection, ...change };
    expect(() => registerDocumentCollection(start().server, wrong)).toThrow(message);
  });

  it('refuses a second collection of a host', () => {
    const { server } = start();
    registerDocumentCollection(server, collection);
    expect(() => registerDocumentCollection(server, collection)).toThrow(
      /has a collection already; remove\(\) it first/,
    );
  });
});
