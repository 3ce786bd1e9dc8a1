import { describe, expect, it, vi, type Mock } from 'vitest';
import { FakeResourceHost, type FakeServer } from '../../../test/fixtures/computer/fake-resource-host.js';
import { silentLogger, type JsonObject } from '../../protocol/index.js';
import { Redactor } from '../redactor.js';
import type { DpeResolver } from './dpe-resolver.js';
import { HostIndex } from './host-index.js';
import { Resolutions } from './resolutions.js';

const URI = 'dpe://h/1';
const OTHER = 'dpe://h/2';
const wanted = { server: 'docs', uri: URI, agent: 'ann', reqId: 'r1' };
const docs: FakeServer = { contents: { [URI]: [{ text: 'one' }], [OTHER]: [{ text: 'two' }] } };

interface Setting {
  readonly host: FakeResourceHost;
  readonly resolutions: Resolutions;
  /** Asks, without a limit of its own. */
  readonly get: (uri?: string, signal?: AbortSignal, agent?: string) => Promise<JsonObject>;
  /** How often a document was read. */
  readonly reads: () => number;
  readonly advance: (ms: number) => void;
}

function setUp(resolver: DpeResolver, server: FakeServer = docs): Setting {
  const host = new FakeResourceHost({ docs: server });
  let now = 1_000_000;
  const resolutions = new Resolutions({
    host,
    index: new HostIndex(),
    redactor: new Redactor(),
    logger: silentLogger,
    signal: new AbortController().signal,
    now: () => now,
  });
  resolutions.resolver = resolver;
  return {
    host,
    resolutions,
    get: (uri = URI, signal = new AbortController().signal, agent = 'ann') =>
      resolutions.get({ ...wanted, uri, agent }, resolver, signal),
    reads: () => host.requests.filter((request) => request.startsWith('read')).length,
    advance: (ms) => (now += ms),
  };
}

function answering(meta?: JsonObject): DpeResolver & { readonly resolve: Mock<DpeResolver['resolve']> } {
  return {
    resolve: vi.fn<DpeResolver['resolve']>(() => Promise.resolve({ uri: 'https://s/1', ...(meta && { _meta: meta }) })),
  };
}

/** Asks until what is kept counts: once to be subscribed, and once to be kept. */
async function warm(setting: Setting): Promise<void> {
  await setting.get();
  await Promise.resolve();
  await setting.get();
}

/** A resolver that answers when it is told to. */
function waiting(): DpeResolver & { readonly signals: AbortSignal[]; readonly answer: (uri: string) => void } {
  const answers: ((uri: string) => void)[] = [];
  const signals: AbortSignal[] = [];
  return {
    signals,
    answer: (uri) => answers.shift()?.(uri),
    resolve: (_uri, _contents, _hint, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => {
        answers.push((uri) => {
          resolve({ uri });
        });
      });
    },
  };
}

