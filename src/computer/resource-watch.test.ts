import { describe, expect, it, vi } from 'vitest';
import { FakeResourceHost, type FakeServer } from '../../test/fixtures/computer/fake-resource-host.js';
import { silentLogger, type JsonObject } from '../protocol/index.js';
import { CallTimeoutError } from './mcp/mcp-errors.js';
import { ResourceWatch, type ResourceListing } from './resource-watch.js';

function watchOf(server: FakeServer): { host: FakeResourceHost; watch: ResourceWatch; listings: ResourceListing[] } {
  const host = new FakeResourceHost({ a: server });
  const listings: ResourceListing[] = [];
  const onListed = (_server: string, listing: ResourceListing): void => void listings.push(listing);
  return { host, listings, watch: new ResourceWatch({ host, logger: silentLogger, timeoutMs: 1000, onListed }) };
}

describe('ResourceWatch', () => {
  it('lists when a server runs and when it says that its list changed, not when it is stopped', async () => {
    const { watch, listings } = watchOf({ resources: [{ uri: 'x:1' }], templates: [{ uriTemplate: 'x:{a}' }] });
    await watch.resourcesChanged('a');
    expect(listings).toEqual([]);
    await watch.serverStarted('a');
    const listing = { resources: [{ uri: 'x:1' }], templates: [{ uriTemplate: 'x:{a}' }] };
    expect(listings).toEqual([listing]);
    await watch.resourcesChanged('a');
    watch.serverStopped('a');
    await watch.resourcesChanged('a');
    expect(listings).toEqual([listing, listing]);
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

  it('lets templates that do not come keep nothing back, and asks for them no more', async () => {
    let giveUp: (error: Error) => void = () => undefined;
    const templates = vi.fn(() => new Promise<JsonObject[]>((_, reject) => (giveUp = reject)));
    const { watch, listings } = watchOf({ resources: [{ uri: 'x:1' }], templates });
    const started = watch.serverStarted('a');
    await vi.waitFor(() => {
      expect(listings).toEqual([{ resources: [{ uri: 'x:1' }], templates: [] }]);
    });
    giveUp(new CallTimeoutError('a', 5_000));
    await started;
    await watch.resourcesChanged('a');
    expect(listings.length).toBeGreaterThan(1);
    expect(templates).toHaveBeenCalledTimes(1);
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
