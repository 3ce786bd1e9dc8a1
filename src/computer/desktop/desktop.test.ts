import { describe, expect, it, vi } from 'vitest';
import { FakeResourceHost, type FakeServer } from '../../../test/fixtures/computer/fake-resource-host.js';
import { silentLogger, type JsonObject } from '../../protocol/index.js';
import type { Diagnostic } from '../hosting.js';
import { Desktop, type DesktopSettings } from './desktop.js';

interface World {
  readonly host: FakeResourceHost;
  readonly desktop: Desktop;
  readonly reports: Diagnostic[];
  readonly warn: ReturnType<typeof vi.fn>;
  readonly onChanged: ReturnType<typeof vi.fn>;
  /** Does what happens when a server has listed its resources. */
  readonly list: (server: string) => Promise<void>;
}

function worldOf(servers: Record<string, FakeServer>, settings?: DesktopSettings): World {
  const host = new FakeResourceHost(servers);
  const reports: Diagnostic[] = [];
  const warn = vi.fn();
  const onChanged = vi.fn();
  const report = (diagnostic: Diagnostic): void => void reports.push(diagnostic);
  const logger = { ...silentLogger, warn };
  const listing = (): Promise<void> => Promise.resolve();
  const desktop = new Desktop({
    host,
    logger,
    settings: { updateIntervalMs: 0, ...settings },
    listing,
    report,
    onChanged,
  });
  const list = async (server: string): Promise<void> => desktop.listed(server, await host.listAllResources(server));
  return { host, reports, warn, onChanged, desktop, list };
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
    expect(host.requests.filter((request) => !request.startsWith('sub'))).toEqual([
      'list a',
      'read a window://a/路径?priority=1',
    ]);
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
    const { desktop, reports, list } = worldOf({ a: serverOf('window://a/1?x', 'window://a/1?x') });
    await list('a');
    await desktop.collect({});
    await desktop.collect({});
    expect(reports.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('query'),
      expect.stringContaining('more than once'),
    ]);
    await list('a');
    await desktop.collect({});
    expect(reports).toHaveLength(4);
  });
});

