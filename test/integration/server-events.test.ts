import { describe, expect, it } from 'vitest';
import { CALL_EVENTS, COMMAND_EVENTS, NOTICE_EVENTS, type CallEvent } from '../../src/protocol/index.js';
import { startPair } from '../support/office-pair.js';
import { Peer } from '../support/peer.js';
import { startServer } from '../support/running-server.js';

const TRANSPORTS = [['polling'], ['websocket']] as const;

const envelope = { agent: 'agent', req_id: 'r1', computer: 'laptop' };

/** One request and one answer of each `client:*` event. */
const CALLS: Record<CallEvent, { readonly request: object; readonly answer: object }> = {
  'client:tool_call': {
    request: { ...envelope, tool_name: 'echo', params: { text: 'hi' }, timeout: 5, extra: [1] },
    answer: { content: [{ type: 'text', text: 'hi' }], isError: false, meta: { a: 1 }, other: null },
  },
  'client:get_tools': { request: envelope, answer: { tools: [], req_id: 'r1' } },
  'client:get_config': { request: envelope, answer: { inputs: null, servers: { s: { type: 'stdio' } } } },
  'client:get_desktop': {
    request: { ...envelope, desktop_size: 2, window: null },
    answer: { desktops: ['window://h/a\n\ntext'], req_id: 'r1' },
  },
  'client:get_resources': {
    request: { ...envelope, mcp_server: 'files', cursor: 'c' },
    answer: { resources: [{ uri: 'file:///a' }], next_cursor: 'd', req_id: 'r1' },
  },
  'client:get_dpe': {
    request: { ...envelope, uri: 'dpe://h/doc', timeout: 3 },
    answer: { uri: 'https://h/doc.json', mime_type: 'application/json', req_id: 'r1' },
  },
};

describe.each(TRANSPORTS)('over %s', (transport) => {
  it.each<[CallEvent, string]>([
    ['client:tool_call', '[R-3.1-tool_call]'],
    ['client:get_tools', '[R-3.1-get_tools]'],
    ['client:get_config', '[R-3.1-get_config]'],
    ['client:get_desktop', '[R-3.1-get_desktop]'],
    ['client:get_resources', '[R-3.1-get_resources]'],
    ['client:get_dpe', '[R-3.1-get_dpe]'],
  ])('%s reaches the Computer and its answer comes back, both unchanged %s', async (event) => {
    await using pair = await startPair({}, { transports: [transport] });
    const { request, answer } = CALLS[event];
    pair.computer.on(event, () => [answer]);
    expect(await pair.agent.call(event, request)).toEqual([answer]);
    expect(await pair.computer.next(event)).toEqual(request);
  });

  it('server:join_office answers true, null and tells the others [R-3.2-join] [R-3.3-one-name]', async () => {
    await using pair = await startPair({}, { transports: [transport] });
    await using late = await Peer.connect(pair.running.url, { transports: [transport] });
    expect(await late.join('computer', 'desk', 'office')).toEqual([true, null]);
    const notice = { office_id: 'office', computer: 'desk' };
    expect(await pair.computer.next('notify:enter_office')).toEqual(notice);
    expect(await pair.agent.next('notify:enter_office')).toEqual({ office_id: 'office', computer: 'laptop' });
    expect(await pair.agent.next('notify:enter_office')).toEqual(notice);
    await late.settle();
    expect(late.received).toEqual([]);
  });

  it('server:leave_office answers true, null and tells the others [R-3.2-leave] [R-3.3-one-name]', async () => {
    await using pair = await startPair({}, { transports: [transport] });
    expect(await pair.agent.call('server:leave_office', { office_id: 'office' })).toEqual([true, null]);
    expect(await pair.computer.next('notify:leave_office')).toEqual({ office_id: 'office', agent: 'agent' });
    await pair.agent.settle();
    expect(pair.agent.eventNames).not.toContain('notify:leave_office');
  });

  it.each([
    ['server:update_config', 'notify:update_config', '[R-3.2-update_config]'],
    ['server:update_tool_list', 'notify:update_tool_list', '[R-3.2-update_tool_list]'],
    ['server:update_desktop', 'notify:update_desktop', '[R-3.2-update_desktop]'],
  ])(
    '%s becomes %s with the name of the session, empty ack %s [R-3.3-session-identity] [R-3.3-not-sender] [R-3-ack-empty] [F-J-session-identity]',
    async (event, notice) => {
      await using pair = await startPair({}, { transports: [transport] });
      await using other = await Peer.join(
        pair.running.url,
        { role: 'computer', name: 'other', office: 'office' },
        { transports: [transport] },
      );
      expect(await pair.computer.call(event, { computer: 'somebody else', more: 1 })).toEqual([]);
      expect(await pair.agent.next(notice)).toEqual({ computer: 'laptop' });
      expect(await other.next(notice)).toEqual({ computer: 'laptop' });
      await pair.computer.settle();
      expect(pair.computer.eventNames).not.toContain(notice);
    },
  );

  it('server:tool_call_cancel becomes notify:tool_call_cancel with the name of the session [R-3.2-tool_call_cancel]', async () => {
    await using pair = await startPair({}, { transports: [transport] });
    expect(await pair.agent.call('server:tool_call_cancel', { agent: 'forged', req_id: 'r9' })).toEqual([]);
    expect(await pair.computer.next('notify:tool_call_cancel')).toEqual({ agent: 'agent', req_id: 'r9' });
    pair.agent.socket.emit('server:tool_call_cancel', { agent: 'agent', req_id: 'r10' });
    expect(await pair.computer.next('notify:tool_call_cancel')).toEqual({ agent: 'agent', req_id: 'r10' });
  });

  it('server:list_room answers every member as SessionInfo, with its version [R-3.2-list_room] [R-2.1-kept]', async () => {
    await using pair = await startPair({}, { transports: [transport] });
    await using newer = await Peer.connect(pair.running.url, { transports: [transport], version: '0.2.7' });
    await newer.join('computer', 'newer', 'office');
    const request = { agent: 'agent', req_id: 'r2', office_id: 'office' };
    const session = (peer: Peer, name: string, role: string, version = '0.2.0'): object => ({
      sid: peer.sid,
      name,
      role,
      office_id: 'office',
      a2c_version: version,
    });
    expect(await pair.agent.call('server:list_room', request)).toEqual([
      {
        sessions: [
          session(pair.agent, 'agent', 'agent'),
          session(pair.computer, 'laptop', 'computer'),
          session(newer, 'newer', 'computer', '0.2.7'),
        ],
        req_id: 'r2',
      },
    ]);
  });

  it.each(Object.keys(NOTICE_EVENTS))(
    '%s from a client is 403 and goes nowhere [R-3-notify-from-client]',
    async (event) => {
      await using pair = await startPair({}, { transports: [transport] });
      expect(await pair.computer.call(event, { office_id: 'office', computer: 'laptop' })).toMatchObject([
        { code: 403 },
      ]);
      await pair.agent.settle();
      expect(pair.agent.received.filter((received) => received.event === event)).toHaveLength(
        event === 'notify:enter_office' ? 1 : 0,
      );
    },
  );

  it.each(['hello', 'error', 'message', 'client:', 'server:nothing', 'toString', '__proto__'])(
    'the unknown event %s is 400 [R-3-unknown-event] [F-J-unknown-event]',
    async (event) => {
      await using pair = await startPair({}, { transports: [transport] });
      expect(await pair.agent.call(event, {})).toEqual([{ code: 400, message: 'Unknown event' }]);
      pair.agent.socket.emit(event, {});
      await pair.agent.settle();
    },
  );
});

