import { describe, expect, it, vi } from 'vitest';
import { parseConfig, type Computer } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { COMPUTER, nextEvent, Office } from '../fixtures/computer/office.js';
import { faulty } from '../fixtures/mcp-servers/faulty.js';

const PAIR = [`update_tool_list ${COMPUTER}`, `update_config ${COMPUTER}`];

/** The notices of tools and configuration since then, once everything that was sent before is there. */
async function toolNotices(office: Office, since: number): Promise<string[]> {
  // The answer comes after everything that was announced before it.
  await office.ask('client:get_tools');
  return office.notices.slice(since).filter((notice) => !notice.startsWith('update_desktop'));
}

/** As many notices as there are, once those of the start have come. */
async function settledNotices(office: Office): Promise<number> {
  await office.ask('client:get_tools');
  return office.notices.length;
}

async function countOf(office: Office, request: string): Promise<number> {
  const requests = (await office.callJson('requests')) as string[];
  return requests.filter((one) => one === request).length;
}

const namesOf = (computer: Computer): string[] => computer.tools().map(({ name }) => name);

describe('Two hundred list_changed in a tick', () => {
  it('are at most two lists, one update_tool_list and one update_config [F-I-coalesced]', async () => {
    await using office = await Office.open({ servers: { a: faulty({ only: ['storm', 'requests'] }) } });
    const since = await settledNotices(office);
    const changed = nextEvent(office.computer, 'toolsChanged');
    await office.call('storm', { times: 200, add: 1 });
    await changed;
    const lists = await countOf(office, 'tools/list');
    expect(await toolNotices(office, since)).toEqual(PAIR);
    // The one of the start among them.
    expect(lists).toBeLessThanOrEqual(3);
    expect(namesOf(office.computer)).toContain('tool-0');
  });

  it('of a list that stays the same are announced to nobody [F-I-real-change] [F-I-coalesced]', async () => {
    await using office = await Office.open({ servers: { a: faulty({ only: ['storm', 'requests'] }) } });
    const since = await settledNotices(office);
    for (let round = 1; round <= 3; round += 1) {
      await office.call('storm', { times: 200 });
      await vi.waitFor(async () => {
        expect(await countOf(office, 'tools/list')).toBeGreaterThan(round);
      });
    }
    expect(await countOf(office, 'tools/list')).toBeLessThanOrEqual(7);
    expect(await toolNotices(office, since)).toEqual([]);
  });

  it('of resources are few lists and no notice where the windows stay the same [F-I-real-change]', async () => {
    const resources = [{ uri: 'window://faulty/1', name: '1' }];
    await using office = await Office.open({ servers: { a: faulty({ only: ['storm', 'requests'], resources }) } });
    await vi.waitFor(async () => {
      expect(await countOf(office, 'resources/subscribe window://faulty/1')).toBe(1);
    });
    const since = await settledNotices(office);
    await office.call('storm', { times: 200, kind: 'resources' });
    await vi.waitFor(async () => {
      expect(await countOf(office, 'resources/list')).toBeGreaterThan(1);
    });
    expect(await countOf(office, 'resources/list')).toBeLessThanOrEqual(4);
    expect(await countOf(office, 'resources/subscribe window://faulty/1')).toBe(1);
    await office.ask('client:get_tools');
    expect(office.notices.slice(since)).toEqual([]);
  });
});

describe('A server that says in every list that the list changed', () => {
  it('is not listed for ever [F-I-no-loop]', async () => {
    await using office = await Office.open({ servers: { a: faulty({ only: ['requests'], changeInList: true }) } });
    const since = await settledNotices(office);
    let last = 0;
    // As long as it were listed again and again, each of a hundred calls would see more lists than the one before.
    for (let call = 0; call < 100; call += 1) last = await countOf(office, 'tools/list');
    expect(last).toBeLessThanOrEqual(4);
    expect(await countOf(office, 'tools/list')).toBe(last);
    expect(await toolNotices(office, since)).toEqual([]);
  });
});

