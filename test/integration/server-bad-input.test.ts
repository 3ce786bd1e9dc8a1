import { describe, expect, it } from 'vitest';
import { CALL_EVENTS, COMMAND_EVENTS, EVENTS } from '../../src/protocol/index.js';
import { Peer } from '../support/peer.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { startServer } from '../support/running-server.js';

/** A value of that many levels. */
function nested(levels: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

/** Well-formed payloads, to be broken. */
const GOOD: Record<string, Record<string, unknown>> = {
  'server:join_office': { role: 'computer', name: 'desk', office_id: 'office' },
  'server:leave_office': { office_id: 'office' },
  'server:update_config': { computer: 'laptop' },
  'server:update_tool_list': { computer: 'laptop' },
  'server:update_desktop': { computer: 'laptop' },
  'server:tool_call_cancel': { agent: 'agent', req_id: 'r' },
  'server:list_room': { agent: 'agent', req_id: 'r', office_id: 'office' },
  'client:tool_call': { agent: 'a', req_id: 'r', computer: 'laptop', tool_name: 't', params: {}, timeout: 5 },
  'client:get_tools': { agent: 'a', req_id: 'r', computer: 'laptop' },
  'client:get_config': { agent: 'a', req_id: 'r', computer: 'laptop' },
  'client:get_desktop': { agent: 'a', req_id: 'r', computer: 'laptop', desktop_size: 1, window: 'window://h' },
  'client:get_resources': { agent: 'a', req_id: 'r', computer: 'laptop', mcp_server: 's', cursor: 'c' },
  'client:get_dpe': { agent: 'a', req_id: 'r', computer: 'laptop', uri: 'dpe://h/d', timeout: 5 },
};

const OPTIONAL = new Set(['desktop_size', 'window', 'cursor', 'client:get_dpe timeout']);

interface Broken {
  readonly title: string;
  readonly args: readonly unknown[];
  /** The field that the message names. */
  readonly field: string;
}

function brokenPayloads(event: string): readonly Broken[] {
  const good = GOOD[event] ?? {};
  const shapes: Broken[] = [
    { title: 'no payload', args: [], field: 'payload' },
    // Binary counts as an object without fields.
    { title: 'binary', args: [Buffer.from('x')], field: Object.keys(good)[0] ?? '' },
    ...[null, [], [good], 'text', 7, true].map((value) => ({
      title: JSON.stringify(value),
      args: [value],
      field: 'payload',
    })),
    { title: '129 levels', args: [{ ...good, extra: nested(128) }], field: 'payload' },
    { title: '1000 levels', args: [{ ...good, extra: nested(1_000) }], field: 'payload' },
  ];
  for (const field of Object.keys(good)) {
    const missing = Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));
    const optional = OPTIONAL.has(field) || OPTIONAL.has(`${event} ${field}`);
    if (!optional) shapes.push({ title: `no ${field}`, args: [missing], field });
    for (const wrong of [{}, [], true, 1.5, Buffer.from('x')]) {
      if (field === 'params' && JSON.stringify(wrong) === '{}') continue;
      shapes.push({ title: `${field}: ${JSON.stringify(wrong)}`, args: [{ ...good, [field]: wrong }], field });
    }
  }
  return shapes;
}

