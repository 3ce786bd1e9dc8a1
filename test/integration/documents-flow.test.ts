/**
 * From a resource of an MCP server that was made with `a2c-smcp/mcp-server` to what an Agent reads of it, through a real
 * Computer and Server.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import { Computer, FileDpeResolver, HttpDpeResolver, type DpeResolver } from '../../src/computer/index.js';
import { buildDocument, page, paragraph, registerWindows } from '../../src/mcp-server/index.js';
import { ErrorCode, type JsonObject, type ProtocolError } from '../../src/protocol/index.js';
import { Server } from '../../src/server/index.js';
import { serveOverHttp } from '../fixtures/mcp-servers/web-server.js';
import { CHROMIUM_SETUP, findChromium, openPage } from '../support/chromium.js';
import { bundlePage, servePage } from '../support/page-site.js';
import type { DocumentsPageReport } from '../fixtures/browser/documents-page.js';

const HOST = 'com.example.office';
const REPORT = `dpe://${HOST}/reports/2026`;
const program = fileURLToPath(new URL('../fixtures/mcp-servers/documents-server.ts', import.meta.url));

/** A configuration entry for `documents-server.ts`. */
function documentsServer(options: { readonly store?: string } = {}): JsonObject {
  const args = ['--import', 'tsx', program, JSON.stringify(options)];
  return { command: process.execPath, args, default_tool_meta: { auto_apply: true } };
}

interface Office extends AsyncDisposable {
  /** Of the Server. */
  readonly url: string;
  readonly agent: Agent;
  readonly computer: Computer;
}

/** What an office is made of. */
interface Setup {
  /** @default the one of `documents-server.ts` */
  readonly mcpServer?: JsonObject;
  readonly documents?: DpeResolver & AsyncDisposable;
  /** Where the MCP server says that its large document is. */
  readonly store?: string;
  /** The pages that may reach the Server. */
  readonly corsOrigins?: readonly string[];
}

