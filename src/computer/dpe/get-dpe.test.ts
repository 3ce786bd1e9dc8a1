import { describe, expect, it, vi } from 'vitest';
import { FakeResourceHost, type FakeServer } from '../../../test/fixtures/computer/fake-resource-host.js';
import { ProtocolError, silentLogger, type JsonObject } from '../../protocol/index.js';
import { Redactor } from '../redactor.js';
import type { DpeResolver } from './dpe-resolver.js';
import { getDpe, type SharedHosts } from './get-dpe.js';
import { HostIndex } from './host-index.js';
import { Resolutions } from './resolutions.js';

const URI = 'dpe://com.docs/report';
const contents = [{ uri: URI, text: '{"pages":[]}', mimeType: 'application/json' }];
const docs: FakeServer = { resources: [{ uri: URI, name: 'r' }], contents: { [URI]: contents } };
const stored = { uri: 'https://store/1', mimeType: 'application/json', size: 12 };
const fine: DpeResolver = { resolve: () => Promise.resolve(stored) };

interface Given {
  readonly servers?: Record<string, FakeServer>;
  readonly resolver?: DpeResolver | undefined;
  readonly request?: JsonObject;
  readonly warn?: () => void;
  readonly report?: () => void;
  readonly redactor?: Redactor;
  readonly sharedHosts?: SharedHosts;
  /** Whether the servers' lists are still on their way when the request comes. */
  readonly listing?: boolean;
}

async function ask(uri: string, given: Given = {}): Promise<JsonObject> {
  const host = new FakeResourceHost(given.servers ?? { docs });
  const index = new HostIndex();
  const list = (): Promise<void> => {
    for (const [name, server] of host.servers) {
      const resources = Array.isArray(server.resources) ? (server.resources as JsonObject[]) : [];
      index.update(name, { resources, templates: [] });
    }
    return Promise.resolve();
  };
  if (given.listing !== true) await list();
  const request = { agent: 'ann', req_id: 'r1', computer: 'c', uri, ...given.request };
  const common = {
    host,
    index,
    redactor: given.redactor ?? new Redactor(),
    logger: { ...silentLogger, warn: given.warn ?? (() => undefined) },
    signal: new AbortController().signal,
  };
  const resolutions = new Resolutions(common);
  resolutions.resolver = 'resolver' in given ? given.resolver : fine;
  try {
    return await getDpe(request, {
      ...common,
      resolutions,
      sharedHosts: given.sharedHosts ?? 'warn',
      report: given.report ?? (() => undefined),
      listed: list,
    });
  } catch (error) {
    if (error instanceof ProtocolError) return { ...error.toPayload() };
    throw error;
  }
}