describe('broken payloads', () => {
  it.each(Object.keys({ ...CALL_EVENTS, ...COMMAND_EVENTS }))(
    '%s of any shape is answered at once with 400 that names the field [R-5.2-always-answered] [R-5.2-flat] [R-3-depth] [F-J-any-payload]',
    async (event) => {
      await using running = await startServer();
      await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' });
      await using computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' });
      const row = EVENTS[event as keyof typeof EVENTS];
      const sender = row.from === 'agent' ? agent : computer;
      for (const { title, args, field } of brokenPayloads(event)) {
        const answer = await sender.call(event, ...args);
        const sentence = expect.stringMatching(new RegExp(`^${field}: `)) as string;
        if (event.endsWith('_office'))
          expect([title, answer]).toEqual([title, [false, expect.stringMatching(/ \(400\)$/)]]);
        else expect([title, answer]).toEqual([title, [{ code: 400, message: sentence }]]);
        if (event.endsWith('_office')) expect([title, answer[1]]).toEqual([title, sentence]);
        sender.socket.emit(event, ...args);
      }
      await sender.settle();
      await agent.settle();
      await computer.settle();
      expect(agent.eventNames).toEqual(['notify:enter_office']);
      expect(computer.received).toEqual([]);
    },
  );

  it('join and leave answer malformed payloads with their two arguments [R-5.2-join-outcome]', async () => {
    await using running = await startServer();
    await using peer = await Peer.connect(running.url);
    expect(await peer.call('server:join_office', { role: 'agent', name: 'a' })).toEqual([
      false,
      'office_id: expected a string (400)',
    ]);
    expect(await peer.call('server:leave_office', null)).toEqual([false, 'Not in this office (4103)']);
  });

  it('128 levels are fine [R-3-depth]', async () => {
    await using running = await startServer();
    await using computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' });
    expect(await computer.call('server:update_config', { computer: 'x', extra: nested(127) })).toEqual([]);
  });

  it.each([5_000, 200_000])(
    '%i levels are 400 on every event and end nothing [R-3-depth] [F-J-depth]',
    async (levels) => {
      await using running = await startServer();
      await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' });
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      for (const event of Object.keys(EVENTS)) agent.socket.io.engine.write(`2/smcp,["${event}",{"params":${deep}}]`);
      const answer = new Promise((resolve) => {
        agent.socket.io.engine.on('packet', (packet: { data?: string }) => {
          if (packet.data?.startsWith('3/smcp,77') === true) resolve(packet.data);
        });
      });
      agent.socket.io.engine.write(`2/smcp,77["client:get_tools",{"agent":"a","x":${deep}}]`);
      expect(await answer).toBe('3/smcp,77[{"code":400,"message":"payload: nested deeper than 128 levels"}]');
      await agent.settle();
    },
  );

  it('the acknowledgement is the last argument: extra arguments are ignored [F-J-last-argument]', async () => {
    await using running = await startServer();
    await using computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' });
    expect(await computer.call('server:update_config', { computer: 'x' }, 'more', [1])).toEqual([]);
  });

  it('events without an ack fail silently and are logged, without their payload', async () => {
    const logger = new RecordingLogger();
    await using running = await startServer({ logger });
    await using peer = await Peer.connect(running.url);
    peer.socket.emit('server:update_config', { computer: 'canary' });
    peer.socket.emit('client:tool_call', { params: { secret: 'canary' }, req_id: 'r7' });
    await peer.settle();
    const refused = logger.of('warn').map(({ fields, message }) => ({ ...fields, message }));
    expect(refused).toMatchObject([
      { message: 'Event refused', event: 'server:update_config', code: 4103 },
      { message: 'Event refused', event: 'client:tool_call', code: 4103 },
      { event: 'test:settle', code: 400 },
    ]);
    const received = logger.of('debug').map(({ fields }) => fields);
    expect(received).toContainEqual(expect.objectContaining({ event: 'client:tool_call', req_id: 'r7', size: 44 }));
    expect(logger.text).not.toContain('canary');
  });
});

describe('broken packets', () => {
  it.each([
    ['a reserved name', '2/smcp,["disconnect",{}]'],
    ['no array', '2/smcp,{}'],
    ['an empty array', '2/smcp,[]'],
    ['broken JSON', '2/smcp,["x",'],
    ['broken JSON with NaN', '2/smcp,["x",NaN'],
    ['an unknown type', '9/smcp,["x"]'],
    ['attachments that never come', '51-/smcp,["x",{"_placeholder":true,"num":4}]'],
    ['a bogus ack', '3/smcp,99999[1]'],
    ['an event with a number for a name', '2/smcp,[7,{}]'],
    ['an event of 400,000 arguments', `2/smcp,["server:update_config"${',0'.repeat(400_000)}]`],
  ])('%s touches nobody but its sender', async (_title, packet) => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' });
    await using computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' });
    await using sender = await Peer.join(running.url, { role: 'computer', name: 'sender', office: 'office' });
    computer.on('client:get_tools', () => [{ tools: [] }]);
    sender.socket.io.engine.write(packet);
    sender.socket.io.engine.write('2/smcp,["server:leave_office",{"office_id":"office"}]');
    await agent.next('notify:leave_office');
    const answer = await agent.call('client:get_tools', { agent: 'agent', req_id: 'r', computer: 'laptop' });
    expect(answer).toEqual([{ tools: [] }]);
  });

  it.each([['polling'], ['websocket']] as const)(
    'a packet over the limit, sent by %s, ends the connection of its sender only [R-5.2-packet-limit]',
    async (transport) => {
      await using running = await startServer({ maxHttpBufferSize: 10_000 });
      await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' });
      await using sender = await Peer.join(
        running.url,
        { role: 'computer', name: 'laptop', office: 'office' },
        { transports: [transport] },
      );
      const call = agent.call('client:get_tools', { agent: 'agent', req_id: 'r', computer: 'laptop' });
      await sender.next('client:get_tools');
      const gone = sender.disconnected();
      sender.socket.emit('server:update_config', { computer: 'x'.repeat(20_000) });
      expect(await gone).toMatch(/transport/);
      expect(await call).toMatchObject([{ code: 404 }]);
      expect(await agent.next('notify:leave_office')).toEqual({ office_id: 'office', computer: 'laptop' });
      await agent.settle();
    },
  );

  it('NaN in a request is read as null [F-J-nan]', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' });
    await using computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' });
    agent.socket.io.engine.write(
      '2/smcp,["client:tool_call",{"agent":"a","req_id":"r","computer":"laptop","tool_name":"t","params":{"x":NaN},"timeout":5}]',
    );
    expect(await computer.next('client:tool_call')).toMatchObject({ params: { x: null } });
    await agent.settle();
  });
});
