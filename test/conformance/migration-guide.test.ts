/**
 * The test matrix of the guide for the upgrade to protocol 0.2, section 6, row by row. Where a decision of this project
 * contradicts a row, the title says which.
 */
import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import {
  Computer,
  FileDpeResolver,
  HttpDpeResolver,
  type ComputerOptions,
  type DpeResolver,
} from '../../src/computer/index.js';
import {
  DpeUri,
  ErrorCode,
  PROFILE_0_2,
  ProtocolError,
  ProtocolVersionError,
  WindowUri,
  type JsonObject,
} from '../../src/protocol/index.js';
import { Server } from '../../src/server/index.js';
import { officeServer } from '../fixtures/computer/office.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { organizeDesktop } from '../../src/computer/desktop/organize-desktop.js';

const owned: AsyncDisposable[] = [];

afterEach(async () => {
  for (const resource of owned.splice(0).reverse()) await resource[Symbol.asyncDispose]();
});

function own<T extends AsyncDisposable>(resource: T): T {
  owned.push(resource);
  return resource;
}

interface Running {
  readonly agent: Agent;
  readonly computer: Computer;
  readonly logger: RecordingLogger;
}

/** A Server, a Computer with these MCP servers, and an Agent, in one office. */
async function running(servers: Record<string, JsonObject>, options: ComputerOptions = {}): Promise<Running> {
  const logger = new RecordingLogger();
  const { url } = await own(new Server()).listen(0);
  const computer = own(new Computer({ name: 'computer', url, servers, logger, ...options }));
  computer.start();
  await computer.settled();
  await computer.connect();
  await computer.joinOffice('office');
  const agent = own(new Agent({ url, name: 'agent' }));
  await agent.connect();
  await agent.joinOffice('office');
  return { agent, computer, logger };
}

const document = (uri: string): JsonObject => ({ uri, name: uri, mimeType: 'application/json' });
const content = (text: string): JsonObject[] => [{ uri: 'x', mimeType: 'application/json', text }];

const DOC = 'dpe://com.example.docs/doc';
const docs = officeServer({ resources: [document(DOC)], contents: { [DOC]: content('{"pages":[]}') } });

function answering(uri: string): DpeResolver {
  return { resolve: () => Promise.resolve({ uri }) };
}

async function refusal(request: Promise<unknown>): Promise<ProtocolError> {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProtocolError)) throw new Error(`expected a ProtocolError, got ${String(error)}`);
  return error;
}

/** The warnings of a Computer, each as one text. */
function warnings(logger: RecordingLogger): string[] {
  return logger.of('warn').map((line) => JSON.stringify(line));
}

describe('6.1 URI parser', () => {
  it('pure identifiers parse', () => {
    expect(WindowUri.parse('window://host/path')).toMatchObject({ host: 'host', segments: ['path'], dropped: [] });
    expect(DpeUri.parse('dpe://host/doc-ref')).toMatchObject({ host: 'host', docRef: 'doc-ref', dropped: [] });
  });

  it('a query is dropped and reported', () => {
    expect(WindowUri.parse('window://host/path?priority=0.8')).toMatchObject({
      segments: ['path'],
      dropped: ['query'],
    });
    expect(DpeUri.parse('dpe://host/doc-ref?format=md')).toMatchObject({ docRef: 'doc-ref', dropped: ['query'] });
  });

  it('paths of several segments parse', () => {
    expect(WindowUri.parse('window://host/a/b/c').segments).toEqual(['a', 'b', 'c']);
    expect(DpeUri.parse('dpe://host/reports/2026/annual').docRef).toBe('reports/2026/annual');
  });

  it('an encoded slash stays inside its segment', () => {
    expect(WindowUri.parse('window://host/a%2Fb').segments).toEqual(['a/b']);
  });

  it('a missing host is refused', () => {
    expect(() => WindowUri.parse('window:///path')).toThrow('missing host');
    expect(() => DpeUri.parse('dpe:///doc-ref')).toThrow('missing host');
  });

  it('a DPE URI without doc-ref is refused, and 4012 on the wire', async () => {
    expect(() => DpeUri.parse('dpe://host')).toThrow('missing doc-ref');
    const { agent } = await running({ docs }, { documents: answering('https://files.example/1') });
    expect(await refusal(agent.getDpe('computer', 'dpe://host'))).toMatchObject({ code: ErrorCode.InvalidDpeUri });
  });

  it('a window URI with a query warns, and shows without it: values in a query are never read [R-4.2-no-fallback]', async () => {
    const [low, high] = ['window://com.example.board/low?priority=0.9', 'window://com.example.board/high'];
    const board = officeServer({
      resources: [
        { uri: low, name: 'low' },
        { uri: high, name: 'high', annotations: { priority: 0.1 } },
      ],
    });
    const { agent, logger } = await running({ board });
    expect((await agent.getDesktop('computer')).map((text) => text.split('\n')[0])).toEqual([
      high,
      'window://com.example.board/low',
    ]);
    expect(warnings(logger)).toContainEqual(expect.stringMatching(/low\?priority.*query|query.*low\?priority/));
  });

  it('a DPE URI with a query warns, and goes on without it [R-4.2-lenient-parse] [R-8.3-invalid-uri]', async () => {
    const { agent, logger } = await running({ docs }, { documents: answering('https://files.example/1') });
    expect(await agent.getDpe('computer', `${DOC}?format=md`)).toMatchObject({ uri: 'https://files.example/1' });
    expect(logger.of('warn').map(({ message }) => message)).toContainEqual(expect.stringMatching(/query/i));
  });
});

