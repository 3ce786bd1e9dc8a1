import { createServer, type Server as HttpServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { Computer } from '../../src/computer/index.js';
import { PROFILE_0_2 } from '../../src/protocol/index.js';
import { CHROMIUM_SETUP, findChromium, openPage } from '../support/chromium.js';
import { startServer } from '../support/running-server.js';
import type { PageReport } from '../fixtures/browser/page.js';

const root = join(import.meta.dirname, '..', '..');
const chromium = findChromium();

/** The Agent and a page that uses it, as an application would bundle them. */
async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      lib: { entry: join(root, 'test', 'fixtures', 'browser', 'page.ts'), formats: ['es'], fileName: 'page' },
    },
  });
  const [result] = [built].flat();
  if (result === undefined || !('output' in result)) throw new Error('nothing was built');
  return result.output[0].code;
}

interface Site extends AsyncDisposable {
  readonly origin: string;
  readonly report: Promise<PageReport>;
}

/** Serves the page and takes its report. */
async function serve(script: string): Promise<Site> {
  let give: (report: PageReport) => void = () => undefined;
  const report = new Promise<PageReport>((resolve) => {
    give = resolve;
  });
  const site: HttpServer = createServer((request, response) => {
    if (request.method === 'POST') {
      void text(request).then((body) => {
        give(JSON.parse(body) as PageReport);
        response.end();
      });
    } else if (request.url === '/page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    } else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>');
    }
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    report,
    [Symbol.asyncDispose]: async () => {
      site.closeAllConnections();
      site.close();
      await once(site, 'close');
    },
  };
}

describe('an Agent in a browser', () => {
  it('calls and cancels a tool, knows a refused version, and is kept out where its page is not allowed', async ({
    skip,
  }) => {
    if (chromium === undefined) {
      if (process.env['CI'] === 'true') throw new Error(CHROMIUM_SETUP);
      skip(CHROMIUM_SETUP);
      return;
    }
    await using site = await serve(await bundle());
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

    const servers = [server, ofAnotherVersion, ofOtherPages].map(({ url }) => `server=${encodeURIComponent(url)}`);
    await using page = openPage(chromium, `${site.origin}/?${servers.join('&')}`);
    expect(await Promise.race([site.report, page.ended])).toEqual({
      computers: ['laptop'],
      tools: expect.arrayContaining(['echo', 'sleep']) as string[],
      text: '路径',
      cancelled: true,
      versionError: { server: '0.9.0', max: '0.9.999' },
      foreignError: 'ConnectionError',
    });
  }, 60_000);
});
