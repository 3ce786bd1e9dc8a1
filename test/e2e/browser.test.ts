import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Computer } from '../../src/computer/index.js';
import { PROFILE_0_2 } from '../../src/protocol/index.js';
import { CHROMIUM_SETUP, findChromium, openPage } from '../support/chromium.js';
import { bundlePage, servePage } from '../support/page-site.js';
import { startServer } from '../support/running-server.js';
import type { PageReport } from '../fixtures/browser/page.js';

const root = join(import.meta.dirname, '..', '..');
const chromium = findChromium();

describe('an Agent in a browser', () => {
  it('calls and cancels a tool, knows a refused version, and is kept out where its page is not allowed', async ({
    skip,
  }) => {
    if (chromium === undefined) {
      if (process.env['CI'] === 'true') throw new Error(CHROMIUM_SETUP);
      skip(CHROMIUM_SETUP);
      return;
    }
    await using site = await servePage<PageReport>(await bundlePage('page.ts'));
    const corsOrigins = [site.origin];
    await using server = await startServer({ corsOrigins, token: 'from-a-page' });
    await using ofAnotherVersion = await startServer({ corsOrigins, profile: { ...PROFILE_0_2, version: '0.9.0' } });
    await using ofOtherPages = await startServer({ corsOrigins: ['https://app.example'] });
    const bundled = join(root, 'dist', 'cli', 'demo', 'bundled-server.js');
    await using computer = new Computer({
      name: 'laptop',
      url: server.url,
      token: 'from-a-page',
      servers: { bundled: { command: process.execPath, args: [bundled], default_tool_meta: { auto_apply: true } } },
    });
    computer.start();
    await computer.connect();
    await computer.joinOffice('pages');
    await computer.settled();

    const servers = [server, ofAnotherVersion, ofOtherPages].map(({ url }) => `server=${encodeURIComponent(url)}`);
    await using page = openPage(chromium, `${site.origin}/?${servers.join('&')}`);
    expect(await Promise.race([site.report, page.ended])).toEqual({
      computers: ['laptop'],
      tools: expect.arrayContaining(['echo', 'sleep']) as string[],
      text: '路径',
      cancelled: true,
      versionError: { server: '0.9.0', max: '0.9.999' },
      foreignError: 'ConnectionError',
    });
  }, 60_000);
});
