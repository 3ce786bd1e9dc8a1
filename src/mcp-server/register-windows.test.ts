import { McpServer } from '@modelcontextprotocol/server';
import { onTestFinished, describe, expect, it } from 'vitest';
import { MemoryClient } from '../../test/support/memory-client.js';
import { registerDocuments, registerWindows, type RegisteredWindows, type WindowDefinition } from './index.js';

const HOST = 'com.example.editor';
const window = (path: string, content: WindowDefinition['content'] = path): WindowDefinition => ({
  host: HOST,
  path,
  name: path,
  content,
});
const uri = (path: string): string => `window://${HOST}/${path}`;

interface Started {
  readonly server: McpServer;
  readonly windows: RegisteredWindows;
  readonly client: MemoryClient;
  readonly errors: Error[];
}

async function start(
  definitions: readonly WindowDefinition[],
  prepare?: (server: McpServer) => void,
): Promise<Started> {
  const server = new McpServer({ name: 'test', version: '1' });
  const errors: Error[] = [];
  server.server.onerror = (error) => void errors.push(error);
  prepare?.(server);
  const windows = registerWindows(server, definitions);
  const client = await MemoryClient.connect(server);
  onTestFinished(() => client[Symbol.asyncDispose]());
  return { server, windows, client, errors };
}

async function listed(client: MemoryClient): Promise<string[]> {
  const { resources } = await client.request('resources/list');
  return (resources as { uri: string }[]).map(({ uri: one }) => one);
}

async function read(client: MemoryClient, one: string): Promise<unknown> {
  return (await client.request('resources/read', { uri: one }))['contents'];
}

