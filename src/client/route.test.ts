import { expect, it, vi } from 'vitest';
import { ConnectionError } from './errors.js';
import { networkSettings } from './network.js';
import { openRoute } from './route.js';

const LIBRARIES = ['agent-base', 'http-proxy-agent', 'https-proxy-agent', 'socks-proxy-agent'] as const;
for (const name of LIBRARIES) {
  vi.doMock(name, () => {
    throw new Error('is not installed');
  });
}

const url = new URL('https://a2c.test');

it('a connection without a proxy loads none of the libraries for proxies', async () => {
  expect(await openRoute(url, networkSettings({}))).toMatchObject({ options: {} });
  expect((await openRoute(url, networkSettings({ proxy: () => undefined }))).problem()).toBeUndefined();
});

it.each(['http://proxy:3128', 'socks5://proxy'])('one through %s says which library is missing', async (proxy) => {
  const opening = openRoute(url, networkSettings({ proxy }));
  await expect(opening).rejects.toThrow(ConnectionError);
  await expect(opening).rejects.toThrow(/could not be loaded: (agent-base|https?-proxy-agent|socks-proxy-agent)/);
});
