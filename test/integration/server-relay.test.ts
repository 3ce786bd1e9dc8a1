import { describe, expect, it } from 'vitest';
import { CALL_EVENTS, type CallEvent } from '../../src/protocol/index.js';
import { ManualTimers } from '../support/manual-timers.js';
import { startPair } from '../support/office-pair.js';
import { Peer } from '../support/peer.js';
import { RecordingLogger } from '../support/recording-logger.js';
import { startServer } from '../support/running-server.js';
import { MemoryOfficeRegistry } from '../../src/server/index.js';

const envelope = { agent: 'agent', req_id: 'r1', computer: 'laptop' };
const toolCall = { ...envelope, tool_name: 'echo', params: {}, timeout: 3 };

describe('the relay', () => {
  it.each([
    ['no argument', []],
    ['several arguments', [{ a: 1 }, 'two', null, [3]]],
    ['a null', [null]],
    ['binary attachments', [{ a: Buffer.from([1, 2]), deep: [{ b: Buffer.from('x') }] }, Buffer.from('y')]],
    ['an error', [{ code: 4013, message: 'no', category: 'unknown_host', details: { a: 1 } }]],
  ])('returns an ack of %s unchanged [R-3.1-unchanged]', async (_title, answer) => {
    await using pair = await startPair();
    pair.computer.on('client:tool_call', () => answer);
    expect(await pair.agent.call('client:tool_call', toolCall)).toEqual(answer);
  });

  it('forwards payloads unchanged: unknown fields, key order, __proto__ [R-3.1-unchanged] [R-3.1-unknown-fields] [R-3-proto-data]', async () => {
    await using pair = await startPair();
    pair.computer.on('client:tool_call', () => [{ content: [] }]);
    const text = '{"z":1,"__proto__":{"polluted":true},"constructor":{"prototype":1},"a":[null,-1.5e300]}';
    const payload = { z: 1, ...toolCall, params: JSON.parse(text) as object, a: { deep: [[[]]] } };
    await pair.agent.call('client:tool_call', payload);
    expect(JSON.stringify(await pair.computer.next('client:tool_call'))).toBe(JSON.stringify(payload));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('forwards binary attachments [R-3.1-unchanged]', async () => {
    await using pair = await startPair();
    pair.computer.on('client:tool_call', () => [{ content: [] }]);
    const payload = { ...toolCall, params: { blob: Buffer.from([0, 255]), list: [Buffer.from('x')] } };
    await pair.agent.call('client:tool_call', payload);
    expect(await pair.computer.next('client:tool_call')).toEqual(payload);
  });

  it('a differing agent field is logged, not refused [R-3.1-agent-not-believed] [F-J-session-identity]', async () => {
    const logger = new RecordingLogger();
    await using pair = await startPair({ logger });
    pair.computer.on('client:get_tools', () => [{ tools: [] }]);
    const answer = await pair.agent.call('client:get_tools', { ...envelope, agent: 'somebody' });
    expect(answer).toEqual([{ tools: [] }]);
    expect(logger.lines).toContainEqual({
      level: 'debug',
      message: 'The agent field differs from the name in the session',
      fields: expect.objectContaining({ event: 'client:get_tools', name: 'agent' }) as object,
    });
  });

  it('the schema is checked before the name [R-3.1-order]', async () => {
    await using pair = await startPair();
    const answer = await pair.agent.call('client:tool_call', { ...toolCall, computer: 'nobody', timeout: '3' });
    expect(answer).toMatchObject([{ code: 400, message: expect.stringMatching(/^timeout: /) as string }]);
  });

  it.each([0, 3601, 1.5, '60', null, undefined])('timeout %s is 400 that names it [R-6.2-range]', async (timeout) => {
    await using pair = await startPair();
    const answer = await pair.agent.call('client:tool_call', { ...toolCall, timeout });
    expect(answer).toMatchObject([{ code: 400, message: expect.stringMatching(/^timeout: /) as string }]);
  });

  it('a Computer that disconnects during a call gives 404 at once [R-5.2-dropped] [F-J-dropped-target]', async () => {
    await using pair = await startPair();
    const calls = [1, 2, 3].map(() => pair.agent.call('client:tool_call', { ...toolCall, timeout: 3600 }));
    await pair.computer.next('client:tool_call');
    pair.computer.socket.disconnect();
    const error = { code: 404, message: 'Computer "laptop" disconnected during the call', computer: 'laptop' };
    expect(await Promise.all(calls)).toEqual([[error], [error], [error]]);
    expect(await pair.agent.call('client:get_tools', envelope)).toMatchObject([{ code: 404 }]);
  });

  it.each([
    ['leaves', (computer: Peer) => computer.call('server:leave_office', { office_id: 'office' })],
    ['moves', (computer: Peer) => computer.join('computer', 'laptop', 'elsewhere')],
  ])(
    'a Computer that %s during a call gives 404, and its late answer crosses no border [R-1-isolation]',
    async (_how, go) => {
      await using pair = await startPair();
      let answerLate: (() => void) | undefined;
      pair.computer.on('client:tool_call', (_payload, ack) => {
        answerLate = () => {
          (ack as (answer: object) => void)({ content: [] });
        };
      });
      const call = pair.agent.call('client:tool_call', toolCall);
      await pair.computer.next('client:tool_call');
      await go(pair.computer);
      expect(await call).toMatchObject([{ code: 404, message: expect.stringContaining('left the office') as string }]);
      answerLate?.();
      await pair.computer.settle();
      await pair.agent.settle();
    },
  );

  const waits: [CallEvent, object, number][] = [
    ['client:tool_call', toolCall, 8_000],
    ['client:get_dpe', { ...envelope, uri: 'dpe://h/d', timeout: 10 }, 15_000],
    ['client:get_dpe', { ...envelope, uri: 'dpe://h/d' }, 65_000],
    ['client:get_tools', envelope, 30_000],
    ['client:get_config', envelope, 30_000],
    ['client:get_desktop', envelope, 30_000],
    ['client:get_resources', { ...envelope, mcp_server: 's' }, 30_000],
  ];

  it.each(waits)(
    '%s %o is 408 after %i ms without an answer [R-5.2-late] [R-6.2-server]',
    async (event, payload, delayMs) => {
      const timers = new ManualTimers();
      await using pair = await startPair({ timers });
      const call = pair.agent.call(event, payload);
      await timers.started();
      expect(timers.delays).toEqual([delayMs]);
      timers.fireAll();
      expect(await call).toEqual([
        { code: 408, message: 'Computer "laptop" did not answer in time', computer: 'laptop' },
      ]);
    },
  );

  it('waits in real time too, and ignores the answer that comes later [R-6.2-server] [F-J-ack-timeout]', async () => {
    await using pair = await startPair();
    let answerLate: (() => void) | undefined;
    pair.computer.on('client:tool_call', (_payload, ack) => {
      answerLate = () => {
        (ack as (answer: object) => void)({ content: [] });
      };
    });
    const started = Date.now();
    expect(await pair.agent.call('client:tool_call', { ...toolCall, timeout: 1 })).toMatchObject([{ code: 408 }]);
    expect(Date.now() - started).toBeGreaterThan(5_900);
    answerLate?.();
    await pair.computer.settle();
    await pair.agent.settle();
  });

  it('an answered call leaves no timer behind [F-J-ack-timeout]', async () => {
    const timers = new ManualTimers();
    await using pair = await startPair({ timers });
    pair.computer.on('client:tool_call', () => [{ content: [] }]);
    await pair.agent.call('client:tool_call', toolCall);
    expect(timers.delays).toEqual([]);
  });

  it('a call without an ack is relayed all the same', async () => {
    await using pair = await startPair();
    pair.agent.socket.emit('client:tool_call', toolCall);
    expect(await pair.computer.next('client:tool_call')).toEqual(toolCall);
  });

  it('an Agent that leaves or drops during a call: the call runs on, its answer is dropped [R-6.3-agent-gone]', async () => {
    await using pair = await startPair();
    const acks: (() => void)[] = [];
    pair.computer.on('client:tool_call', (_payload, ack) => {
      acks.push(() => {
        (ack as (answer: object) => void)({ content: [] });
      });
    });
    const first = pair.agent.call('client:tool_call', toolCall);
    await pair.computer.next('client:tool_call');
    await pair.agent.call('server:leave_office', { office_id: 'office' });
    await pair.agent.join('agent', 'agent', 'office');
    acks[0]?.();
    expect(await first).toEqual([{ code: 4103, message: 'Left the office during the call' }]);
    const second = pair.agent.call('client:tool_call', toolCall);
    await pair.computer.next('client:tool_call');
    pair.agent.socket.disconnect();
    await expect(second).rejects.toThrow('disconnected');
    await pair.computer.next('notify:leave_office');
    acks[1]?.();
    await pair.computer.settle();
  });

  it('an answer that cannot be passed on becomes 500 [R-5.2-always-answered]', async () => {
    await using pair = await startPair();
    const call = pair.agent.call('client:tool_call', toolCall);
    await pair.computer.next('client:tool_call');
    // The client library could not encode this either, so it is sent as text.
    const text = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    pair.computer.socket.io.engine.write(`3/smcp,0[{"content":${text}}]`);
    expect(await call).toMatchObject([{ code: 500 }]);
    await pair.computer.settle();
  });

  it('an answer of some hundred thousand arguments becomes 500 and harms nobody', async () => {
    await using pair = await startPair();
    const call = pair.agent.call('client:tool_call', toolCall);
    await pair.computer.next('client:tool_call');
    const text = `[0${',0'.repeat(400_000)}]`;
    pair.computer.socket.io.engine.write(`3/smcp,0${text}`);
    expect(await call).toMatchObject([{ code: 500, message: expect.stringContaining('400001') as string }]);
    await pair.computer.settle();
  });

  it('NaN and Infinity of a Python peer are read as null, the connection stays', async () => {
    await using pair = await startPair();
    const call = pair.agent.call('client:tool_call', toolCall);
    await pair.computer.next('client:tool_call');
    pair.computer.socket.io.engine.write('3/smcp,0[{"content":[],"v":NaN,"w":[-Infinity,"NaN \\" Infinity"]}]');
    expect(await call).toEqual([{ content: [], v: null, w: [null, 'NaN " Infinity'] }]);
    await pair.computer.settle();
  });

  it('what fails inside is a 500 that tells nothing of it, and is logged [R-5.2-no-leak] [R-5.2-always-answered]', async () => {
    const logger = new RecordingLogger();
    const broken = () => Promise.reject(new Error('canary at 10.0.0.7'));
    const registry = { join: broken, leave: broken, find: broken, members: broken };
    const healthy = new MemoryOfficeRegistry();
    await using running = await startServer({
      logger,
      registry: { ...registry, join: (member) => healthy.join(member) },
    });
    await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' });
    const error = { code: 500, message: 'Internal error' };
    expect(await agent.call('client:get_tools', envelope)).toEqual([error]);
    expect(await agent.call('server:list_room', { ...envelope, office_id: 'office' })).toEqual([error]);
    expect(await agent.call('server:leave_office', { office_id: 'office' })).toEqual([false, 'Internal error (500)']);
    expect(logger.of('error')).toHaveLength(3);
    await using shut = await startServer({ registry });
    await using peer = await Peer.connect(shut.url);
    expect(await peer.join('agent', 'agent', 'office')).toEqual([false, 'Internal error (500)']);
  });

  it('error acks hold no sid of another member [R-5.2-no-leak]', async () => {
    await using pair = await startPair();
    const call = pair.agent.call('client:tool_call', toolCall);
    await pair.computer.next('client:tool_call');
    const { sid } = pair.computer;
    pair.computer.socket.disconnect();
    expect(JSON.stringify([await call, await pair.agent.call('client:get_tools', envelope)])).not.toContain(sid);
  });

  it('every row of the table is relayed', () => {
    expect(new Set(waits.map(([event]) => event))).toEqual(new Set(Object.keys(CALL_EVENTS)));
  });
});