describe('registerWindows', () => {
  it('declares subscriptions and changes of the list, beside what the author declares', async () => {
    const server = new McpServer({ name: 'test', version: '1' }, { capabilities: { logging: {} } });
    registerWindows(server, []);
    expect(server.server.getCapabilities()).toEqual({ logging: {}, resources: { subscribe: true, listChanged: true } });
    await using client = await MemoryClient.connect(server);
    expect(await listed(client)).toEqual([]);
  });

  it('lists windows as they are declared, and reads each by its URI', async () => {
    const { client } = await start([
      { ...window('a b/c?', 'one'), path: ['a b', 'c?'], priority: 0.5, mimeType: 'text/plain' },
      window('two', () => 'by function'),
      window('three', ({ uri: asked, signal }) => Promise.resolve(`${asked} ${String(signal.aborted)}`)),
      { host: 'host:port', name: 'no URL', content: 'a host that the SDK could not read' },
      { host: 'Großes.Haus', path: 'ä', name: 'umlaut', content: '' },
    ]);
    expect((await client.request('resources/list'))['resources']).toEqual([
      {
        uri: uri('a%20b/c%3F'),
        name: 'a b/c?',
        mimeType: 'text/plain',
        annotations: { audience: ['assistant'], priority: 0.5 },
      },
      ...[uri('two'), uri('three'), 'window://host:port', 'window://Großes.Haus/%C3%A4'].map(
        (one) => expect.objectContaining({ uri: one }) as unknown,
      ),
    ]);
    const texts = [
      [uri('a%20b/c%3F'), 'one'],
      [uri('two'), 'by function'],
      [uri('three'), `${uri('three')} false`],
      ['window://host:port', 'a host that the SDK could not read'],
      ['window://Großes.Haus/%C3%A4', ''],
      // Hosts are compared in lower case.
      ['WINDOW://großes.haus/%c3%a4', ''],
    ];
    for (const [one = '', text] of texts) expect(await read(client, one)).toMatchObject([{ uri: one, text }]);
  });

  it('tells those who subscribed that a window is another one, under the URI that they named, and nobody else', async () => {
    const { client, windows } = await start([window('a'), window('b')]);
    windows.set(uri('a'), 'unheard');
    windows.update(uri('b'));
    expect(await client.told()).toEqual([]);
    await client.request('resources/subscribe', { uri: uri('a') });
    await client.request('resources/subscribe', { uri: `WINDOW://${HOST}/a` });
    windows.set(uri('a'), 'heard');
    windows.set(uri('a'), 'heard once');
    windows.update(uri('b'));
    expect(await client.told()).toEqual([`updated ${uri('a')}`, `updated WINDOW://${HOST}/a`]);
    expect(await read(client, uri('a'))).toMatchObject([{ text: 'heard once' }]);
    await client.request('resources/unsubscribe', { uri: uri('a') });
    windows.update(uri('a'));
    expect(await client.told()).toEqual([`updated WINDOW://${HOST}/a`]);
  });

  it('forgets subscriptions with the connection', async () => {
    const { client, windows, server } = await start([window('a')]);
    await client.request('resources/subscribe', { uri: uri('a') });
    await server.close();
    await using next = await MemoryClient.connect(server);
    windows.update(uri('a'));
    windows.add(window('b'));
    expect(await next.told()).toEqual([]);
    expect(await listed(next)).toEqual([uri('a'), uri('b')]);
  });

  it('tells a client that has listed, once for all changes of one moment, that the list is another one', async () => {
    const { client, windows } = await start([window('a')]);
    windows.add(window('b'));
    expect(await client.told()).toEqual([]);
    await listed(client);
    windows.add(window('c'), window('d'));
    windows.remove(uri('a'), uri('b'));
    expect(await client.told()).toEqual(['list_changed']);
    expect(await listed(client)).toEqual([uri('c'), uri('d')]);
    windows.replace({ ...window('c'), priority: 1 });
    expect(await client.told()).toEqual(['list_changed']);
    windows.set(uri('c'), 'another text');
    expect(await client.told()).toEqual([]);
    expect(windows.uris).toEqual([uri('c'), uri('d')]);
  });

  it('stands beside windows of another call, documents, and resources that the author registers before and after', async () => {
    const { client, server, windows } = await start([window('a')], (early) => {
      early.registerResource('early', 'memo:early', {}, () => ({ contents: [{ uri: 'memo:early', text: 'early' }] }));
    });
    const more = registerWindows(server, [window('b')]);
    registerDocuments(server, [{ host: HOST, ref: 'a', title: 'A', content: '{"pages":[]}' }]);
    server.registerResource('late', 'memo:late', {}, () => ({ contents: [{ uri: 'memo:late', text: 'late' }] }));
    expect(await listed(client)).toEqual([uri('a'), uri('b'), `dpe://${HOST}/a`, 'memo:early', 'memo:late']);
    for (const name of ['early', 'late']) expect(await read(client, `memo:${name}`)).toMatchObject([{ text: name }]);
    more.remove(uri('b'));
    expect(await listed(client)).not.toContain(uri('b'));
    expect(() => {
      more.update(uri('a'));
    }).toThrow(RangeError);
    expect(windows.uris).toEqual([uri('a')]);
  });

  it('asks handlers of the author too, with his own cursors', async () => {
    const subscribed: string[] = [];
    const { client } = await start([window('a')], ({ server }) => {
      server.registerCapabilities({ resources: {} });
      server.setRequestHandler('resources/list', ({ params }) =>
        params?.cursor === 'second'
          ? { resources: [{ uri: 'memo:2', name: '2' }] }
          : { resources: [{ uri: 'memo:1', name: '1' }], nextCursor: 'second' },
      );
      server.setRequestHandler('resources/subscribe', ({ params }) => {
        subscribed.push(params.uri);
        return {};
      });
    });
    const first = await client.request('resources/list');
    expect(first).toMatchObject({ resources: [{ uri: uri('a') }, { uri: 'memo:1' }], nextCursor: 'second' });
    const second = await client.request('resources/list', { cursor: 'second' });
    expect(second).toEqual({ resources: [{ uri: 'memo:2', name: '2' }] });
    await client.request('resources/subscribe', { uri: 'memo:1' });
    expect(subscribed).toEqual(['memo:1']);
    expect((await client.ask('resources/read', { uri: 'memo:1' })).error).toMatchObject({ code: -32602 });
  });

  it('lists many windows page by page, as they were at the first page', async () => {
    const { client, windows } = await start(Array.from({ length: 450 }, (_, n) => window(`w${n}`)));
    const pages: number[] = [];
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await client.request('resources/list', cursor === undefined ? {} : { cursor });
      const resources = page['resources'] as { uri: string }[];
      for (const one of resources) seen.add(one.uri);
      pages.push(resources.length);
      cursor = page['nextCursor'] as string | undefined;
      if (pages.length === 1) windows.remove(uri('w0'), uri('w300'));
    } while (cursor !== undefined);
    expect(pages).toEqual([200, 200, 50]);
    expect(seen.size).toBe(450);
    // The list of that first page is not kept for ever.
    expect((await client.request('resources/list', { cursor: 'a2c-smcp:1:440' }))['resources']).toHaveLength(8);
    const { error } = await client.ask('resources/list', { cursor: 'a2c-smcp:nonsense' });
    expect(error).toEqual({ code: -32602, message: 'The cursor is not one of this list' });
  });

  it('ends a page before it is too long for one packet, and goes on for a description of any length', async () => {
    const description = 'x'.repeat(100_000);
    const { client } = await start(Array.from({ length: 7 }, (_, n) => ({ ...window(`w${n}`), description })));
    const { resources, nextCursor } = await client.request('resources/list');
    expect(resources).toHaveLength(3);
    const second = await client.request('resources/list', { cursor: nextCursor });
    expect(second['resources']).toHaveLength(3);
    const last = await client.request('resources/list', { cursor: second['nextCursor'] });
    expect(last['resources']).toMatchObject([{ uri: uri('w6') }]);
  });

  it('says that a window could not be read, and the reason only to the author', async () => {
    const { client, errors } = await start([
      window('throws', () => {
        throw Object.assign(new Error('/home/me/secret.txt'), { code: 'ENOENT' });
      }),
      window('rejects', () => Promise.reject(new DOMException('at 10.0.0.7', 'AbortError'))),
      window('number', () => 42 as unknown as string),
    ]);
    for (const path of ['throws', 'rejects', 'number']) {
      const { error } = await client.ask('resources/read', { uri: uri(path) });
      expect(error).toEqual({ code: -32603, message: 'The resource could not be read' });
    }
    expect(errors.map(({ message }) => message)).toEqual([
      '/home/me/secret.txt',
      'at 10.0.0.7',
      expect.stringContaining(`${uri('number')}: content gave no string`),
    ]);
    const { error } = await client.ask('resources/read', { uri: uri('none') });
    expect(error?.message).toContain(uri('none'));
  });

  it.each<[string, unknown, RegExp]>([
    [
      'no content',
      { ...window('a'), content: undefined },
      /window:\/\/.*\/a: content: expected a string or a function/,
    ],
    ['a wrong option', { ...window('a'), priority: 2 }, /windowResource: priority: must be at most 1/],
    ['a query in the path', window('a?b=c'), /windowResource: path: "\?" is not allowed/],
    ['a URI twice', window('twice'), /window:\/\/.*\/twice is registered already; replace\(\)/],
  ])('refuses %s, and registers nothing of that call', async (_, definition, message) => {
    const { client, windows } = await start([window('twice')]);
    expect(() => {
      windows.add(window('fine'), definition as WindowDefinition);
    }).toThrow(message);
    expect(await listed(client)).toEqual([uri('twice')]);
  });

  it('refuses what is not there to be changed', async () => {
    const { windows } = await start([window('a')]);
    const changes = [
      () => { windows.update(uri('b')); },
      () => { windows.set(uri('b'), 'x'); },
      () => { windows.replace(window('b')); },
      () => { windows.remove(uri('a'), uri('b')); },
    ]; // prettier-ignore
    for (const change of changes) expect(change).toThrow(`${uri('b')} is not registered here`);
    expect(windows.uris).toEqual([uri('a')]);
  });

  it('gives advice on the style of hosts, and refuses none for it', async () => {
    const { windows } = await start([window('a'), { host: 'Editor', name: 'x', content: 'x' }]);
    expect(windows.warnings).toEqual([
      'window://Editor: uri: host "Editor" should be lower case',
      expect.stringContaining('reverse domain'),
    ]);
  });

  it('refuses what is no server of the SDK, and a server that is connected without the capabilities', async () => {
    const nothing: unknown = {};
    expect(() => registerWindows(nothing as McpServer, [])).toThrow(
      'registerWindows: server: expected an McpServer of "@modelcontextprotocol/server"',
    );
    const late = new McpServer({ name: 'late', version: '1' });
    await using early = await MemoryClient.connect(late);
    expect(() => registerWindows(late, [])).toThrow(/connected already; call registerWindows before connect\(\)/);
    expect((await early.ask('resources/list')).error).toMatchObject({ code: -32601 });
    const capabilities = { resources: { subscribe: true, listChanged: true } };
    const declared = new McpServer({ name: 'declared', version: '1' }, { capabilities });
    await using client = await MemoryClient.connect(declared);
    await listed(client);
    registerWindows(declared, [window('a')]);
    expect(await client.told()).toEqual(['list_changed']);
    expect(await listed(client)).toEqual([uri('a')]);
  });
});