/** A Server, a Computer with the MCP server, and an Agent, in one office. */
async function open({ mcpServer, documents, store, corsOrigins = [] }: Setup = {}): Promise<Office> {
  const server = new Server({ corsOrigins });
  const { url } = await server.listen(0);
  const servers = { docs: mcpServer ?? documentsServer(store === undefined ? {} : { store }) };
  const computer = new Computer({ name: 'laptop', url, servers, ...(documents === undefined ? {} : { documents }) });
  const agent = new Agent({ url, name: 'agent' });
  const close = async (): Promise<void> => {
    for (const owner of [agent, computer, documents, server]) await owner?.[Symbol.asyncDispose]();
  };
  try {
    computer.start();
    await computer.settled();
    for (const member of [computer, agent]) {
      await member.connect();
      await member.joinOffice('office');
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { url, agent, computer, [Symbol.asyncDispose]: close };
}

/** Serves what an MCP server has elsewhere, by path. */
async function openStore(
  files: Readonly<Record<string, unknown>>,
): Promise<AsyncDisposable & { readonly url: string }> {
  const http = createServer(({ url = '' }, response) => {
    const found = files[url];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(found === undefined ? '' : JSON.stringify(found));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

/** Fetches as an application would that knows nothing but the URI. */
async function plainFetch(uri: string): Promise<string> {
  return uri.startsWith('file:') ? readFile(fileURLToPath(uri), 'utf8') : (await fetch(uri)).text();
}

/** The resolvers that ship and need nothing else. */
const RESOLVERS: Readonly<Record<string, () => Promise<DpeResolver & AsyncDisposable>>> = {
  file: () => Promise.resolve(new FileDpeResolver()),
  http: () => HttpDpeResolver.listen(),
};

describe.each(Object.entries(RESOLVERS))('documents of an MCP server, by the resolver %s', (_, resolver) => {
  let store: Awaited<ReturnType<typeof openStore>>;
  let office: Office;
  const large = buildDocument({
    host: HOST,
    ref: 'large',
    title: 'Large',
    pages: [page([paragraph('from the store')])],
  });

  beforeAll(async () => {
    const elements = [{ element_id: 'e', category: 'NarrativeText', text: 'a page from the store' }];
    store = await openStore({ '/large.json': large, '/page.json': { page_index: 0, elements } });
    office = await open({ documents: await resolver(), store: store.url });
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });

  it('are discovered with their metadata, on every page of the list', async () => {
    const { agent } = office;
    const found: string[] = [];
    for await (const { uri } of agent.discoverDocuments('laptop')) found.push(uri);
    expect(found.slice(0, 4)).toEqual(
      ['reports/2026', 'large', 'linked', 'broken'].map((ref) => `dpe://${HOST}/${ref}`),
    );
    expect(found).toHaveLength(454);
    const { resources } = await agent.getResources('laptop', 'docs');
    expect(resources.find(({ uri }) => uri === REPORT)).toMatchObject({
      name: 'Annual report',
      description: 'A year',
      mimeType: 'application/json',
      annotations: { audience: ['user'], lastModified: '2026-01-15T08:30:00Z' },
      _meta: { keywords: ['year'], file_type: 'xlsx', page_count: 2 },
    });
  });

  it('are resolved to a URI that anybody can fetch who has it [R-8.3-never-content]', async () => {
    const access = await office.agent.getDpe('laptop', REPORT);
    expect(access).toMatchObject({ mimeType: 'application/json' });
    const text = await plainFetch(access.uri);
    expect(access.size).toBe(Buffer.byteLength(text));
    expect(JSON.parse(text)).toMatchObject({
      uri: REPORT,
      doc_ref: 'reports/2026',
      title: 'Annual report',
      page_count: 2,
    });
  });

  it('are opened and read page by page', async () => {
    const document = await office.agent.openDocument('laptop', REPORT);
    expect(document).toMatchObject({ title: 'Annual report', summary: 'A year', keywords: ['year'], fileType: 'xlsx' });
    expect(await document.toMarkdown()).toBe(
      '# Annual report\n\n## Figures\n\n| Q1 | 100 |\n| --- | --- |\n\nPäper €\n\nThe end',
    );
  });

  it('of a collection are found by the host of its template, listed or not', async () => {
    for (const ref of ['pages/449', 'pages/100000']) {
      const document = await office.agent.openDocument('laptop', `dpe://com.example.wiki/${ref}`);
      expect(await document.text()).toBe(`This is ${ref}`);
    }
  });

  it('that are elsewhere are passed on with what is known of them', async () => {
    const uri = `dpe://${HOST}/large`;
    expect(await office.agent.getDpe('laptop', uri)).toMatchObject({
      uri: `${store.url}/large.json`,
      mimeType: 'application/json',
      size: expect.any(Number) as number,
      meta: { etag: '"7"', expires_at: '2999-01-01T00:00:00Z' },
    });
    expect(await (await office.agent.openDocument('laptop', uri)).text()).toBe('from the store');
  });

  it('may have pages that are elsewhere', async () => {
    const options = { privateOrigins: [store.url] };
    const document = await office.agent.openDocument('laptop', `dpe://${HOST}/linked`, options);
    expect(await document.text()).toBe('a page from the store');
  });

  it('are read anew after their server said that they changed', async () => {
    const { agent } = office;
    const before = await agent.getDpe('laptop', REPORT);
    await agent.callTool('laptop', 'report', { text: 'revised' });
    const after = await agent.getDpe('laptop', REPORT);
    expect(after.uri).not.toBe(before.uri);
    expect(JSON.parse(await plainFetch(after.uri))).toMatchObject({
      page_count: 1,
      pages: [{ elements: [{ text: 'revised' }] }],
    });
  });

  it.each([
    ['a document that cannot be read', `dpe://${HOST}/broken`, 'upstream_unavailable'],
    ['a document that does not exist', `dpe://${HOST}/nothing`, 'upstream_unavailable'],
    ['a host that nobody has', 'dpe://com.example.nobody/x', 'unknown_host'],
  ])('%s is 4013, without what is inside', async (_case, uri, category) => {
    const refused = office.agent.getDpe('laptop', uri);
    await expect(refused).rejects.toMatchObject({ code: ErrorCode.DpeResolutionFailed, fields: { category } });
    const error = (await refused.catch((thrown: unknown) => thrown)) as ProtocolError;
    expect(JSON.stringify([error.message, error.fields])).not.toContain('secret');
  });
});

describe('documents of an MCP server, in a browser', () => {
  it('are discovered, resolved by HttpDpeResolver, and read by the page itself, in parts too', async ({ skip }) => {
    const chromium = findChromium();
    if (chromium === undefined) {
      if (process.env['CI'] === 'true') throw new Error(CHROMIUM_SETUP);
      skip(CHROMIUM_SETUP);
      return;
    }
    await using site = await servePage<DocumentsPageReport>(await bundlePage('documents-page.ts'));
    const documents = await HttpDpeResolver.listen({ corsOrigins: [site.origin] });
    await using office = await open({ documents, corsOrigins: [site.origin] });
    // An office has one Agent, and the page is it.
    await office.agent.leaveOffice();
    await office.computer.joinOffice('pages');
    await using page = openPage(chromium, `${site.origin}/?server=${encodeURIComponent(office.url)}`);
    expect(await Promise.race([site.report, page.ended])).toEqual({
      found: ['reports/2026', 'large', 'linked', 'broken'].map((ref) => `dpe://${HOST}/${ref}`),
      markdown: expect.stringContaining('| Q1 | 100 |') as string,
      plain: 'Annual report',
      range: { status: 206, text: '{"doc_ref"' },
      forged: expect.toBeOneOf([403, 404]) as number,
    });
  }, 60_000);
});

describe('windows of an MCP server', () => {
  it('show on the desktop, follow their updates, and new ones come [R-8.1-updates]', async () => {
    await using office = await open();
    const { agent } = office;
    const watching = agent.watchDesktop('laptop');
    onTestFinished(async () => {
      await watching.return();
    });
    const shown = async (): Promise<unknown> => (await watching.next()).value;
    const clock = `window://${HOST}/clock\n\nnoon`;
    expect(await shown()).toEqual([`window://${HOST}/board\n\nempty`, clock]);
    await agent.callTool('laptop', 'write', { text: 'written' });
    expect(await shown()).toEqual([`window://${HOST}/board\n\nwritten`, clock]);
    await agent.callTool('laptop', 'open', { path: 'a b' });
    expect(await shown()).toEqual([`window://${HOST}/a%20b\n\nopened a b`, `window://${HOST}/board\n\nwritten`, clock]);
  });

  it('stand beside resources that their author registered by hand, which get_resources lists too', async () => {
    await using office = await open();
    const uris: unknown[] = [];
    for await (const { uri } of office.agent.resources('laptop', 'docs')) uris.push(uri);
    expect(uris).toHaveLength(457);
    expect(uris.at(-1)).toBe('memo:1');
  });

  it('of a server over streamable HTTP follow what its author does with the handle [R-8.1-updates]', async () => {
    const server = new McpServer({ name: 'web', version: '1' });
    const windows = registerWindows(server, [{ host: HOST, path: 'a', name: 'A', content: 'one' }]);
    await using web = await serveOverHttp(server);
    await using office = await open({ mcpServer: { url: web.url } });
    const watching = office.agent.watchDesktop('laptop');
    onTestFinished(async () => {
      await watching.return();
    });
    const shown = async (): Promise<unknown> => (await watching.next()).value;
    const uri = `window://${HOST}/a`;
    expect(await shown()).toEqual([`${uri}\n\none`]);
    windows.set(uri, 'two');
    expect(await shown()).toEqual([`${uri}\n\ntwo`]);
    windows.add({ host: HOST, path: 'b', name: 'B', content: 'all', fullscreen: true });
    expect(await shown()).toEqual([`window://${HOST}/b\n\nall`]);
    windows.remove(`window://${HOST}/b`);
    expect(await shown()).toEqual([`${uri}\n\ntwo`]);
  });
});
