import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError } from '../../src/agent/index.js';
import { failure, until } from './agent-fixtures.js';
import {
  dataUri,
  DOCUMENT,
  documentOffice,
  json,
  redirect,
  startSite,
  status,
  textPage,
  type Route,
} from './document-fixtures.js';

const fine = json({ pages: [textPage('fine')] });

describe('an access URI', () => {
  it.each<[string, Route]>([
    ['403', status(403)],
    ['404', status(404)],
    ['410', status(410)],
    ['400, as some stores answer once a signature has expired', status(400)],
    [
      'a broken connection',
      (response) => {
        response.destroy();
      },
    ],
  ])('that fails with %s is asked for once more [R-8.4-ask-again]', async (_, route) => {
    const site = await startSite({ '/old': route, '/new': fine });
    const { agent, asks } = await documentOffice([`${site.origin}/old`, `${site.origin}/new`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(await document.text()).toBe('fine');
    expect(document.access?.uri).toBe(`${site.origin}/new`);
    expect(asks()).toBe(2);
  });

  it('that fails again is an error, which does not show the key that is in it', async () => {
    const site = await startSite({ '/d': status(403) });
    const { agent, asks } = await documentOffice([`${site.origin}/d?X-Signature=secret`]);
    const error = await failure(agent.openDocument('laptop', DOCUMENT));
    expect(error).toMatchObject({ name: 'DocumentError', reason: 'unreachable', status: 403, uri: DOCUMENT });
    expect((error as Error).message).toBe(`Document ${DOCUMENT}: ${site.origin} answered 403`);
    expect(asks()).toBe(2);
  });

  it('where nobody listens is an error after asking once more', async () => {
    const site = await startSite();
    await site.close();
    const { agent, asks } = await documentOffice([`${site.origin}/d`]);
    const error = await failure(agent.openDocument('laptop', DOCUMENT));
    expect(error).toMatchObject({ reason: 'unreachable', message: expect.stringContaining('ECONNREFUSED') as string });
    expect(asks()).toBe(2);
  });

  it('that has expired is asked for once more, at first and while pages are read [R-8.4-ask-again]', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const site = await startSite({ '/page': json(textPage('page')) });
    site.routes['/d'] = json({ pages: [{ uri: 'page' }, textPage('inline')] });
    const lasting = (expires_at: string): Record<string, unknown> => ({
      uri: `${site.origin}/d`,
      _meta: { expires_at },
    });
    const { agent, asks } = await documentOffice(
      [lasting('2025-12-31T23:59:59Z'), lasting('2026-01-01T00:10:00Z'), lasting('2026-01-01T01:00:00Z')],
      { documents: { now: () => now } },
    );
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(asks()).toBe(2);
    expect((await document.pages.get(0)).text()).toBe('page');
    expect(asks()).toBe(2);
    now += 600_000;
    expect(document.access).toBeUndefined();
    expect((await document.pages.get(1)).text()).toBe('inline');
    expect(asks()).toBe(2);
    const texts = await Promise.all([0, 0, 0].map(async (index) => (await document.pages.get(index)).text()));
    expect(texts).toEqual(['page', 'page', 'page']);
    expect(asks()).toBe(3);
    now += 3_600_000;
    expect(await failure(document.pages.get(0))).toMatchObject({
      reason: 'expired',
      message: expect.stringContaining('2026-01-01T01:00:00Z') as string,
    });
    expect(asks()).toBe(5);
  });

  it.each([{ expires_at: 'soon' }, { expires_at: 7 }, {}, undefined])('with %o does not expire', async (meta) => {
    const { agent, asks } = await documentOffice([{ uri: dataUri({ pages: [] }), _meta: meta }]);
    await agent.openDocument('laptop', DOCUMENT);
    expect(asks()).toBe(1);
  });

  it('of a page that fails has the document fetched again, once for all pages that fail with it', async () => {
    const site = await startSite({ '/2/d': json({ pages: [{ uri: 'a' }, { uri: 'b' }, { uri: 'c' }] }) });
    Object.assign(site.routes, {
      '/1/d': json({ pages: [{ uri: 'a' }, { uri: 'b' }, { uri: 'c' }] }),
      '/2/a': json(textPage('a')),
      '/2/b': json(textPage('b')),
    });
    const { agent, asks } = await documentOffice([`${site.origin}/1/d`, `${site.origin}/2/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    const [a, b, c] = await Promise.all(
      [0, 1, 2].map((index) => document.pages.get(index).catch((error: unknown) => error)),
    );
    expect([a, b].map((page) => (page as { text(): string }).text())).toEqual(['a', 'b']);
    expect(c).toMatchObject({ reason: 'unreachable', status: 404, field: 'pages.2.uri' });
    expect(asks()).toBe(2);
  });

  it.each(['', 'report.json', '/etc/passwd', 'C:\\report.json', 's3://bucket/report', 'https://', 'dpe://h/d'])(
    'that is %o is fetched by nobody, and nothing is asked again',
    async (uri) => {
      const { agent, asks } = await documentOffice([uri]);
      const error = await failure(agent.openDocument('laptop', DOCUMENT));
      expect(error).toMatchObject({ name: 'DocumentError', reason: 'unsupported-scheme' });
      expect(asks()).toBe(1);
    },
  );

  it('does not outlive the stay in the office: it is asked for again after a rejoin [R-8.4-session]', async () => {
    const site = await startSite({ '/page': json(textPage('page')) });
    site.routes['/d'] = json({ pages: [{ uri: 'page' }, textPage('inline')] });
    const { agent, asks } = await documentOffice([`${site.origin}/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    await agent.leaveOffice();
    expect(document.access).toBeUndefined();
    expect((await document.pages.get(1)).text()).toBe('inline');
    expect(await failure(document.pages.get(0))).toMatchObject({ name: 'ProtocolError' });
    expect(site.asked).toEqual(['/d']);
    await agent.joinOffice('documents');
    expect((await document.pages.get(0)).text()).toBe('page');
    expect(asks()).toBe(2);
    expect(site.asked).toEqual(['/d', '/d', '/page']);
    await agent.close();
    expect(await failure(document.pages.get(0))).toBeInstanceOf(ConnectionError);
  });
});

describe('fetching', () => {
  it('ends when the caller gives up, and when the Agent is closed', async () => {
    const site = await startSite({ '/slow': () => undefined });
    const { agent } = await documentOffice([`${site.origin}/slow`]);
    const stop = new AbortController();
    const reason = new Error('changed my mind');
    const given = failure(agent.openDocument('laptop', DOCUMENT, { signal: stop.signal }));
    await until(() => site.asked.length === 1);
    stop.abort(reason);
    expect(await given).toBe(reason);
    const closed = failure(agent.openDocument('laptop', DOCUMENT));
    await until(() => site.asked.length === 2);
    await agent.close();
    expect(await closed).toBeInstanceOf(ConnectionError);
  });

  it.each<[string, Route]>([
    ['never answers', () => undefined],
    ['stops in the middle', (response) => response.writeHead(200).write('{"pages":')],
    [
      'comes in drops',
      (response) => {
        const drops = setInterval(() => response.write(' '), 5);
        response.on('close', () => {
          clearInterval(drops);
        });
      },
    ],
  ])('ends with a reason when the content %s', async (_, route) => {
    const site = await startSite({ '/d': route });
    const { agent, asks } = await documentOffice([`${site.origin}/d`], { documents: { fetchTimeoutMs: 100 } });
    expect(await failure(agent.openDocument('laptop', DOCUMENT))).toMatchObject({ reason: 'timeout' });
    expect(asks()).toBe(1);
  });

  it('stops at the largest size, whether it is said before, comes in pieces, or is compressed', async () => {
    const big = JSON.stringify({ pages: [], filler: 'x'.repeat(2_000_000) });
    let sent = 0;
    const site = await startSite({
      '/said': (response) => {
        response.writeHead(200, { 'content-length': 99_000_000 }).flushHeaders();
      },
      '/zip': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(big)),
      '/endless': (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(10_000))) sent += 10_000;
        };
        response.on('drain', more);
        more();
      },
    });
    for (const path of ['/said', '/zip', '/endless']) {
      const { agent } = await documentOffice([site.origin + path], { documents: { maxFetchBytes: 1_000_000 } });
      expect(await failure(agent.openDocument('laptop', DOCUMENT))).toMatchObject({ reason: 'too-large' });
      const larger = await failure(agent.openDocument('laptop', DOCUMENT, { maxFetchBytes: 3_000_000 }));
      expect(path === '/zip' ? larger : 'it succeeded').toBe('it succeeded');
    }
    expect(sent).toBeLessThan(60_000_000);
  });

  it('stops where all pages together are too much', async () => {
    const site = await startSite({ '/p': json(textPage('x'.repeat(1_000))) });
    site.routes['/d'] = json({ pages: Array.from({ length: 10 }, () => ({ uri: 'p' })) });
    const { agent } = await documentOffice([`${site.origin}/d`], { documents: { maxTotalBytes: 5_000 } });
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(await failure(document.text())).toMatchObject({ reason: 'too-large' });
    expect(site.asked.length).toBeLessThan(10);
  });

  it('follows a few redirects, and no further', async () => {
    const site = await startSite({
      '/d': fine,
      '/1': redirect('/2'),
      '/2': redirect('/d', 307),
      '/loop': redirect('/loop'),
    });
    const { agent } = await documentOffice([`${site.origin}/1`]);
    expect(await (await agent.openDocument('laptop', DOCUMENT)).text()).toBe('fine');
    expect(await failure(agent.openDocument('laptop', DOCUMENT, { maxRedirects: 1 }))).toMatchObject({
      reason: 'refused',
    });
    const other = await documentOffice([`${site.origin}/loop`]);
    expect(await failure(other.agent.openDocument('laptop', DOCUMENT))).toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('more than 5 redirects') as string,
    });
  });

  it.each(['file:///etc/passwd', 'data:application/json,{}', 'gopher://h/', 'http://['])(
    'does not follow a redirect to %s',
    async (location) => {
      const site = await startSite({ '/d': redirect(location) });
      const { agent } = await documentOffice([`${site.origin}/d`]);
      expect(await failure(agent.openDocument('laptop', DOCUMENT))).toMatchObject({ reason: 'refused' });
    },
  );

  it('sends no credentials that stand in a URI, and does not show them', async () => {
    const { agent } = await documentOffice(['http://user:hunter2@127.0.0.1:1/d']);
    const error = (await failure(agent.openDocument('laptop', DOCUMENT))) as Error;
    expect(error).toMatchObject({ reason: 'refused' });
    expect(error.message).not.toContain('hunter2');
  });
});

