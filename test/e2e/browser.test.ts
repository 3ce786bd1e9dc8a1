import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Computer } from '../../src/computer/index.js';
import { PROFILE_0_2 } from '../../src/protocol/index.js';
import { CHROMIUM_SETUP, findChromium, openPage } from '../support/chromium.js';
import { bundlePage, servePage } from '../support/page-site.js';
import { Peer } from '../support/peer.js';
import { startServer } from '../support/running-server.js';
import type { PageReport } from '../fixtures/browser/page.js';

const root = join(import.meta.dirname, '..', '..');
const chromium = findChromium();

/** Documents on another origin than the page: pages of every origin may read what is below `/free`. */
async function serveDocuments(): Promise<AsyncDisposable & { readonly origin: string }> {
  const content: Readonly<Record<string, object>> = {
    '/free/report': { title: 'Report', pages: [{ uri: 'moved' }] },
    '/free/page': { elements: [{ element_id: 'e', category: 'NarrativeText', text: 'read by a <page>' }] },
    '/kept/report': { pages: [] },
  };
  const http = createServer(({ url = '' }, response) => {
    const cors = url.startsWith('/free') ? { 'access-control-allow-origin': '*' } : {};
    if (url === '/free/moved') response.writeHead(302, { ...cors, location: '/free/page' }).end();
    else response.writeHead(200, cors).end(JSON.stringify(content[url]));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}

describe('an Agent in a browser', () => {
  it('calls and cancels a tool, reads a document, knows a refused version, and is kept out where its page is not allowed', async ({
    skip,
  }) => {
    if (chromium === undefined) {
      if (process.env['CI'] === 'true') throw new Error(CHROMIUM_SETUP);
      skip(CHROMIUM_SETUP);
      return;
    }
    await using site = await servePage<PageReport>(await bundlePage('page.ts'));
    const corsOrigins = [site.origin];
    await using server = await startServer({ corsOrigins, token: 'from-a-page' });
    await using ofAnotherVersion = await startServer({ corsOrigins, profile: { ...PROFILE_0_2, version: '0.9.0' } });
    await using ofOtherPages = await startServer({ corsOrigins: ['https://app.example'] });
    const bundled = join(root, 'dist', 'cli', 'demo', 'bundled-server.js');
    await using computer = new Computer({
      name: 'laptop',
      url: server.url,
      token: 'from-a-page',
      servers: { bundled: { command: process.execPath, args: [bundled], default_tool_meta: { auto_apply: true } } },
    });
    computer.start();
    await computer.connect();
    await computer.joinOffice('pages');
    await computer.settled();

    await using documents = await serveDocuments();
    const place = { role: 'computer', office: 'pages', name: 'library' } as const;
    await using library = await Peer.join(server.url, place, { auth: { token: 'from-a-page' } });
    const access: Readonly<Record<string, string>> = {
      'dpe://com.example.pages/report': `${documents.origin}/free/report`,
      'dpe://com.example.pages/other-origin': `${documents.origin}/kept/report`,
      'dpe://com.example.pages/file': 'file:///etc/passwd',
    };
    library.on('client:get_tools', () => [{ tools: [] }]);
    library.on('client:get_dpe', (request) => [{ uri: access[(request as { uri: string }).uri] }]);

    const servers = [server, ofAnotherVersion, ofOtherPages].map(({ url }) => `server=${encodeURIComponent(url)}`);
    await using page = openPage(chromium, `${site.origin}/?${servers.join('&')}`);
    expect(await Promise.race([site.report, page.ended])).toEqual({
      computers: ['laptop', 'library'],
      tools: expect.arrayContaining(['echo', 'sleep']) as string[],
      text: '路径',
      documents: ['# Report\n\nread by a \\<page\\>', 'unreachable', 'unsupported-scheme'],
      cancelled: true,
      versionError: { server: '0.9.0', max: '0.9.999' },
      foreignError: 'ConnectionError',
    });
  }, 60_000);
});