describe('6.2 organizeDesktop', () => {
  const window = (
    path: string,
    more: JsonObject = {},
    server = 'a',
  ): Parameters<typeof organizeDesktop>[0][number] => ({
    server,
    resource: { uri: `window://${server}/${path}`, ...more },
    contents: [{ text: path }],
  });
  const shown = (...windows: ReturnType<typeof window>[]): string[] =>
    organizeDesktop(windows, { history: [] }).desktops.map((text) => text.split('\n')[0] ?? '');

  it('sorts by annotations.priority, highest first', () => {
    expect(
      shown(window('low', { annotations: { priority: 0.1 } }), window('high', { annotations: { priority: 0.9 } })),
    ).toEqual(['window://a/high', 'window://a/low']);
  });

  it('shows a fullscreen window alone, server by server', () => {
    expect(shown(window('1'), window('2', { _meta: { fullscreen: true } }), window('3', {}, 'b'))).toEqual([
      'window://a/2',
      'window://b/3',
    ]);
  });

  it('takes missing annotations and a missing priority for 0.0', () => {
    expect(
      shown(
        window('1', { annotations: null }),
        window('2', { annotations: { priority: null } }),
        window('3', { annotations: { priority: 0.01 } }),
      ),
    ).toEqual(['window://a/3', 'window://a/1', 'window://a/2']);
  });
});

