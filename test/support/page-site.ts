import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'vite';

const root = join(import.meta.dirname, '..', '..');

/** A script of `test/fixtures/browser`, bundled with what it imports as an application would do it. */
export async function bundlePage(name: string): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      lib: { entry: join(root, 'test', 'fixtures', 'browser', name), formats: ['es'], fileName: 'page' },
    },
  });
  const [result] = [built].flat();
  if (result === undefined || !('output' in result)) throw new Error('nothing was built');
  return result.output[0].code;
}

/** Where a page is served. */
export interface PageSite<Report> extends AsyncDisposable {
  readonly origin: string;
  /** What the page posts to `/report`. */
  readonly report: Promise<Report>;
}

/** Serves a page with this script, and takes its report. */
export async function servePage<Report>(script: string): Promise<PageSite<Report>> {
  let give: (report: Report) => void = () => undefined;
  const report = new Promise<Report>((resolve) => {
    give = resolve;
  });
  const site: HttpServer = createServer((request, response) => {
    if (request.method === 'POST') {
      void text(request).then((body) => {
        give(JSON.parse(body) as Report);
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
