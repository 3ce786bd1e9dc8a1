import { describe, expect, it } from 'vitest';
import type { DiscoveredDocument, DiscoverOptions, DiscoveryProblem } from '../../src/agent/index.js';
import { fakeComputer, failure, joinedAgent, startServer, until, type Answerer } from './agent-fixtures.js';
import { RecordingLogger } from '../support/recording-logger.js';

type Lists = Readonly<Record<string, readonly unknown[] | Answerer>>;

/** An Agent, and a Computer whose MCP servers list what they are told to, two resources a page. */
async function office(lists: Lists, config: Record<string, unknown> = {}) {
  const { url } = await startServer();
  const asked: string[] = [];
  const logger = new RecordingLogger();
  const computer = await fakeComputer(
    url,
    { office: 'discovery', name: 'laptop' },
    {
      'client:get_config': ({ req_id }) => {
        const servers = Object.fromEntries(Object.keys(lists).map((name) => [name, { type: 'stdio' }]));
        return { servers: { ...servers, ...config }, inputs: null, req_id };
      },
      'client:get_resources': (payload, ack) => {
        const { mcp_server: server, cursor, req_id } = payload as Record<string, string>;
        asked.push(`${String(server)} ${cursor ?? ''}`.trim());
        const list = lists[String(server)] ?? [];
        if (typeof list === 'function') return list(payload, ack);
        const from = Number(cursor ?? 0);
        const next = from + 2 < list.length ? { next_cursor: String(from + 2) } : {};
        return { resources: list.slice(from, from + 2), ...next, req_id };
      },
    },
  );
  const agent = await joinedAgent(url, 'discovery', { logger });
  const discover = async (options: DiscoverOptions = {}): Promise<DiscoveredDocument[]> => {
    const found: DiscoveredDocument[] = [];
    for await (const document of agent.discoverDocuments('laptop', options)) found.push(document);
    return found;
  };
  return { agent, computer, discover, asked, logger };
}

const uris = (found: readonly DiscoveredDocument[]): string[] =>
  found.map(({ server, uri }) => `${server} ${uri}`).sort();