describe('The tools of a server', () => {
  const servers = { a: faulty({ only: ['die', 'echo'] }), b: faulty({ only: ['pid'] }) };

  it('that crashed stay listed, answer 4003 at once, and are announced to nobody [F-I-crashed]', async () => {
    await using office = await Office.open({ servers, hosting: { restarts: { minMs: 600 } } });
    const since = await settledNotices(office);
    const back = nextEvent(office.computer, 'serverState', ({ state }) => state === 'running');
    await office.call('die');
    for (let call = 0; call < 3; call += 1) {
      expect(await office.call('echo', {}, { timeout: 60 })).toMatchObject({
        isError: true,
        meta: { error_code: 4003 },
      });
    }
    const { tools } = (await office.ask('client:get_tools')) as { tools: JsonObject[] };
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'die', 'pid']);
    await back;
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    expect(await toolNotices(office, since)).toEqual([]);
  });

  it('that crashes too often go with one broadcast [F-I-gone-once]', async () => {
    await using office = await Office.open({ servers, hosting: { restarts: { maxRestarts: 0 } } });
    const since = await settledNotices(office);
    const looping = nextEvent(office.computer, 'serverState', ({ state }) => state === 'crash-loop');
    await office.call('die');
    await looping;
    expect(await toolNotices(office, since)).toEqual(PAIR);
    expect(namesOf(office.computer)).toEqual(['pid']);
    expect(await office.call('echo')).toMatchObject({ meta: { error_code: 4001 } });
  });

  it.each<[string, (computer: Computer) => Promise<void>]>([
    ['stopped', (computer) => computer.stopServer('a')],
    ['disabled', (computer) => computer.disableServer('a')],
    ['removed', (computer) => computer.removeServer('a')],
    ['left out', (computer) => computer.setConfig(parseConfig(JSON.stringify({ servers: { b: servers.b } })))],
  ])('that crashed and is %s while it waits go with one broadcast [F-I-gone-once]', async (_how, act) => {
    await using office = await Office.open({ servers, hosting: { restarts: { minMs: 60_000 } } });
    const since = await settledNotices(office);
    const waiting = nextEvent(office.computer, 'serverState', ({ state }) => state === 'backing-off');
    await office.call('die');
    await waiting;
    await act(office.computer);
    expect(await toolNotices(office, since)).toEqual(PAIR);
    expect(namesOf(office.computer)).toEqual(['pid']);
  });
});

describe('Subscriptions to windows', () => {
  const subscribe = 'resources/subscribe window://faulty/1';
  const resources = [{ uri: 'window://faulty/1', name: '1' }];
  const subscribed = (office: Office): Promise<void> =>
    vi.waitFor(
      async () => {
        expect(await countOf(office, subscribe)).toBe(1);
      },
      { timeout: 5_000 },
    );

  it('are made again when a server that crashed is back, once [F-I-replayed]', async () => {
    const entry = faulty({ only: ['requests', 'die', 'touch'], resources });
    await using office = await Office.open({ servers: { a: entry }, hosting: { restarts: { minMs: 10 } } });
    await subscribed(office);
    const back = nextEvent(office.computer, 'serverState', ({ state }) => state === 'running');
    await office.call('die');
    await back;
    await subscribed(office);
    const told = nextEvent(office.computer, 'desktopChanged');
    await office.call('touch', { uri: 'window://faulty/1' });
    await told;
  });

  it('end with the server: what it says while it is stopped is announced to nobody [F-I-dropped]', async () => {
    const lastNotices = ['tools', 'resources'].map((kind) => `notifications/${kind}/list_changed`);
    lastNotices.push('notifications/resources/updated');
    const entry = faulty({ only: ['requests'], resources, lastNotices, dieAtEnd: true });
    await using office = await Office.open({ servers: { a: entry, b: faulty({ only: ['pid'] }) } });
    await subscribed(office);
    const since = await settledNotices(office);
    const states: string[] = [];
    const events: string[] = [];
    office.computer.on('serverState', ({ state }) => void states.push(state));
    office.computer.on('toolsChanged', () => void events.push('tools'));
    office.computer.on('desktopChanged', () => void events.push('desktop'));
    await office.computer.stopServer('a');
    expect(await toolNotices(office, since)).toEqual(PAIR);
    expect(states).toEqual(['stopped']);
    await vi.waitFor(() => {
      expect(events).toContain('desktop');
    });
    await office.call('pid');
    expect(events).toEqual(['tools', 'desktop']);
    // Started again, it is asked once, not once more for each time before.
    await office.computer.startServer('a');
    await subscribed(office);
  });
});

describe('A server without ping', () => {
  it('runs [F-I-no-ping]', async () => {
    await using office = await Office.open({ servers: { a: faulty({ only: ['echo'], unknown: ['ping'] }) } });
    expect(office.computer.servers()).toMatchObject([{ state: 'running', tools: 1 }]);
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
  });
});
