import { describe, expect, it, vi } from 'vitest';
import { FakeResourceHost, type FakeServer } from '../../../test/fixtures/computer/fake-resource-host.js';
import { silentLogger, type JsonObject } from '../../protocol/index.js';
import { type Diagnostic } from '../hosting.js';
import { Desktop, type DesktopSettings } from './desktop.js';

interface World {
  readonly host: FakeResourceHost;
  readonly desktop: Desktop;
  readonly reports: Diagnostic[];
  readonly warn: ReturnType<typeof vi.fn>;
  readonly onChanged: ReturnType<typeof vi.fn>;
}

function worldOf(servers: Record<string, FakeServer>, settings?: DesktopSettings): World {
  const host = new FakeResourceHost(servers);
  const reports: Diagnostic[] = [];
  const warn = vi.fn();
  const onChanged = vi.fn();
  const report = (diagnostic: Diagnostic): void => void reports.push(diagnostic);
  const logger = { ...silentLogger, warn };
  return { host, reports, warn, onChanged, desktop: new Desktop({ host, logger, settings, report, onChanged }) };
}

function serverOf(...uris: string[]): FakeServer {
  return {
    resources: uris.map((uri) => ({ uri })),
    contents: Object.fromEntries(uris.map((uri) => [uri, [{ uri, text: `text ${uri}` }]])),
  };
}

const never = (): Promise<readonly JsonObject[]> => new Promise(() => undefined);