describe('what an MCP server writes into a document', () => {
  it('leads to no other address in a private network, not by redirect either, unless the application allows it', async () => {
    const inner = await startSite({ '/page': json(textPage('secret')) });
    const outer = await startSite({ '/to-inner': redirect(`${inner.origin}/page`), '/own': json(textPage('own')) });
    outer.routes['/d'] = json({ pages: [{ uri: `${inner.origin}/page` }, { uri: '/to-inner' }, { uri: '/own' }] });
    const { agent, asks } = await documentOffice([`${outer.origin}/d`]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    for (const index of [0, 1]) {
      expect(await failure(document.pages.get(index))).toMatchObject({
        reason: 'refused',
        message: expect.stringContaining(`${inner.origin}, in a private network`) as string,
      });
    }
    expect(inner.asked).toEqual([]);
    expect((await document.pages.get(2)).text()).toBe('own');
    expect(asks()).toBe(1);
    for (const privateOrigins of ['all', [`${inner.origin}/`]] as const) {
      const allowed = await agent.openDocument('laptop', DOCUMENT, { privateOrigins });
      expect(await allowed.text()).toBe('secret\n\nsecret\n\nown');
    }
    const others = await agent.openDocument('laptop', DOCUMENT, { privateOrigins: ['http://10.0.0.1'] });
    expect(await failure(others.pages.get(0))).toMatchObject({ reason: 'refused' });
  });

  it('leads nowhere in a private network from a document that is no address itself', async () => {
    const inner = await startSite({ '/page': json(textPage('secret')) });
    const { agent } = await documentOffice([dataUri({ pages: [{ uri: `${inner.origin}/page` }] })]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect(await failure(document.pages.get(0))).toMatchObject({ reason: 'refused' });
    expect(inner.asked).toEqual([]);
  });
});

/** An empty folder, until the test is over. */
function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'a2c-documents-')));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}
const urlOf = (...path: string[]): string => pathToFileURL(join(...path)).href;