describe('What a Desktop knows already', () => {
  const reads = ({ host }: World): string[] => host.requests.filter((request) => request.startsWith('read'));

  async function warm(servers: Record<string, FakeServer>, settings?: DesktopSettings): Promise<World> {
    const world = worldOf(servers, settings);
    for (const server of Object.keys(servers)) await world.list(server);
    await world.desktop.collect({});
    world.host.requests.length = 0;
    return world;
  }

  it('is neither listed nor read again', async () => {
    const world = await warm({ a: serverOf('window://a/1', 'window://a/2') });
    expect(await world.desktop.collect({})).toHaveLength(2);
    expect(await world.desktop.collect({ window: 'window://a/2' })).toHaveLength(1);
    expect(world.host.requests).toEqual([]);
  });

  it('is asked for once by requests that come together', async () => {
    const world = worldOf({ a: serverOf('window://a/1') });
    const all = await Promise.all([1, 2, 3].map(() => world.desktop.collect({})));
    expect(all.map(([text]) => text)).toEqual(Array.from({ length: 3 }, () => 'window://a/1\n\ntext window://a/1'));
    expect(world.host.requests.filter((request) => !request.startsWith('sub'))).toEqual([
      'list a',
      'read a window://a/1',
    ]);
  });

  it.each<[string, (world: World) => unknown, string[]]>([
    [
      'an update of a window',
      ({ desktop }) => {
        desktop.resourceUpdated('a', 'window://a/1');
      },
      ['read a window://a/1'],
    ],
    [
      'an update that names it in another way',
      ({ desktop }) => {
        desktop.resourceUpdated('a', 'window://a/1#now');
      },
      ['read a window://a/1', 'read a window://a/2'],
    ],
    [
      'another list',
      ({ desktop }) => {
        desktop.resourcesChanged('a');
      },
      ['list a', 'read a window://a/1', 'read a window://a/2'],
    ],
    [
      'a restart',
      ({ desktop, list }) => {
        desktop.serverStopped('a');
        return list('a');
      },
      ['list a', 'read a window://a/1', 'read a window://a/2'],
    ],
  ])('is forgotten after %s, and the other server is left alone', async (_what, happen, requests) => {
    const world = await warm({ a: serverOf('window://a/1', 'window://a/2'), b: serverOf('window://b/1') });
    await happen(world);
    await world.desktop.collect({});
    expect(world.host.requests.filter((request) => !request.startsWith('sub'))).toEqual(requests);
    await world.desktop.collect({});
    expect(reads(world)).toEqual(requests.filter((request) => request.startsWith('read')));
  });

  it('counts for a limited time, even if the server tells of nothing', async () => {
    const world = await warm({ a: serverOf('window://a/1') }, { maxAgeMs: 1_000 });
    await world.desktop.collect({});
    expect(world.host.requests).toEqual([]);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockReturnValue(now + 1_001);
    await world.desktop.collect({});
    vi.restoreAllMocks();
    expect(world.host.requests).toEqual(['list a', 'read a window://a/1']);
  });

  it('does not count where the server would not tell of a change', async () => {
    const refused = Promise.reject(new Error('no'));
    refused.catch(() => undefined);
    const world = await warm({
      silent: { ...serverOf('window://s/1'), silent: true },
      refusing: { ...serverOf('window://r/1'), subscribed: refused },
    });
    await world.desktop.collect({});
    expect(world.host.requests.filter((request) => !request.includes('sub')).sort()).toEqual([
      'list silent',
      'read refusing window://r/1',
    ]);
  });

  it('is not what a read gave that began before an update', async () => {
    const world = await warm({ a: serverOf('window://a/1') });
    world.desktop.resourceUpdated('a', 'window://a/1');
    const early = world.desktop.collect({});
    world.host.servers.set('a', { ...serverOf('window://a/1'), contents: { 'window://a/1': [{ text: 'new' }] } });
    world.desktop.resourceUpdated('a', 'window://a/1');
    expect(await early).toHaveLength(1);
    expect(await world.desktop.collect({})).toEqual(['window://a/1\n\nnew']);
  });

  it('is told of when it comes too late, and nobody waits for it twice', async () => {
    let answer: (resources: readonly JsonObject[]) => void = () => undefined;
    const resources = new Promise<readonly JsonObject[]>((resolve) => (answer = resolve));
    const slow = { ...serverOf('window://slow/1'), resources: () => resources };
    const world = worldOf({ slow, a: serverOf('window://a/1') }, { serverTimeoutMs: 50 });
    expect(await world.desktop.collect({})).toHaveLength(1);
    const began = performance.now();
    for (let count = 0; count < 20; count++) expect(await world.desktop.collect({})).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(20 * 50);
    world.onChanged.mockClear();
    answer([{ uri: 'window://slow/1' }]);
    await vi.waitFor(() => {
      expect(world.onChanged).toHaveBeenCalled();
    });
    expect(await world.desktop.collect({})).toHaveLength(2);
    expect(world.warn).toHaveBeenCalledTimes(1);
  });

  it('says once that a window cannot be read, until it could be', async () => {
    const world = worldOf({ a: { resources: [{ uri: 'window://a/1' }] } });
    for (let count = 0; count < 3; count++) await world.desktop.collect({});
    expect(world.warn).toHaveBeenCalledTimes(1);
    world.host.servers.set('a', serverOf('window://a/1'));
    world.desktop.resourceUpdated('a', 'window://a/1');
    expect(await world.desktop.collect({})).toHaveLength(1);
    world.host.servers.set('a', { resources: [{ uri: 'window://a/1' }] });
    world.desktop.resourceUpdated('a', 'window://a/1');
    await world.desktop.collect({});
    expect(world.warn).toHaveBeenCalledTimes(2);
  });
});