describe('6.3 client:get_dpe and the resolver', () => {
  it('a registered resolver and a valid URI give an access URI', async () => {
    const { agent } = await running({ docs }, { documents: answering('s3://bucket/key') });
    expect(await agent.getDpe('computer', DOC)).toEqual({ uri: 's3://bucket/key' });
  });

  it('no resolver is 4011', async () => {
    const { agent } = await running({ docs });
    expect(await refusal(agent.getDpe('computer', DOC))).toMatchObject({
      code: ErrorCode.DpeResolverNotConfigured,
      fields: { uri: DOC },
    });
  });

  it.each(['dpe://com.example.docs', 'https://com.example.docs/doc', `${DOC}#page2`])(
    'the invalid URI %s is 4012',
    async (uri) => {
      const { agent } = await running({ docs }, { documents: answering('https://files.example/1') });
      expect(await refusal(agent.getDpe('computer', uri))).toMatchObject({
        code: ErrorCode.InvalidDpeUri,
        fields: { uri, reason: expect.stringMatching(/./) as string },
      });
    },
  );

  it('a resolver that throws is 4013 with a reason', async () => {
    const documents: DpeResolver = { resolve: () => Promise.reject(new Error('the store is full')) };
    const { agent } = await running({ docs }, { documents });
    expect(await refusal(agent.getDpe('computer', DOC))).toMatchObject({
      code: ErrorCode.DpeResolutionFailed,
      fields: { category: 'resolver_error', reason: expect.stringMatching(/./) as string },
    });
  });

  it('a read that fails upstream is 4013', async () => {
    const failing = officeServer({ resources: [document(DOC)], unreadable: [DOC] });
    const { agent } = await running({ failing }, { documents: answering('https://files.example/1') });
    expect(await refusal(agent.getDpe('computer', DOC))).toMatchObject({
      code: ErrorCode.DpeResolutionFailed,
      fields: { category: 'upstream_unavailable' },
    });
  });

  it('an http URL of the resolver is fetched by the Agent itself', async () => {
    const http = createServer((_, response) => response.end('{"pages":[]}')).listen(0, '127.0.0.1');
    own(closing(http));
    await once(http, 'listening');
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/doc`;
    const { agent } = await running({ docs }, { documents: answering(url) });
    const access = await agent.getDpe('computer', DOC);
    expect(await (await fetch(access.uri)).json()).toEqual({ pages: [] });
  });

  it('a file URI of the resolver is read by an Agent on the same machine', async () => {
    const { agent } = await running({ docs }, { documents: own(new FileDpeResolver()) });
    const access = await agent.getDpe('computer', DOC);
    expect(await readFile(fileURLToPath(access.uri), 'utf8')).toBe('{"pages":[]}');
  });
});

describe('6.3.1 client:get_resources', () => {
  const uris = ['dpe://h/1', 'window://h/2', 'memo:3', 'file:///4', 'custom+x://5'];
  const paged = officeServer({ resources: uris.map((uri) => document(uri)), pageSize: 2 });

  it('gives the first page without a cursor, the rest by cursor, and no cursor on the last', async () => {
    const { agent } = await running({ paged });
    const first = await agent.getResources('computer', 'paged');
    const second = await agent.getResources('computer', 'paged', { cursor: first.nextCursor ?? '' });
    const third = await agent.getResources('computer', 'paged', { cursor: second.nextCursor ?? '' });
    expect([first, second, third].map(({ resources }) => resources.length)).toEqual([2, 2, 1]);
    expect(third).not.toHaveProperty('nextCursor');
  });

  it('an MCP server that is not registered is 404 and named', async () => {
    const { agent } = await running({ paged });
    const error = await refusal(agent.getResources('computer', 'nothing'));
    expect(error).toMatchObject({ code: ErrorCode.NotFound, fields: { mcp_server_name: 'nothing' } });
    expect(error.message).toContain('nothing');
  });

  it('nothing is filtered: every scheme comes through', async () => {
    const { agent } = await running({ paged });
    const seen: unknown[] = [];
    for await (const resource of agent.resources('computer', 'paged')) seen.push(resource['uri']);
    expect(seen).toEqual(uris);
  });

  it('discovery: get_config, all pages, filter, get_dpe', async () => {
    const { agent } = await running({ paged }, { documents: answering('https://files.example/1') });
    const found: string[] = [];
    for (const server of Object.keys((await agent.getConfig('computer')).servers)) {
      for await (const { uri } of agent.resources('computer', server)) {
        if (String(uri).startsWith('dpe://')) found.push(String(uri));
      }
    }
    expect(found).toEqual(['dpe://h/1']);
    expect(await agent.getDpe('computer', found[0] ?? '')).toEqual({ uri: 'https://files.example/1' });
  });
});

describe('6.4 routing by host', () => {
  /** Answers with the name of the MCP server that was read. */
  const naming: DpeResolver = {
    resolve: (_uri, _contents, hint) => Promise.resolve({ uri: `memo:${hint.mcpServerName}` }),
  };
  const holding = (uri: string): JsonObject => officeServer({ resources: [document(uri)] });

  it('servers with different hosts are both reached', async () => {
    const { agent } = await running(
      { one: holding('dpe://one.example/doc'), two: holding('dpe://two.example/doc') },
      { documents: naming },
    );
    expect(await agent.getDpe('computer', 'dpe://two.example/doc')).toEqual({ uri: 'memo:two' });
    expect(await agent.getDpe('computer', 'dpe://one.example/doc')).toEqual({ uri: 'memo:one' });
  });

  it('a shared host is a WARN that names both servers and the host as soon as they are registered', async () => {
    const { agent, logger } = await running(
      { first: holding('dpe://same.example/a'), second: holding('dpe://Same.example/b') },
      { documents: naming },
    );
    expect(Object.keys((await agent.getConfig('computer')).servers)).toEqual(['first', 'second']);
    const told = warnings(logger).filter((line) => /same\.example/i.test(line));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/first/);
    expect(told[0]).toMatch(/second/);
  });

  it('of a shared host the first registered server is asked, with another WARN, whoever has the document', async () => {
    const { agent, logger } = await running(
      { first: holding('dpe://same.example/a'), second: holding('dpe://same.example/b') },
      { documents: naming },
    );
    const before = warnings(logger).length;
    expect(await agent.getDpe('computer', 'dpe://same.example/b')).toEqual({ uri: 'memo:first' });
    expect(warnings(logger).slice(before)).toContainEqual(expect.stringMatching(/first.*second/));
  });

  it('an unknown host is 4013', async () => {
    const { agent } = await running({ docs }, { documents: naming });
    expect(await refusal(agent.getDpe('computer', 'dpe://unknown-host/doc'))).toMatchObject({
      code: ErrorCode.DpeResolutionFailed,
      fields: { category: 'unknown_host' },
    });
  });

  it('a URI twice in one server is passed on, and the first counts (decision 23, against the guide’s refusal)', async () => {
    const twice = officeServer({ resources: [document(DOC), document(DOC)] });
    const { agent } = await running({ twice }, { documents: naming });
    expect((await agent.getResources('computer', 'twice')).resources).toHaveLength(2);
    expect(await agent.getDpe('computer', DOC)).toEqual({ uri: 'memo:twice' });
  });
});

describe('6.5 version handshake', () => {
  async function connects(client: string, server: string): Promise<string> {
    const { url } = await own(new Server({ profile: { ...PROFILE_0_2, version: server } })).listen(0);
    const agent = own(new Agent({ url, profile: { ...PROFILE_0_2, version: client } }));
    return agent.connect().then(
      () => 'connected',
      (error: unknown) => (error instanceof ProtocolVersionError ? '4008' : String(error)),
    );
  }

  it.each([
    ['an exact match', '0.2.0', '0.2.0', 'connected'],
    ['another PATCH', '0.2.1', '0.2.0', 'connected'],
    ['another MINOR below 1.0', '0.2.0', '0.3.0', '4008'],
    ['another MAJOR', '1.0.0', '0.2.0', '4008'],
  ])('%s: %s to %s is %s', async (_, client, server, outcome) => {
    expect(await connects(client, server)).toBe(outcome);
  });

  it.each(['', '&a2c_version=abc'])('a version that is missing or invalid ("%s") is HTTP 400', async (query) => {
    const { url } = await own(new Server()).listen(0);
    const response = await fetch(`${url}/socket.io/?EIO=4&transport=polling${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 400 });
  });

  it('the check stands before the connect handler, which may throw', async () => {
    const authenticator = (): never => {
      throw new Error('broken');
    };
    const { url } = await own(new Server({ authenticator })).listen(0);
    const agent = own(new Agent({ url, profile: { ...PROFILE_0_2, version: '0.1.0' } }));
    await expect(agent.connect()).rejects.toBeInstanceOf(ProtocolVersionError);
  });
});

