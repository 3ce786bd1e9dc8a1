import { describe, expect, it, vi } from 'vitest';
import { silentLogger, type SmcpTool } from '../protocol/index.js';
import type { OfficeMember } from './answers.js';
import { CatalogFeeder } from './catalog-feeder.js';
import { ToolCatalog } from './tool-catalog.js';

const tool = (name: string): SmcpTool => ({ name, description: '', params_schema: {}, return_schema: null, meta: {} });
const member = (name: string, role: OfficeMember['role'] = 'computer'): OfficeMember => ({
  sid: name,
  name,
  role,
  officeId: 'o',
});

interface Answer {
  readonly computer: string;
  readonly signal: AbortSignal;
  readonly give: (...tools: string[]) => void;
  readonly fail: () => void;
}

/** A feeder whose requests are answered by the test. */
function rig() {
  const catalog = new ToolCatalog();
  const events: string[] = [];
  const asked: Answer[] = [];
  let listed: (members: readonly OfficeMember[]) => void = () => undefined;
  const feeder = new CatalogFeeder({
    catalog,
    listMembers: () =>
      new Promise((resolve) => {
        listed = resolve;
      }),
    fetchTools: (computer, signal) =>
      new Promise((resolve, reject) => {
        asked.push({
          computer,
          signal,
          give: (...tools) => {
            resolve(tools.map(tool));
          },
          fail: () => {
            reject(new Error('no'));
          },
        });
      }),
    windowMs: 5,
    logger: silentLogger,
    onEntered: (computer) => events.push(`+${computer}`),
    onTools: (computer, tools) => events.push(`${computer}:${tools.map(({ name }) => name).join()}`),
  });
  const join = async (...members: OfficeMember[]): Promise<{ filled: Promise<void> }> => {
    const filled = feeder.joined();
    listed(members);
    await vi.waitFor(() => {
      expect(catalog.computers).toHaveLength(members.filter(({ role }) => role === 'computer').length);
    });
    return { filled };
  };
  return {
    catalog,
    events,
    asked,
    feeder,
    join,
    list: (...members: OfficeMember[]) => {
      listed(members);
    },
  };
}

/** The nth request for tools, once it is made. */
const nth = (asked: readonly Answer[], n: number): Promise<Answer> =>
  vi.waitFor(() => {
    const answer = asked[n];
    if (answer === undefined) throw new Error('not asked yet');
    return answer;
  });

describe('CatalogFeeder', () => {
  it('[R-3.4-discovery] asks every Computer that is there, and is done when all answered, broken ones too', async () => {
    const { catalog, asked, join } = rig();
    const { filled } = await join(member('a'), member('me', 'agent'), member('b'));
    (await nth(asked, 0)).fail();
    (await nth(asked, 1)).give('x');
    await filled;
    expect(catalog.computers).toEqual(['a', 'b']);
    expect(catalog.tools.map(({ name }) => name)).toEqual(['x']);
  });

  it('[R-3.2-tools-and-config] gathers changes, and makes at most one more fetch for those that come meanwhile', async () => {
    const { asked, feeder, join, events } = rig();
    const { filled } = await join(member('a'));
    (await nth(asked, 0)).give();
    await filled;
    feeder.changed('a');
    feeder.changed('a');
    const second = await nth(asked, 1);
    for (let i = 0; i < 200; i++) feeder.changed('a');
    second.give('x');
    (await nth(asked, 2)).give('x', 'y');
    await vi.waitFor(() => {
      expect(events).toEqual(['+a', 'a:', 'a:x', 'a:x,y']);
    });
    expect(asked).toHaveLength(3);
  });

  it('ignores answers that come after the Computer left, or left and came again', async () => {
    const { catalog, asked, feeder, join, events } = rig();
    await join(member('a'));
    const first = await nth(asked, 0);
    expect(feeder.departed('a')).toBe(true);
    expect(first.signal.aborted).toBe(true);
    feeder.entered('a');
    (await nth(asked, 1)).give('new');
    first.give('old');
    await vi.waitFor(() => {
      expect(events).toEqual(['+a', '+a', 'a:new']);
    });
    expect(catalog.tools.map(({ name }) => name)).toEqual(['new']);
    expect(feeder.departed('b')).toBe(false);
  });

  it('does not bring back who left while the members were being listed, nor double who came', async () => {
    const { catalog, feeder, list, events } = rig();
    const filling = feeder.joined();
    feeder.entered('came');
    feeder.entered('went');
    feeder.departed('went');
    list(member('came'), member('went'));
    await vi.waitFor(() => {
      expect(catalog.computers).toEqual(['came']);
    });
    feeder.left();
    await filling;
    expect(events).toEqual(['+came', '+went']);
  });

  it('forgets everything on leaving, and takes nothing in that comes later', async () => {
    const { catalog, asked, feeder, join, events } = rig();
    const { filled } = await join(member('a'));
    const first = await nth(asked, 0);
    feeder.left();
    first.give('late');
    await filled;
    feeder.entered('b');
    feeder.changed('a');
    expect([catalog.computers, catalog.tools, events]).toEqual([[], [], ['+a']]);
  });

  it('takes in a Computer that it only hears of by a change', async () => {
    const { asked, feeder, join, events } = rig();
    await join();
    feeder.changed('unheard');
    (await nth(asked, 0)).give('x');
    await vi.waitFor(() => {
      expect(events).toEqual(['+unheard', 'unheard:x']);
    });
  });

  it('asks again when a known Computer comes again', async () => {
    const { asked, feeder, join } = rig();
    const { filled } = await join(member('a'));
    (await nth(asked, 0)).give();
    await filled;
    feeder.entered('a');
    (await nth(asked, 1)).give('x');
    expect(asked).toHaveLength(2);
  });
});