describe('Desktop changes', () => {
  it('tells of a server with windows that starts and stops, not of one without', async () => {
    const { desktop, list, onChanged } = worldOf({ a: serverOf('window://a/1'), b: serverOf('file:///x') });
    await list('b');
    desktop.serverStopped('b');
    expect(onChanged).not.toHaveBeenCalled();
    await list('a');
    expect(onChanged).toHaveBeenCalledTimes(1);
    desktop.serverStopped('a');
    await vi.waitFor(() => {
      expect(onChanged).toHaveBeenCalledTimes(2);
    });
  });

  it('tells of another set of window URIs only, and subscribes what is new', async () => {
    const { list, host, onChanged } = worldOf({ a: serverOf('window://a/1', 'window://a/2') });
    await list('a');
    host.servers.set('a', serverOf('window://a/2', 'window://a/1', 'file:///new'));
    await list('a');
    expect(onChanged).toHaveBeenCalledTimes(1);
    host.servers.set('a', serverOf('window://a/2', 'window://a/3'));
    await list('a');
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

  it('subscribes again after a restart', async () => {
    const { desktop, list, host } = worldOf({ a: serverOf('window://a/1') });
    await list('a');
    desktop.serverStopped('a');
    await list('a');
    expect(host.requests.filter((request) => request.startsWith('sub'))).toHaveLength(2);
  });

  it('tells of an update of a window of a server that takes part', async () => {
    const { desktop, list, onChanged } = worldOf({ a: serverOf(), b: { subscribe: false } });
    await Promise.all([list('a'), list('b')]);
    desktop.resourceUpdated('a', 'file:///x');
    desktop.resourceUpdated('b', 'window://b/1');
    expect(onChanged).not.toHaveBeenCalled();
    desktop.resourceUpdated('a', 'window://a/1');
    expect(onChanged).toHaveBeenCalledTimes(1);
  });

  it('makes two calls of a burst, the last of them after the last change', async () => {
    const { desktop, list, onChanged } = worldOf({ a: serverOf() }, { updateIntervalMs: 50 });
    await list('a');
    for (let count = 0; count < 200; count += 1) desktop.resourceUpdated('a', 'window://a/1');
    expect(onChanged).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => {
      expect(onChanged).toHaveBeenCalledTimes(2);
    });
    desktop.resourceUpdated('a', 'window://a/1');
    desktop.close();
    expect(onChanged).toHaveBeenCalledTimes(2);
  });

  it('hears of other windows while a subscription is not answered, and subscribes to them one list after the other', async () => {
    let answer = (): void => undefined;
    const subscribed = new Promise<void>((resolve) => (answer = resolve));
    const { desktop, host, onChanged } = worldOf({ a: { ...serverOf('window://a/1'), subscribed } });
    const first = desktop.listed('a', [{ uri: 'window://a/1' }]);
    await vi.waitFor(() => {
      expect(host.requests).toEqual(['subscribe a window://a/1']);
    });
    const second = desktop.listed('a', [{ uri: 'window://a/1' }, { uri: 'window://a/2' }]);
    await vi.waitFor(() => {
      expect(onChanged).toHaveBeenCalledTimes(2);
    });
    expect(host.requests).toEqual(['subscribe a window://a/1']);
    answer();
    await Promise.all([first, second]);
    expect(host.requests).toEqual(['subscribe a window://a/1', 'subscribe a window://a/2']);
  });

  it('says once for a whole list that subscriptions failed', async () => {
    const subscribed = Promise.reject(new Error('cannot'));
    subscribed.catch(() => undefined);
    const { list, warn } = worldOf({ a: { ...serverOf('window://a/1', 'window://a/2', 'window://a/3'), subscribed } });
    await list('a');
    expect(warn.mock.calls).toEqual([
      [
        { server: 'a', uri: 'window://a/1', problem: 'cannot', windows: 3 },
        'Window subscriptions could not be changed',
      ],
    ]);
  });
});