describe('6.6 integration', () => {
  // With a real MCP server, and in a browser: test/integration/documents-flow.test.ts.
  it.each([
    ['file', () => Promise.resolve(new FileDpeResolver())],
    ['http', () => HttpDpeResolver.listen()],
  ])('discover, resolve by %s, and fetch a document', async (_, resolver) => {
    const { agent } = await running({ docs }, { documents: own(await resolver()) });
    const { resources } = await agent.getResources('computer', 'docs');
    const uri = String(resources[0]?.['uri']);
    const access = await agent.getDpe('computer', uri);
    const isFile = access.uri.startsWith('file:');
    const fetched = isFile ? await readFile(fileURLToPath(access.uri), 'utf8') : await (await fetch(access.uri)).text();
    expect(JSON.parse(fetched)).toEqual({ pages: [] });
    expect((await agent.openDocument('computer', uri)).content).toEqual({ pages: [] });
  });

  it('4008 ends the automatic reconnect of the library below', async () => {
    let asked = 0;
    const http = createServer((_, response) => {
      asked += 1;
      const body = JSON.stringify({ code: 4008, message: 'Protocol version mismatch', server_version: '0.9.0' });
      response.writeHead(400, { 'Content-Type': 'application/json', 'X-A2C-Error-Code': '4008' }).end(body);
    }).listen(0, '127.0.0.1');
    own(closing(http));
    await once(http, 'listening');
    const agent = own(
      new Agent({
        url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
        reconnectDelayMs: 1,
        retryFirstConnect: true,
      }),
    );
    await expect(agent.connect()).rejects.toMatchObject({ serverVersion: '0.9.0' });
    // Anything that still ran would come before this, at a delay of one millisecond each.
    await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    expect(asked).toBe(2);
  });
});

describe('6.7 regression', () => {
  it('desktop: list, notify:update_desktop, list again', async () => {
    const uri = 'window://com.example.board/main';
    const board = officeServer({ resources: [{ uri, name: 'board' }] });
    const { agent } = await running({ board });
    expect(await agent.getDesktop('computer')).toEqual([`${uri}\n\ntext of ${uri}`]);
    const changed = new Promise<void>((resolve) => {
      agent.on('desktopChanged', () => {
        resolve();
      });
    });
    const next = 'window://com.example.board/next';
    await agent.callTool('computer', 'set-resources', { resources: [{ uri: next, name: 'next' }] });
    await changed;
    expect(await agent.getDesktop('computer')).toEqual([`${next}\n\ntext of ${next}`]);
  });

  it('tool call: there and back', async () => {
    const { agent } = await running({ docs });
    expect(await agent.callTool('computer', 'echo', { a: 1 })).toMatchObject({
      content: [{ type: 'text', text: '{"a":1}' }],
    });
  });
});

function closing(http: HttpServer): AsyncDisposable {
  return {
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