describe('discovering documents', () => {
  it('reads all pages of all servers and keeps what is a document [R-8.4-discovery]', async () => {
    const { discover, asked } = await office(
      {
        docs: ['dpe://h/1', 'window://h/w', 'dpe://h/2?old=1', 'dpe://h', 'memo:x', 'DPE://h/3'].map((uri) => ({
          uri,
        })),
        more: [{ uri: 'dpe://other/1' }],
        none: [],
      },
      { off: { type: 'stdio', disabled: true } },
    );
    expect(uris(await discover())).toEqual([
      'docs DPE://h/3',
      'docs dpe://h/1',
      'docs dpe://h/2?old=1',
      'more dpe://other/1',
    ]);
    expect(asked.sort()).toEqual(['docs', 'docs 2', 'docs 4', 'more', 'none']);
  });

  it('reads what is said of a document, and takes what is wrong as absent [R-4.3-absent-null]', async () => {
    const full = {
      uri: 'dpe://h/1',
      name: 'Report',
      description: 'About it',
      mimeType: 'application/json',
      annotations: { lastModified: '2026-01-15T08:30:00Z', audience: ['user'] },
      _meta: { keywords: ['a', 7, 'b'], file_type: 'xlsx', page_count: 12, own: true },
      further: 1,
    };
    const wrong = {
      uri: 'dpe://h/2',
      name: 7,
      annotations: [],
      _meta: { keywords: 'a', file_type: null, page_count: 0 },
    };
    const { discover } = await office({ docs: [full, wrong, { name: 'no URI' }, { uri: 7 }, 'text', null] });
    expect(await discover()).toEqual([
      {
        server: 'docs',
        uri: 'dpe://h/1',
        name: 'Report',
        description: 'About it',
        keywords: ['a', 'b'],
        fileType: 'xlsx',
        pageCount: 12,
        mimeType: 'application/json',
        lastModified: '2026-01-15T08:30:00Z',
        resource: full,
      },
      { server: 'docs', uri: 'dpe://h/2', keywords: [], resource: wrong },
    ]);
  });

  it('shows what is filtered, of the servers that are named, other resources too where that is wanted', async () => {
    const { discover, asked } = await office({
      docs: [{ uri: 'dpe://h/1', _meta: { file_type: 'pdf' } }, { uri: 'dpe://h/2' }, { uri: 'memo:x' }],
      other: [{ uri: 'dpe://other/1', _meta: { file_type: 'pdf' } }],
    });
    expect(uris(await discover({ servers: ['docs'], filter: ({ fileType }) => fileType === 'pdf' }))).toEqual([
      'docs dpe://h/1',
    ]);
    expect(asked).toEqual(['docs', 'docs 2']);
    expect(uris(await discover({ servers: ['docs'], allResources: true }))).toHaveLength(3);
  });

  it('loses only the documents of a server that fails, and says which', async () => {
    const half: Answerer = ({ cursor, req_id }) =>
      cursor == null
        ? { resources: [{ uri: 'dpe://half/1' }], next_cursor: 'x', req_id }
        : { code: 500, message: 'broken' };
    const lists: Lists = {
      fine: [{ uri: 'dpe://fine/1' }],
      gone: () => ({ code: 404, message: 'no such server', mcp_server_name: 'gone' }),
      newer: () => ({ code: 4014, message: 'no such server' }),
      half,
      nonsense: () => ({ resources: 'none' }),
      hangs: () => undefined,
    };
    const { discover, logger } = await office(lists);
    const problems: DiscoveryProblem[] = [];
    const found = await discover({ timeoutMs: 300, onProblem: (problem) => problems.push(problem) });
    expect(uris(found)).toEqual(['fine dpe://fine/1', 'half dpe://half/1']);
    expect(problems.map(({ server, reason }) => `${server} ${reason}`).sort()).toEqual([
      'gone not-found',
      'half failed',
      'hangs failed',
      'newer not-found',
      'nonsense failed',
    ]);
    await discover({ timeoutMs: 300 });
    expect(logger.of('warn')).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ server: 'half' }) as object }),
    );
  });

  it('fails when the Computer itself is not there, or goes meanwhile', async () => {
    const { agent, discover, computer } = await office({
      a: () => {
        computer.socket.disconnect();
        return undefined;
      },
    });
    expect(await failure(discover())).toMatchObject({ code: 404 });
    expect(await failure(agent.discoverDocuments('nobody').next())).toMatchObject({ code: 404 });
  });

  it('does not wait for a slow server before it shows those of others, and stops asking when nobody wants more', async () => {
    const endless: Answerer = ({ cursor, req_id }) => {
      const page = Number(cursor ?? 0);
      return { resources: [{ uri: `dpe://endless/${page}` }], next_cursor: String(page + 1), req_id };
    };
    const { agent, asked } = await office({ hangs: () => undefined, endless });
    const seen: string[] = [];
    for await (const { uri } of agent.discoverDocuments('laptop')) {
      seen.push(uri);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(['dpe://endless/0', 'dpe://endless/1', 'dpe://endless/2']);
    await until(() => asked.length >= 4);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it('goes through 100,000 documents without holding them', async () => {
    const list = Array.from({ length: 100_000 }, (_, index) => ({ uri: `dpe://h/${index}` }));
    const long: Answerer = ({ cursor, req_id }) => {
      const from = Number(cursor ?? 0);
      const next = from + 10_000 < list.length ? { next_cursor: String(from + 10_000) } : {};
      return { resources: list.slice(from, from + 10_000), ...next, req_id };
    };
    const { agent } = await office({ long });
    let count = 0;
    for await (const document of agent.discoverDocuments('laptop'))
      count += Number(document.uri.startsWith('dpe://h/'));
    expect(count).toBe(100_000);
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const { discover, asked } = await office({ hangs: () => undefined });
    const given = failure(discover({ signal: stop.signal }));
    await until(() => asked.length === 1);
    const reason = new Error('enough');
    stop.abort(reason);
    expect(await given).toBe(reason);
  });
});