describe('Desktop', () => {
  it('shows the windows of the servers that can subscribe, or of all when told so', async () => {
    const servers = { a: serverOf('window://a/1'), b: { ...serverOf('window://b/1'), subscribe: false } };
    expect(await worldOf(servers).desktop.collect({})).toEqual(['window://a/1\n\ntext window://a/1']);
    expect(await worldOf(servers, { requireSubscribe: false }).desktop.collect({})).toHaveLength(2);
  });

  it('reads URIs exactly as listed, no other schemes, and none twice', async () => {
    const { desktop, host } = worldOf({
      a: serverOf('window://a/路径?priority=1', 'file:///x', 'window://a/路径?priority=1'),
    });
    expect(await desktop.collect({})).toEqual(['window://a/路径\n\ntext window://a/路径?priority=1']);
    expect(host.requests).toEqual(['list a', 'read a window://a/路径?priority=1']);
  });

  it('costs a failing server, or a window that cannot be read, its own windows only, with a warning', async () => {
    const { desktop, warn } = worldOf({
      bad: { resources: () => Promise.reject(new Error('broken')) },
      half: {
        resources: [{ uri: 'window://h/gone' }, { uri: 'window://h/1' }],
        contents: { 'window://h/1': [{ text: 'x' }] },
      },
    });
    expect(await desktop.collect({})).toEqual(['window://h/1\n\nx']);
    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('reads only the window that is asked for, by listed or shown URI', async () => {
    const { desktop, host } = worldOf({ a: serverOf('window://a/1?old', 'window://a/2') });
    expect(await desktop.collect({ window: 'window://a/1' })).toEqual(['window://a/1\n\ntext window://a/1?old']);
    expect(await desktop.collect({ window: 'window://a/9' })).toEqual([]);
    expect(host.requests.filter((request) => request.startsWith('read'))).toEqual(['read a window://a/1?old']);
  });

  it('asks nobody when the size is 0 or less', async () => {
    const { desktop, host } = worldOf({ a: { resources: never } });
    expect(await desktop.collect({ size: 0 })).toEqual([]);
    expect(await desktop.collect({ size: -1 })).toEqual([]);
    expect(host.requests).toEqual([]);
  });

  it('puts the servers of the latest calls first, until they are forgotten', async () => {
    const { desktop } = worldOf({
      a: serverOf('window://a/1'),
      b: serverOf('window://b/1'),
      c: serverOf('window://c/1'),
    });
    for (const server of ['b', 'c', 'b']) desktop.recordCall(server);
    const hosts = async (): Promise<string[]> => (await desktop.collect({})).map((text) => text.charAt(9));
    expect(await hosts()).toEqual(['b', 'c', 'a']);
    desktop.forgetCalls();
    expect(await hosts()).toEqual(['a', 'b', 'c']);
  });

  it('reports a problem once per listing', async () => {
    const { desktop, reports } = worldOf({ a: serverOf('window://a/1?x', 'window://a/1?x') });
    await desktop.serverStarted('a');
    await desktop.collect({});
    await desktop.collect({});
    expect(reports.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('query'),
      expect.stringContaining('more than once'),
    ]);
    await desktop.resourcesChanged('a');
    await desktop.collect({});
    expect(reports).toHaveLength(4);
  });
});

describe('Desktop changes', () => {
  it('tells of a server with windows that starts and stops, not of one without', async () => {
    const { desktop, onChanged } = worldOf(
      { a: serverOf('window://a/1'), b: serverOf('file:///x') },
      { updateIntervalMs: 0 },
    );
    await desktop.serverStarted('b');
    desktop.serverStopped('b');
    expect(onChanged).not.toHaveBeenCalled();
    await desktop.serverStarted('a');
    expect(onChanged).toHaveBeenCalledTimes(1);
    desktop.serverStopped('a');
    await vi.waitFor(() => {
      expect(onChanged).toHaveBeenCalledTimes(2);
    });
  });

  it('tells of another set of window URIs only, and subscribes what is new', async () => {
    const { desktop, host, onChanged } = worldOf(
      { a: serverOf('window://a/1', 'window://a/2') },
      { updateIntervalMs: 0 },
    );
    await desktop.serverStarted('a');
    host.servers.set('a', serverOf('window://a/2', 'window://a/1', 'file:///new'));
    await desktop.resourcesChanged('a');
    expect(onChanged).toHaveBeenCalledTimes(1);
    host.servers.set('a', serverOf('window://a/2', 'window://a/3'));
    await desktop.resourcesChanged('a');
    await vi.waitFor(() => {
      expect(onChanged).toHaveBeenCalledTimes(2);
    });
    expect(host.requests.filter((request) => !request.startsWith('list'))).toEqual([
      'subscribe a window://a/1',
      'subscribe a window://a/2',
      'unsubscribe a window://a/1',
      'subscribe a window://a/3',
    ]);
  });

  it('tells of an update of a window of a server that takes part', async () => {
    const { desktop, onChanged } = worldOf({ a: serverOf(), b: { subscribe: false } }, { updateIntervalMs: 0 });
    await Promise.all([desktop.serverStarted('a'), desktop.serverStarted('b')]);
    desktop.resourceUpdated('a', 'file:///x');
    desktop.resourceUpdated('b', 'window://b/1');
    expect(onChanged).not.toHaveBeenCalled();
    desktop.resourceUpdated('a', 'window://a/1');
    expect(onChanged).toHaveBeenCalledTimes(1);
  });

  it('makes two calls of a burst, the last of them after the last change', async () => {
    const { desktop, onChanged } = worldOf({ a: serverOf() }, { updateIntervalMs: 50 });
    await desktop.serverStarted('a');
    for (let count = 0; count < 200; count += 1) desktop.resourceUpdated('a', 'window://a/1');
    expect(onChanged).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => {
      expect(onChanged).toHaveBeenCalledTimes(2);
    });
    desktop.resourceUpdated('a', 'window://a/1');
    desktop.close();
    expect(onChanged).toHaveBeenCalledTimes(2);
  });

  it('lists twice for two hundred notices in a tick, and not for ever for a server that notifies while it lists', async () => {
    const { desktop, host } = worldOf({ a: serverOf('window://a/1') });
    await desktop.serverStarted('a');
    host.requests.length = 0;
    await Promise.all(Array.from({ length: 200 }, () => desktop.resourcesChanged('a')));
    expect(host.requests).toEqual(['list a', 'list a']);
    host.requests.length = 0;
    host.servers.set('a', {
      resources: () => {
        void desktop.resourcesChanged('a');
        return Promise.resolve([]);
      },
    });
    await desktop.resourcesChanged('a');
    expect(host.requests.filter((request) => request === 'list a').length).toBeLessThanOrEqual(3);
  });
});
