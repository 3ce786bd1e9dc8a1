import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Diagnostic } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { COMPUTER, Office, officeServer, packageServer } from '../fixtures/computer/office.js';

const windows = (...uris: string[]): JsonObject[] => uris.map((uri) => ({ uri, name: uri }));
const entry = (uri: string, listed = uri): string => `${uri}\n\ntext of ${listed}`;

async function desktopOf(office: Office, payload: JsonObject = {}): Promise<unknown> {
  const { desktops } = await office.ask('client:get_desktop', payload);
  return desktops;
}

describe('client:get_desktop', () => {
  let office: Office;
  const diagnostics: Diagnostic[] = [];

  beforeAll(async () => {
    office = await Office.open({
      desktop: { serverTimeoutMs: 1500 },
      servers: {
        beta: officeServer({
          pageSize: 2,
          resources: [
            { uri: 'window://beta/low', name: 'l', annotations: { priority: 0.1 } },
            { uri: 'file:///not/a/window', name: 'f' },
            { uri: 'window://beta/old?priority=99', name: 'o', annotations: null, mimeType: null },
            { uri: 'window://beta/bad', name: 'b', annotations: { priority: 5, audience: ['agent'] } },
            { uri: 'window://beta/high', name: 'h', annotations: { priority: 0.9 } },
            { uri: 'window://beta/blob', name: 'x' },
            { uri: 'window://beta/gone', name: 'g' },
          ],
          contents: { 'window://beta/blob': [{ uri: 'window://beta/blob', blob: 'AAAA' }] },
          unreadable: ['window://beta/gone'],
        }),
        alpha: officeServer({
          only: ['set-resources'],
          moreTools: ['alpha-tool'],
          resources: windows('window://alpha/路径'),
        }),
        mute: officeServer({ only: [], capabilities: { resources: {} }, resources: windows('window://mute/1') }),
        slow: officeServer({ only: [], listHangs: true }),
        broken: officeServer({ only: [], listFails: true }),
        toolsOnly: officeServer({ only: [], capabilities: { tools: {} } }),
      },
    });
    office.computer.on('diagnostic', (diagnostic) => void diagnostics.push(diagnostic));
    // What was wrong was told when it was listed.
    await office.computer.restartServer('beta');
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  const alpha = entry('window://alpha/路径');
  const beta = [
    entry('window://beta/high'),
    entry('window://beta/low'),
    entry('window://beta/old', 'window://beta/old?priority=99'),
    entry('window://beta/bad'),
  ];

  it('shows the windows of every page of every server that can subscribe; a slow or failing one costs only its own [R-8.1-subscribe] [R-8.1-left-out] [R-8.1-text]', async () => {
    expect(await desktopOf(office)).toEqual([alpha, ...beta]);
    expect(diagnostics.map(({ item }) => item)).toEqual(
      expect.arrayContaining(['window://beta/old?priority=99', 'window://beta/bad', 'window://beta/blob']),
    );
    const count = diagnostics.length;
    await desktopOf(office);
    expect(diagnostics).toHaveLength(count);
  });

  it.each([
    [{ desktop_size: 2 }, [alpha, beta[0]]],
    [{ desktop_size: 0 }, []],
    [{ desktop_size: -1 }, []],
    [{ desktop_size: null, window: null }, [alpha, ...beta]],
    [{ window: 'window://beta/old' }, [beta[2]]],
    [{ window: 'window://beta/old?priority=99' }, [beta[2]]],
    [{ window: 'window://nobody/1' }, []],
  ])('answers %j [R-8.1-size] [R-8.1-window]', async (payload, desktops) => {
    expect(await desktopOf(office, payload)).toEqual(desktops);
  });

  it('puts the server of the last call first, in this office only [R-8.1-order]', async () => {
    await office.call('echo');
    expect(await desktopOf(office)).toEqual([...beta, alpha]);
    await office.call('alpha-tool');
    await office.call('no-such-tool');
    expect(await desktopOf(office)).toEqual([alpha, ...beta]);
    await office.call('echo');
    await office.computer.joinOffice('office-2');
    expect(await office.computer.desktop()).toEqual([alpha, ...beta]);
    await office.computer.joinOffice('office-1');
  });

  it('cuts an answer above the packet limit at a window and says how many are missing [R-8.1-truncated] [F-F-size-desktop]', async () => {
    await using small = await Office.open({
      maxPacketBytes: 3_000,
      servers: { a: officeServer({ resources: windows(...Array.from({ length: 100 }, (_, n) => `window://a/${n}`)) }) },
    });
    const desktops = (await desktopOf(small, { desktop_size: 90 })) as string[];
    expect(desktops.at(-1)).toBe(`[desktop truncated: ${90 - (desktops.length - 1)} more windows]`);
    expect(desktops.length).toBeGreaterThan(30);
    expect(small.computer.connected).toBe(true);
  });
});

describe('server:update_desktop', () => {
  const updates = (office: Office): number =>
    office.notices.filter((notice) => notice === `update_desktop ${COMPUTER}`).length;
  const arrive = async (office: Office, count: number): Promise<void> => {
    await vi.waitFor(() => {
      expect(updates(office)).toBe(count);
    });
  };

  it('is sent for another set of windows, an update of one, and a server that starts or stops, and for nothing else [R-8.1-updates]', async () => {
    await using office = await Office.open({
      servers: { a: officeServer({ resources: windows('window://a/1') }), b: officeServer({ only: [] }) },
    });
    await vi.waitFor(async () => {
      expect(await office.callJson('requests')).toContain('resources/subscribe window://a/1');
    });
    const { length: before } = office.notices;
    await office.call('set-resources', {
      resources: [...windows('file:///x'), { uri: 'window://a/1', name: 'new name' }],
    });
    await office.call('touch', { uri: 'file:///x' });
    await office.computer.stopServer('b');
    // A call after each proves that what it caused has arrived before.
    await vi.waitFor(async () => {
      expect((await office.callJson('requests')) as string[]).toEqual(
        expect.arrayContaining(['resources/list', 'resources/templates/list']),
      );
    });
    expect(office.notices.slice(before).filter((notice) => notice.startsWith('update_desktop'))).toEqual([]);

    const base = updates(office);
    await office.call('set-resources', { resources: windows('window://a/1', 'window://a/2') });
    await arrive(office, base + 1);
    await vi.waitFor(async () => {
      expect(await office.callJson('requests')).toContain('resources/subscribe window://a/2');
    });
    await office.call('touch', { uri: 'window://a/2' });
    await arrive(office, base + 2);
    await office.computer.stopServer('a');
    await arrive(office, base + 3);
    await office.computer.startServer('a');
    await arrive(office, base + 4);
  });

  it('is sent for other windows of a server that answers neither subscriptions nor the list of templates', async () => {
    const ignored = ['resources/subscribe', 'resources/templates/list'];
    await using office = await Office.open({ servers: { a: officeServer({ ignored }) } });
    await office.call('set-resources', { resources: windows('window://a/1') });
    await vi.waitFor(
      () => {
        expect(updates(office)).toBe(1);
      },
      { timeout: 8_000 },
    );
    await office.call('set-resources', { resources: windows('window://a/2') });
    await arrive(office, 2);
  }, 15_000);

  it('comes once or twice for a burst', async () => {
    await using office = await Office.open({ servers: { a: officeServer({ resources: windows('window://a/1') }) } });
    await vi.waitFor(async () => {
      expect(await office.callJson('requests')).toContain('resources/subscribe window://a/1');
    });
    const base = updates(office);
    await Promise.all(Array.from({ length: 30 }, () => office.call('touch', { uri: 'window://a/1' })));
    await vi.waitFor(() => {
      expect(updates(office)).toBeGreaterThan(base);
    });
    expect(updates(office) - base).toBeLessThanOrEqual(3);
  });

  it('follows the subscriptions of a real MCP server', async () => {
    await using office = await Office.open({
      servers: { memory: packageServer('@modelcontextprotocol/server-memory'), a: officeServer({ only: [] }) },
    });
    expect(await desktopOf(office)).toEqual([]);
  });
});
