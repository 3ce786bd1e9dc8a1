import { describe, expect, it, vi } from 'vitest';
import { FakeResourceHost, type FakeServer } from '../../test/fixtures/computer/fake-resource-host.js';
import { silentLogger } from '../protocol/index.js';
import { ResourceWatch, type ResourceListing } from './resource-watch.js';

function watchOf(server: FakeServer): { host: FakeResourceHost; watch: ResourceWatch; listings: ResourceListing[] } {
  const host = new FakeResourceHost({ a: server });
  const listings: ResourceListing[] = [];
  const onListed = (_server: string, listing: ResourceListing): Promise<void> => {
    listings.push(listing);
    return Promise.resolve();
  };
  return { host, listings, watch: new ResourceWatch({ host, logger: silentLogger, timeoutMs: 1000, onListed }) };
}

describe('ResourceWatch', () => {
  it('lists when a server runs and when it says that its list changed, not when it is stopped', async () => {
    const { watch, listings } = watchOf({ resources: [{ uri: 'x:1' }], templates: [{ uriTemplate: 'x:{a}' }] });
    await watch.resourcesChanged('a');
    expect(listings).toEqual([]);
    await watch.serverStarted('a');
    expect(listings).toEqual([{ resources: [{ uri: 'x:1' }], templates: [{ uriTemplate: 'x:{a}' }] }]);
    await watch.resourcesChanged('a');
    watch.serverStopped('a');
    await watch.resourcesChanged('a');
    expect(listings).toHaveLength(2);
  });

  it('drops a list that arrives after the stop', async () => {
    const { watch, listings } = watchOf({
      resources: () => {
        watch.serverStopped('a');
        return Promise.resolve([]);
      },
    });
    await watch.serverStarted('a');
    expect(listings).toEqual([]);
  });

  it('leaves a failing list as it was', async () => {
    const { watch, listings } = watchOf({ resources: () => Promise.reject(new Error('broken')) });
    await watch.serverStarted('a');
    expect(listings).toEqual([]);
  });

  it('lists at most twice for two hundred notices in a tick', async () => {
    const { host, watch } = watchOf({});
    await watch.serverStarted('a');
    host.requests.length = 0;
    await Promise.all(Array.from({ length: 200 }, () => watch.resourcesChanged('a')));
    expect(host.requests.length).toBeLessThanOrEqual(2);
  });

  it('does not go on for ever with a server that notifies while it lists', async () => {
    const list = vi.fn(() => {
      void watch.resourcesChanged('a');
      return Promise.resolve([]);
    });
    const { watch } = watchOf({ resources: list });
    await watch.serverStarted('a');
    expect(list.mock.calls.length).toBeLessThanOrEqual(3);
  });
});
