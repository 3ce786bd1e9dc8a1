import { describe, expect, it } from 'vitest';
import { silentLogger } from '../protocol/index.js';
import { ConnectionError, RequestTimeoutError, type WaitOptions } from '../client/index.js';
import { Requester } from './requester.js';
import { ToolCaller } from './tool-caller.js';

interface Sent {
  readonly event: string;
  readonly payload: object;
  readonly wait?: WaitOptions;
}

/** A caller over a connection that answers with `answer`. */
function rig(answer: () => Promise<unknown>) {
  const sent: Sent[] = [];
  const requester = new Requester({
    connection: {
      request: (event, payload, wait) => {
        sent.push({ event, payload, wait });
        return answer();
      },
      send: (event, payload) => {
        sent.push({ event, payload });
        if (sent.length > 5) throw new ConnectionError('gone');
      },
    },
    newRequestId: () => 'id-1',
    agentName: () => 'me',
  });
  const caller = new ToolCaller({ requester, answerGraceMs: 7_000, cancelGraceMs: 10, logger: silentLogger });
  return { caller, sent };
}

const CALL = { computer: 'c', tool: 't', params: {} };

describe('ToolCaller', () => {
  it.each([
    [undefined, 60],
    [1, 1],
    [1_500, 2],
    [3_600_000, 3600],
  ])('[R-6.2-agent] with a budget of %s ms sends %d s and waits 7 s longer', async (timeoutMs, timeout) => {
    const { caller, sent } = rig(() => Promise.resolve({ content: [] }));
    await caller.call(CALL, timeoutMs === undefined ? {} : { timeoutMs });
    expect(sent).toEqual([
      {
        event: 'client:tool_call',
        payload: { agent: 'me', req_id: 'id-1', computer: 'c', tool_name: 't', params: {}, timeout },
        wait: { timeoutMs: timeout * 1000 + 7000, signal: undefined },
      },
    ]);
  });

  it('[R-6.2-agent] turns the end of its wait and a 408 into one result, and cancels', async () => {
    for (const answer of [
      () => Promise.reject(new RequestTimeoutError('client:tool_call', 1)),
      () => Promise.resolve({ code: 408, message: 'late' }),
    ]) {
      const { caller, sent } = rig(answer);
      const result = await caller.call(CALL, { reqId: 'mine' });
      expect(result).toMatchObject({ isError: true, meta: { timeout: true, a2c_timeout: true } });
      expect(sent[1]).toEqual({ event: 'server:tool_call_cancel', payload: { agent: 'me', req_id: 'mine' } });
    }
  });

  it('throws what is neither', async () => {
    const lost = rig(() => Promise.reject(new ConnectionError('lost')));
    await expect(lost.caller.call(CALL, {})).rejects.toThrow('lost');
    const refused = rig(() => Promise.resolve({ code: 404, message: 'none', computer: 'c' }));
    await expect(refused.caller.call(CALL, {})).rejects.toMatchObject({ code: 404, fields: { computer: 'c' } });
    expect(refused.sent).toHaveLength(1);
    await expect(lost.caller.call({ ...CALL, params: [] as never }, {})).rejects.toThrow('params must be an object');
  });

  it('after an abort gives a result that comes in time, and else the reason, whatever else comes', async () => {
    const stop = new AbortController();
    let settle: (value: unknown) => void = () => undefined;
    const answered = rig(
      () =>
        new Promise((resolve) => {
          settle = resolve;
        }),
    );
    const call = answered.caller.call(CALL, { signal: stop.signal });
    stop.abort(new Error('reason'));
    await expect.poll(() => answered.sent.length).toBe(2);
    settle({ content: [], isError: true, meta: { a2c_cancelled: true } });
    await expect(call).resolves.toMatchObject({ meta: { a2c_cancelled: true } });

    const silent = rig(() => new Promise(() => undefined));
    const again = new AbortController();
    const unanswered = silent.caller.call(CALL, { signal: again.signal });
    again.abort(new Error('reason'));
    await expect(unanswered).rejects.toThrow('reason');
    const failing = rig(() => Promise.resolve({ code: 404, message: 'gone' }));
    await expect(failing.caller.call(CALL, { signal: new AbortController().signal })).rejects.toThrow('gone');
  });
});
