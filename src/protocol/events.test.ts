import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  CALL_EVENTS,
  checkPayload,
  COMMAND_EVENTS,
  DEFAULT_PATH,
  EVENTS,
  isCallEvent,
  isCommandEvent,
  isNoticeEvent,
  NAMESPACE,
  NOTICE_EVENTS,
  type EventName,
} from './index.js';

const names = Object.keys(EVENTS) as EventName[];
const rows = Object.entries(EVENTS) as [EventName, { from: string; to: string; payload: z.ZodType }][];

const request = { agent: 'a', req_id: 'r', computer: 'c' };
/** The smallest payload of each event; every field is required. */
const SMALLEST: Record<EventName, Record<string, unknown>> = {
  'client:tool_call': { ...request, tool_name: 't', params: {}, timeout: 1 },
  'client:get_tools': request,
  'client:get_config': request,
  'client:get_desktop': request,
  'client:get_resources': { ...request, mcp_server: 's' },
  'client:get_dpe': { ...request, uri: '' },
  'server:join_office': { role: 'agent', name: 'n', office_id: 'o' },
  'server:leave_office': { office_id: 'o' },
  'server:update_config': { computer: 'c' },
  'server:update_tool_list': { computer: 'c' },
  'server:update_desktop': { computer: 'c' },
  'server:tool_call_cancel': { agent: 'a', req_id: 'r' },
  'server:list_room': { agent: 'a', req_id: 'r', office_id: 'o' },
  'notify:enter_office': { office_id: 'o', computer: 'c' },
  'notify:leave_office': { office_id: 'o', agent: 'a' },
  'notify:update_config': { computer: 'c' },
  'notify:update_tool_list': { computer: 'c' },
  'notify:update_desktop': { computer: 'c' },
  'notify:tool_call_cancel': { agent: 'a', req_id: 'r' },
};

describe('the table of events', () => {
  it('has the 19 events of protocol 0.2 and no others', () => {
    expect(names.sort()).toEqual(Object.keys(SMALLEST).sort());
  });

  it.each(rows)('%s goes where its prefix says', (name, { from, to }) => {
    if (name.startsWith('client:')) expect([from, to]).toEqual(['agent', 'computer']);
    else if (name.startsWith('notify:')) expect([from, to]).toEqual(['server', 'both']);
    else {
      expect(name).toMatch(/^server:/);
      expect(to).toBe('server');
      expect(['agent', 'computer', 'both']).toContain(from);
    }
  });

  it.each(names)('%s belongs to exactly one of the three tables', (name) => {
    expect([isCallEvent(name), isCommandEvent(name), isNoticeEvent(name)].filter(Boolean)).toHaveLength(1);
  });

  it.each(['toString', '__proto__', 'constructor', 'connect', 'client:', 'client:finder', ''])(
    '%j is no event',
    (name) => {
      expect([isCallEvent(name), isCommandEvent(name), isNoticeEvent(name)]).toEqual([false, false, false]);
    },
  );

  it('lets every notice but none twice come from a command', () => {
    const caused = Object.values(COMMAND_EVENTS).flatMap((row) => ('notice' in row ? [row.notice] : []));
    expect([...caused].sort()).toEqual(Object.keys(NOTICE_EVENTS).sort());
  });

  it('names the notice of a command like the command, but for joining and leaving', () => {
    for (const [name, row] of Object.entries(COMMAND_EVENTS)) {
      if (!('notice' in row) || row.ack === 'outcome') continue;
      expect(row.notice).toBe(name.replace('server:', 'notify:'));
      expect(EVENTS[row.notice].payload).toBe(row.payload);
    }
  });

  it('gives the schema of an answer where, and only where, the acknowledgement is one', () => {
    for (const row of Object.values(COMMAND_EVENTS)) expect('answer' in row).toBe(row.ack === 'answer');
    for (const row of Object.values(CALL_EVENTS)) expect(row.answer).toBeDefined();
  });

  it('lets only join and leave answer with an outcome', () => {
    const outcomes = Object.entries(COMMAND_EVENTS).filter(([, { ack }]) => ack === 'outcome');
    expect(outcomes.map(([name]) => name)).toEqual(['server:join_office', 'server:leave_office']);
  });

  it('has the namespace and path of the protocol', () => {
    expect([NAMESPACE, DEFAULT_PATH]).toEqual(['/smcp', '/socket.io/']);
  });
});

