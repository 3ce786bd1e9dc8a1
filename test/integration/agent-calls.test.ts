import { linkedSignal } from '../../src/client/index.js';
import { describe, expect, it } from 'vitest';
import type { Timers } from '../../src/server/index.js';
import { failure, fakeComputer, joinedAgent, startServer, until } from './agent-fixtures.js';

const LAPTOP = { office: 'o', name: 'laptop' };

/** The Server's waits, a hundred times as fast. */
const fastTimers: Timers = {
  start: (fire, delayMs, argument) => setTimeout(fire, delayMs / 100, argument),
  stop: (handle) => {
    clearTimeout(handle);
  },
};

describe('the time of a tool call', () => {
  it('[R-6.2-agent] a 408 of the Server is an isError result that says so, and the call is cancelled', async () => {
    const server = await startServer({ timers: fastTimers });
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o');
    const acks: unknown[] = [];
    const result = await agent.callTool(
      'laptop',
      'hang',
      {},
      {
        timeoutMs: 1000,
        reqId: 'r-1',
        onAck: (ack) => acks.push(ack),
      },
    );
    expect(result).toMatchObject({ isError: true, meta: { timeout: true, a2c_timeout: true } });
    expect(acks).toMatchObject([{ code: 408 }]);
    await until(() => laptop.received.some(({ event }) => event === 'notify:tool_call_cancel'));
    expect(laptop.received.at(-1)?.payload).toEqual({ agent: 'agent-1', req_id: 'r-1' });
  });

  it("[R-6.2-agent] the end of the Agent's own wait is the same result, and cancels too", async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o', { answerGraceMs: 0 });
    const result = await agent.callTool('laptop', 'hang', {}, { timeoutMs: 1 });
    expect(result).toMatchObject({ isError: true, meta: { timeout: true, a2c_timeout: true } });
    await until(() => laptop.received.some(({ event }) => event === 'notify:tool_call_cancel'));
  });

  it.each([[0], [-1], [3_600_001], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    '[R-6.2-range] a budget of %d ms is refused here',
    async (timeoutMs) => {
      const server = await startServer();
      const laptop = await fakeComputer(server.url, LAPTOP);
      const agent = await joinedAgent(server.url, 'o');
      const error = await failure(agent.callTool('laptop', 'echo', {}, { timeoutMs }));
      expect(error).toBeInstanceOf(RangeError);
      expect(String(error)).toContain('timeoutMs');
      expect(laptop.received.some(({ event }) => event === 'client:tool_call')).toBe(false);
    },
  );

  it('ends at once when the Computer goes', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o');
    const call = failure(agent.callTool('laptop', 'hang'));
    await until(() => laptop.received.some(({ event }) => event === 'client:tool_call'));
    laptop.socket.disconnect();
    expect(await call).toMatchObject({ code: 404, message: expect.stringContaining('disconnected') as string });
  });

  it('ends at once when the connection goes, and is not sent again after the rejoin', async () => {
    const first = await startServer();
    const laptop = await fakeComputer(first.url, LAPTOP);
    const agent = await joinedAgent(first.url, 'o');
    const call = failure(agent.callTool('laptop', 'hang'));
    await until(() => laptop.received.some(({ event }) => event === 'client:tool_call'));
    const rejoined = new Promise((resolve) => agent.on('rejoined', resolve));
    await first.server.close();
    expect(await call).toMatchObject({ name: expect.stringMatching(/ConnectionError|ProtocolError/) as string });
    const second = await startServer({}, first.port);
    const again = await fakeComputer(second.url, LAPTOP);
    await rejoined;
    await agent.getTools('laptop');
    expect(again.received.some(({ event }) => event === 'client:tool_call')).toBe(false);
  });
});

describe('cancelling a tool call', () => {
  it("by its signal gives the Computer's own answer", async () => {
    const server = await startServer();
    let answer: (result: unknown) => void = () => undefined;
    const laptop = await fakeComputer(server.url, LAPTOP, {
      'client:tool_call': (_payload, ack) => {
        answer = ack;
        return undefined;
      },
    });
    laptop.socket.on('notify:tool_call_cancel', () => {
      answer({ content: [{ type: 'text', text: 'cancelled' }], isError: true, meta: { a2c_cancelled: true } });
    });
    const agent = await joinedAgent(server.url, 'o');
    const stop = new AbortController();
    const call = agent.callTool('laptop', 'hang', {}, { signal: stop.signal });
    await until(() => laptop.received.some(({ event }) => event === 'client:tool_call'));
    stop.abort();
    expect(await call).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
  });

  it('by its signal ends with the reason when the Computer does not answer', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o', { cancelGraceMs: 20 });
    const stop = new AbortController();
    const call = failure(agent.callTool('laptop', 'hang', {}, { signal: stop.signal, reqId: 'r-2' }));
    await until(() => laptop.received.some(({ event }) => event === 'client:tool_call'));
    stop.abort(new Error('not needed'));
    expect(await call).toMatchObject({ message: 'not needed' });
    await until(() => laptop.received.some(({ event }) => event === 'notify:tool_call_cancel'));
    expect(laptop.received.at(-1)?.payload).toEqual({ agent: 'agent-1', req_id: 'r-2' });
  });

  it('before it is sent sends nothing', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o');
    const signal = AbortSignal.abort(new Error('never mind'));
    expect(await failure(agent.callTool('laptop', 'hang', {}, { signal }))).toMatchObject({ message: 'never mind' });
    await agent.getTools('laptop');
    const events = laptop.received.map(({ event }) => event);
    expect(events).not.toContain('client:tool_call');
    expect(events).not.toContain('notify:tool_call_cancel');
  });

  it('by an unknown id does nothing', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o');
    agent.cancel('unknown');
    agent.cancel('unknown');
    expect(await agent.getTools('laptop')).toHaveLength(1);
    expect(laptop.received.filter(({ event }) => event === 'notify:tool_call_cancel')).toHaveLength(2);
  });

  it('leaves other calls alone', async () => {
    const server = await startServer();
    await fakeComputer(server.url, LAPTOP, {
      'client:tool_call': ({ tool_name }, ack) => {
        if (tool_name === 'slow') setTimeout(ack, 50, { content: [], isError: false });
        return undefined;
      },
    });
    const agent = await joinedAgent(server.url, 'o', { cancelGraceMs: 5 });
    const slow = agent.callTool('laptop', 'slow');
    const hang = failure(agent.callTool('laptop', 'hang', {}, { signal: linkedSignal([], 10).signal }));
    expect(await hang).toMatchObject({ name: 'TimeoutError' });
    expect(await slow).toEqual({ content: [], isError: false });
  });
});

describe('results', () => {
  it.each([
    ['meta', { content: [], meta: { a: 1 } }, { content: [], meta: { a: 1 } }],
    ['_meta', { content: [], _meta: { a: 1 } }, { content: [], meta: { a: 1 } }],
    ['nulls', { content: [], isError: null, structuredContent: null, meta: null }, { content: [] }],
    ['a code beside content', { content: [], code: 7 }, { content: [], code: 7 }],
  ])('[R-6.1-readers] are read in every spelling: %s', async (_what, answer, expected) => {
    const server = await startServer();
    await fakeComputer(server.url, LAPTOP, { 'client:tool_call': () => answer });
    const agent = await joinedAgent(server.url, 'o');
    expect(await agent.callTool('laptop', 'echo')).toEqual(expected);
  });
});