describe('getDpe', () => {
  it('answers with what the resolver made of the document', async () => {
    const resolve = vi.fn(() => Promise.resolve(stored));
    const answer = await ask(URI, { resolver: { resolve } });
    expect(answer).toEqual({ uri: 'https://store/1', mime_type: 'application/json', size: 12, req_id: 'r1' });
    const hint = {
      mcpServerName: 'docs',
      mimeType: 'application/json',
      agent: 'ann',
      reqId: 'r1',
      resource: { uri: URI, name: 'r' },
    };
    expect(resolve).toHaveBeenCalledWith(URI, contents, hint, { signal: expect.any(AbortSignal) as AbortSignal });
  });

  it('cuts off a query with one warning, and finds the host in any case', async () => {
    const warn = vi.fn();
    expect(await ask(`${URI}?a=1`, { warn })).toMatchObject({ uri: 'https://store/1' });
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it.each([
    '',
    'dpe://',
    'dpe://h',
    'dpe://h//',
    'http://h/d',
    'dpe:h/d',
    ` ${URI}`,
    `${URI}#page`,
    `${URI}?q#f`,
    'dpe://h/%ff',
  ])('refuses %j with 4012 before anything else [R-8.3-invalid-uri]', async (uri) => {
    const error = await ask(uri, { resolver: undefined });
    expect(error).toMatchObject({ code: 4012, uri });
    expect(error['reason']).toEqual(expect.any(String));
  });

  it('says 4011 without a resolver, before looking for the host', async () => {
    expect(await ask('dpe://unknown/x?q', { resolver: undefined })).toMatchObject({
      code: 4011,
      uri: 'dpe://unknown/x?q',
    });
  });

  const failing = (category: string, uri = URI): JsonObject => ({
    code: 4013,
    category,
    uri,
    reason: expect.any(String) as string,
  });
  it.each([
    ['an unknown host', 'unknown_host', { servers: { docs: { resources: [{ uri: 'window://com.docs/w' }] } } }],
    ['a server that is down', 'upstream_unavailable', { servers: { docs: { ...docs, running: false } } }],
    ['a failing read', 'upstream_unavailable', { servers: { docs: { ...docs, contents: {} } } }],
    ['empty contents', 'invalid_content', { servers: { docs: { ...docs, contents: { [URI]: [] } } } }],
    ['contents of another kind', 'invalid_content', { servers: { docs: { ...docs, contents: { [URI]: 'text' } } } }],
    ['a rejecting resolver', 'resolver_error', { resolver: { resolve: () => Promise.reject(new Error('10.0.0.1')) } }],
    [
      'a throwing resolver',
      'resolver_error',
      {
        resolver: {
          resolve: () => {
            throw new Error('10.0.0.1');
          },
        },
      },
    ],
  ] as const)('answers 4013 for %s [R-8.3-resolver]', async (_what, category, given) => {
    const error = await ask(URI, given);
    expect(error).toMatchObject(failing(category));
    expect(JSON.stringify(error)).not.toContain('10.0.0.1');
  });

  it('answers 4013 resolver_error when the resolver does not finish in time, and aborts it', async () => {
    let seen: AbortSignal | undefined;
    const resolver: DpeResolver = {
      resolve: (_uri, _contents, _hint, { signal }) => {
        seen = signal;
        return new Promise(() => undefined);
      },
    };
    expect(await ask(URI, { resolver, request: { timeout: 1 } })).toMatchObject(failing('resolver_error'));
    expect(seen?.aborted).toBe(true);
  });

  it.each([
    undefined,
    null,
    'https://x',
    {},
    { uri: 7 },
    { uri: '' },
    { uri: 'relative/path' },
    { uri: '/abs' },
    { uri: 'C:\\x' },
    { uri: 'https://a b' },
  ])('answers 4013 resolver_returned_invalid for %j', async (returned) => {
    const resolver = { resolve: () => Promise.resolve(returned) } as unknown as DpeResolver;
    expect(await ask(URI, { resolver })).toMatchObject(failing('resolver_returned_invalid'));
  });

  it('carries on what else the resolver returned, and leaves out what has the wrong type', async () => {
    const returned = { uri: 's3://b/k', size: -1, mimeType: 7, name: 'n', annotations: { a: 1 }, _meta: [], other: 1 };
    const resolver = { resolve: () => Promise.resolve(returned) } as unknown as DpeResolver;
    expect(await ask(URI, { resolver })).toEqual({ uri: 's3://b/k', name: 'n', annotations: { a: 1 }, req_id: 'r1' });
  });

  it('waits for lists that are under way before it calls a host unknown', async () => {
    expect(await ask(URI, { listing: true })).toMatchObject({ uri: 'https://store/1' });
  });

  it('asks the first registered of several servers, with a warning that names them', async () => {
    const report = vi.fn();
    const other: FakeServer = { resources: docs.resources ?? [], contents: {} };
    expect(await ask(URI, { servers: { docs, other }, report })).toMatchObject({ uri: 'https://store/1' });
    expect(JSON.stringify(report.mock.calls)).toMatch(/docs.*other.*com.docs|com.docs.*docs.*other/);
  });

  it('refuses a host that several servers use when it is told to, naming them, and no other host [R-8.3-shared-host]', async () => {
    const own = 'dpe://own/1';
    const windows: FakeServer = {
      resources: [{ uri: 'window://Com.Docs/w' }, { uri: own }],
      contents: { [own]: contents },
    };
    const servers = { docs, windows };
    const error = await ask(URI, { servers, sharedHosts: 'refuse' });
    expect(error).toMatchObject(failing('unknown_host'));
    expect(error['reason']).toMatch(/"docs", "windows".*refuses/);
    expect(await ask(own, { servers, sharedHosts: 'refuse' })).toMatchObject({ uri: 'https://store/1' });
  });
});