describe('the payload of', () => {
  describe.each(rows)('%s', (name, { payload: schema }) => {
    const smallest = SMALLEST[name];

    it('[R-3.1-unknown-fields] is taken with its required fields alone, and with unknown ones', () => {
      expect(checkPayload(schema, smallest)).toBe(smallest);
      expect(() => checkPayload(schema, { ...smallest, new_field: null })).not.toThrow();
    });

    it.each([[null], [undefined], [[]], ['text'], [7], [true]])('is not %o', (value) => {
      expect(() => checkPayload(schema, value)).toThrow(/^payload: /);
    });

    it.each(Object.keys(smallest))('[R-5.2-always-answered] needs %s, and a complaint names it', (field) => {
      const rest = Object.fromEntries(Object.entries(smallest).filter(([other]) => other !== field));
      // Which of the two names of a notice is missing, nobody can say.
      const either = /^notify:.*_office$/.test(name) && field !== 'office_id';
      const place = either ? 'payload' : field;
      expect(() => checkPayload(schema, rest)).toThrow(new RegExp(`^${place}: `));
      expect(() => checkPayload(schema, { ...rest, [field]: ['x'] })).toThrow(new RegExp(`^${field}: expected `));
    });
  });
});

describe('how long the Server waits', () => {
  it('[R-6.2-server] for a tool call: its budget and 5 s', () => {
    const { waitSeconds } = CALL_EVENTS['client:tool_call'];
    expect(waitSeconds({ ...request, tool_name: 't', params: {}, timeout: 60 })).toBe(65);
  });

  it('for a document: its budget, or 60 s, and 5 s', () => {
    const { waitSeconds } = CALL_EVENTS['client:get_dpe'];
    expect(waitSeconds({ ...request, uri: 'u' })).toBe(65);
    expect(waitSeconds({ ...request, uri: 'u', timeout: 1 })).toBe(6);
  });

  it('for every other call: 30 s', () => {
    expect(CALL_EVENTS['client:get_tools'].waitSeconds(request)).toBe(30);
    expect(CALL_EVENTS['client:get_config'].waitSeconds(request)).toBe(30);
    expect(CALL_EVENTS['client:get_desktop'].waitSeconds(request)).toBe(30);
    expect(CALL_EVENTS['client:get_resources'].waitSeconds({ ...request, mcp_server: 's' })).toBe(30);
  });
});

describe('optional fields', () => {
  const taken = (name: EventName, more: object): boolean =>
    EVENTS[name].payload.safeParse({ ...SMALLEST[name], ...more }).success;

  it('may be null where peers send null', () => {
    expect(taken('client:get_desktop', { desktop_size: null, window: null })).toBe(true);
    expect(taken('client:get_resources', { cursor: null })).toBe(true);
    expect(taken('notify:enter_office', { agent: null })).toBe(true);
  });

  it('are of their type', () => {
    expect(taken('client:get_desktop', { desktop_size: -1 })).toBe(true);
    expect(taken('client:get_desktop', { desktop_size: 1.5 })).toBe(false);
    expect(taken('client:get_desktop', { desktop_size: '1' })).toBe(false);
    expect(taken('client:get_desktop', { window: 1 })).toBe(false);
    expect(taken('client:get_resources', { cursor: 1 })).toBe(false);
  });

  it.each(['client:tool_call', 'client:get_dpe'] as const)('[R-6.2-range] the budget of %s is 1 to 3600 s', (name) => {
    for (const timeout of [1, 60, 3600]) expect(taken(name, { timeout })).toBe(true);
    for (const timeout of [0, -1, 3601, 1.5, '5', null, Number.NaN]) expect(taken(name, { timeout })).toBe(false);
  });

  it('[R-3.3-one-name] enter and leave name a Computer or an Agent, never both or none', () => {
    for (const name of ['notify:enter_office', 'notify:leave_office'] as const) {
      const schema = EVENTS[name].payload;
      expect(schema.safeParse({ office_id: 'o', computer: 'c' }).success).toBe(true);
      expect(schema.safeParse({ office_id: 'o', computer: null, agent: 'a' }).success).toBe(true);
      expect(() => checkPayload(schema, { office_id: 'o' })).toThrow(/exactly one of/);
      expect(() => checkPayload(schema, { office_id: 'o', computer: 'c', agent: 'a' })).toThrow(/exactly one of/);
    }
  });
});