describe('documents in files', () => {
  it('are read where the Server is on loopback, with pages from their own folder [R-8.4-file-allowed] [R-8.4-fetch]', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'docs', 'pages'), { recursive: true });
    mkdirSync(join(folder, 'elsewhere'));
    const page = (text: string): string => JSON.stringify(textPage(text));
    writeFileSync(join(folder, 'docs', 'pages', '1.json'), page('one'));
    writeFileSync(join(folder, 'elsewhere', '2.json'), page('two'));
    symlinkSync(join(folder, 'elsewhere', '2.json'), join(folder, 'docs', 'link.json'));
    const uris = [
      'pages/1.json',
      '../elsewhere/2.json',
      urlOf(folder, 'elsewhere', '2.json'),
      'link.json',
      '%2e%2e/elsewhere/2.json',
      '.',
      'file://host/x',
    ];
    writeFileSync(join(folder, 'docs', 'd.json'), JSON.stringify({ pages: uris.map((uri) => ({ uri })) }));
    const { agent, asks } = await documentOffice([urlOf(folder, 'docs', 'd.json')]);
    const document = await agent.openDocument('laptop', DOCUMENT);
    expect((await document.pages.get(0)).text()).toBe('one');
    for (const index of uris.keys()) {
      if (index > 0) expect(await failure(document.pages.get(index))).toMatchObject({ reason: 'refused' });
    }
    const fileFolders = [join(folder, 'elsewhere')];
    const allowed = await agent.openDocument('laptop', DOCUMENT, { fileFolders });
    const texts = await Promise.all([1, 2, 3, 4].map(async (index) => (await allowed.pages.get(index)).text()));
    expect(texts).toEqual(['two', 'two', 'two', 'two']);
    expect(asks()).toBe(2);
  });

  it('are not read when the application does not allow it [R-8.4-file-allowed]', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'd.json'), '{"pages":[]}');
    const { agent } = await documentOffice([urlOf(folder, 'd.json')], { documents: { allowFiles: false } });
    expect(await failure(agent.openDocument('laptop', DOCUMENT))).toMatchObject({ reason: 'refused' });
    expect((await agent.openDocument('laptop', DOCUMENT, { allowFiles: true })).pages.count).toBe(0);
  });

  it('that are gone are asked for once more; folders and pipes are refused, large ones too', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'd.json'), `{"pages":[]}${' '.repeat(1_000)}`);
    const later = await documentOffice([urlOf(folder, 'gone.json'), urlOf(folder, 'd.json')]);
    expect((await later.agent.openDocument('laptop', DOCUMENT)).pages.count).toBe(0);
    expect(await failure(later.agent.openDocument('laptop', DOCUMENT, { maxFetchBytes: 1_000 }))).toMatchObject({
      reason: 'too-large',
    });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const uri of [urlOf(folder), urlOf(folder, 'pipe'), 'file:///dev/zero', 'file://otherhost/x', 'file:///%00']) {
      const { agent } = await documentOffice([uri]);
      expect(await failure(agent.openDocument('laptop', DOCUMENT))).toMatchObject({ reason: 'refused' });
    }
  });
});