describe('who may send what', () => {
  const commands = Object.keys(COMMAND_EVENTS).filter((event) => !event.endsWith('_office'));

  it.each([...Object.keys(CALL_EVENTS), ...commands])(
    '%s before the join is 4103, whatever the payload [R-3-before-join] [R-5.2-not-joined] [R-3.1-order] [R-3.2-order] [F-J-before-join]',
    async (event) => {
      await using running = await startServer();
      await using peer = await Peer.connect(running.url);
      expect(await peer.call(event, null)).toMatchObject([{ code: 4103 }]);
    },
  );

  it.each([...Object.keys(CALL_EVENTS), 'server:list_room', 'server:tool_call_cancel'])(
    '%s from a Computer is 403, whatever the payload [R-5.2-wrong-role] [R-3.1-order] [R-3.2-order]',
    async (event) => {
      await using pair = await startPair({}, { transports: ['websocket'] });
      expect(await pair.computer.call(event, 7)).toMatchObject([{ code: 403 }]);
    },
  );

  it.each(['server:update_config', 'server:update_tool_list', 'server:update_desktop'])(
    '%s from an Agent is 403, whatever the payload [R-5.2-wrong-role] [R-3.2-order]',
    async (event) => {
      await using pair = await startPair({}, { transports: ['websocket'] });
      expect(await pair.agent.call(event, 'x')).toMatchObject([{ code: 403 }]);
    },
  );

  it('events that follow a join without waiting for it are handled after it', async () => {
    await using running = await startServer();
    await using computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' });
    computer.on('client:get_tools', () => [{ tools: [], req_id: 'r' }]);
    await using agent = await Peer.connect(running.url);
    const joined = agent.join('agent', 'agent', 'office');
    const tools = agent.call('client:get_tools', { ...envelope, agent: 'agent' });
    const left = agent.call('server:leave_office', { office_id: 'office' });
    const late = agent.call('client:get_tools', envelope);
    expect(await joined).toEqual([true, null]);
    expect(await left).toEqual([true, null]);
    expect(await late).toMatchObject([{ code: 4103 }]);
    // Its answer came after the Agent had left.
    expect(await tools).toMatchObject([{ code: 4103 }]);
  });
});