describe('Requests for one document at a time', () => {
  it('share one resolution; another document, or another Agent, has its own', async () => {
    const resolver = answering();
    const { get, reads } = setUp(resolver);
    const answers = await Promise.all([get(), get(), get()]);
    expect(answers).toEqual(answers.map(() => ({ uri: 'https://s/1' })));
    expect([reads(), resolver.resolve.mock.calls.length]).toEqual([1, 1]);
    await Promise.all([get(OTHER), get(OTHER, undefined, 'bob')]);
    expect(resolver.resolve.mock.calls).toHaveLength(3);
  });

  it('have each their own limit: one that gives up ends it for itself alone, the last one for good', async () => {
    const resolver = waiting();
    const { get } = setUp(resolver);
    const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
    const one = get(URI, first.signal);
    const two = get(URI, second.signal);
    await vi.waitFor(() => {
      expect(resolver.signals).toHaveLength(1);
    });
    first.abort();
    await expect(one).rejects.toMatchObject({ category: 'resolver_error', message: /in time/ });
    expect(resolver.signals[0]?.aborted).toBe(false);
    resolver.answer('https://s/late');
    expect(await two).toEqual({ uri: 'https://s/late' });

    const alone = get(OTHER, third.signal);
    await vi.waitFor(() => {
      expect(resolver.signals).toHaveLength(2);
    });
    third.abort();
    await expect(alone).rejects.toMatchObject({ category: 'resolver_error' });
    expect(resolver.signals[1]?.aborted).toBe(true);
  });

  it('share a failure too, and what comes after it begins anew', async () => {
    const resolve = vi.fn<DpeResolver['resolve']>(() => Promise.reject(new Error('full')));
    const { get, reads } = setUp({ resolve });
    const outcomes = await Promise.allSettled([get(), get()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reads()).toBe(1);
    resolve.mockResolvedValue({ uri: 'ab:1' });
    expect(await get()).toEqual({ uri: 'ab:1' });
  });

  it('that come after a change do not get what was read before it', async () => {
    const resolver = waiting();
    const { get, resolutions } = setUp(resolver);
    const before = get();
    await vi.waitFor(() => {
      expect(resolver.signals).toHaveLength(1);
    });
    resolutions.resourceUpdated('docs', URI);
    const after = get();
    await vi.waitFor(() => {
      expect(resolver.signals).toHaveLength(2);
    });
    resolver.answer('ab:old');
    resolver.answer('ab:new');
    expect([await before, await after]).toEqual([{ uri: 'ab:old' }, { uri: 'ab:new' }]);
  });

  it('fail with upstream_unavailable when the time is up while the server is read', async () => {
    const { get, host } = setUp(answering());
    vi.spyOn(host, 'readResource').mockReturnValue(new Promise(() => undefined));
    const ending = new AbortController();
    const asked = get(URI, ending.signal);
    ending.abort();
    await expect(asked).rejects.toMatchObject({ category: 'upstream_unavailable', message: /"docs".*in time/ });
  });
});

describe('A document that is subscribed to', () => {
  it('is read and resolved no more until its server says that it changed, and its resolver hears of that', async () => {
    const forget = vi.fn();
    const resolver = { ...answering(), forget };
    const setting = setUp(resolver);
    const { get, reads, host, resolutions } = setting;
    await warm(setting);
    expect(host.requests).toContain(`subscribe docs ${URI}`);
    await get();
    await get();
    expect([reads(), resolver.resolve.mock.calls.length]).toEqual([2, 2]);
    expect(forget).not.toHaveBeenCalled();
    resolutions.resourceUpdated('docs', URI);
    expect(forget.mock.calls).toEqual([[URI]]);
    await get();
    expect(reads()).toBe(3);
    await get();
    expect(reads()).toBe(3);
  });

  const another = (resolutions: Resolutions): void => {
    resolutions.resolver = answering();
  };
  it.each<[string, (resolutions: Resolutions) => void]>([
    [
      'another spelling of it changed',
      (it) => {
        it.resourceUpdated('docs', 'DPE://H//1?x');
      },
    ],
    [
      'something changed that is not known',
      (it) => {
        it.resourceUpdated('docs', 'file:///1');
      },
    ],
    [
      'the list of its server changed',
      (it) => {
        it.resourcesChanged('docs');
      },
    ],
    [
      'its server stopped',
      (it) => {
        it.serverStopped('docs');
      },
    ],
    [
      'the office is another one',
      (it) => {
        it.clear();
      },
    ],
    ['another resolver is registered', another],
  ])('is read again after %s', async (_what, happen) => {
    const setting = setUp(answering());
    await warm(setting);
    happen(setting.resolutions);
    await setting.get();
    expect(setting.reads()).toBe(3);
  });

  it.each<[string, (resolutions: Resolutions) => void]>([
    [
      'a window of its server',
      (it) => {
        it.resourceUpdated('docs', 'window://h/1');
      },
    ],
    [
      'another server',
      (it) => {
        it.resourceUpdated('other', URI);
        it.resourcesChanged('other');
        it.serverStopped('other');
      },
    ],
  ])('is not read again for a change of %s', async (_what, happen) => {
    const setting = setUp(answering());
    await warm(setting);
    happen(setting.resolutions);
    await setting.get();
    expect(setting.reads()).toBe(2);
  });

  it('is not read again when another document of its server changed that is known', async () => {
    const setting = setUp(answering());
    await warm(setting);
    await setting.get(OTHER);
    setting.resolutions.resourceUpdated('docs', OTHER);
    await setting.get();
    expect(setting.reads()).toBe(3);
  });

  it('is resolved again shortly before the answer expires, or after five minutes when it does not say', async () => {
    const dated = setUp(answering({ expires_at: new Date(1_000_000 + 600_000).toISOString() }));
    await warm(dated);
    dated.advance(539_000);
    await dated.get();
    expect(dated.reads()).toBe(2);
    dated.advance(2_000);
    await dated.get();
    expect(dated.reads()).toBe(3);
    const undated = setUp(answering({ expires_at: 'soon' }));
    await warm(undated);
    undated.advance(299_000);
    await undated.get();
    expect(undated.reads()).toBe(2);
    undated.advance(2_000);
    await undated.get();
    expect(undated.reads()).toBe(3);
  });

  it('is resolved again when its resolver says that the answer is not current, or fails to say', async () => {
    const isCurrent = vi.fn<NonNullable<DpeResolver['isCurrent']>>(() => true);
    const setting = setUp({ ...answering(), isCurrent });
    await warm(setting);
    await setting.get();
    expect(setting.reads()).toBe(2);
    expect(isCurrent).toHaveBeenCalledWith({ uri: 'https://s/1' }, URI);
    isCurrent.mockReturnValueOnce(false);
    await setting.get();
    isCurrent.mockRejectedValueOnce(new Error('x'));
    await setting.get();
    expect(setting.reads()).toBe(4);
  });

  it('is read for each Agent of another name', async () => {
    const setting = setUp(answering());
    await warm(setting);
    await setting.get(URI, undefined, 'bob');
    expect(setting.reads()).toBe(3);
  });

  it('is not kept when the answer is large, or has no form on the wire', async () => {
    for (const note of ['x'.repeat(70_000), 1n]) {
      const setting = setUp(answering({ note }));
      await warm(setting);
      await setting.get();
      expect(setting.reads()).toBe(3);
    }
  });

  it('is one of a thousand at most: the one unused for longest is given up', async () => {
    const uris = Array.from({ length: 1_001 }, (_, index) => `dpe://h/n${index}`);
    const contents = Object.fromEntries(uris.map((uri) => [uri, [{ text: uri }]]));
    const { get, host } = setUp(answering(), { contents });
    for (const uri of uris.slice(0, -1)) await get(uri);
    await get(uris[0]);
    await get(uris.at(-1));
    expect(host.requests.filter((request) => request.startsWith('unsubscribe'))).toEqual([
      `unsubscribe docs ${uris[1]}`,
    ]);
  });
});

describe('A document that its server does not tell of', () => {
  it.each<[string, FakeServer]>([
    ['cannot be subscribed to', { ...docs, subscribe: false }],
    [
      'is refused a subscription',
      {
        ...docs,
        get subscribed() {
          return Promise.reject(new Error('no'));
        },
      },
    ],
    ['has its subscription not confirmed', { ...docs, subscribed: new Promise<void>(() => undefined) }],
  ])('is read each time when it %s, and asked for a subscription once at most', async (_what, server) => {
    const setting = setUp(answering(), server);
    await warm(setting);
    await setting.get();
    expect(setting.reads()).toBe(3);
    expect(setting.host.requests.filter((request) => request.startsWith('subscribe')).length).toBeLessThanOrEqual(1);
  });
});
