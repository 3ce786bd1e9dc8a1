import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  checkPayload,
  handleCall,
  ProtocolError,
  readIncoming,
  sendAck,
  toErrorPayload,
  toolCallRequestSchema,
  type Ack,
} from './index.js';

const call = { agent: 'a', req_id: 'r', computer: 'c', tool_name: 't', params: {}, timeout: 5 };

/** An object of exactly so many levels. */
function nested(levels: number): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('readIncoming', () => {
  const ack: Ack = () => undefined;

  it.each<[string, unknown[], unknown, Ack | undefined]>([
    ['payload and acknowledgement', [call, ack], call, ack],
    ['a payload alone', [call], call, undefined],
    ['an acknowledgement alone, as Python sends None', [ack], undefined, ack],
    ['nothing', [], undefined, undefined],
    ['null and an acknowledgement', [null, ack], null, ack],
    ['more arguments: the last is the acknowledgement, the first the payload', [call, 1, 2, ack], call, ack],
    ['more arguments without an acknowledgement', [call, 1], call, undefined],
  ])('takes %s', (_, args, payload, expected) => {
    expect(readIncoming(args)).toEqual({ payload, ack: expected });
  });
});

describe('checkPayload', () => {
  it('[R-3.1-unknown-fields] returns the object that came in, unknown fields included', () => {
    const payload = { ...call, extra: { deep: [1] } };
    expect(checkPayload(toolCallRequestSchema, payload)).toBe(payload);
  });

  it('[R-3-proto-data] leaves __proto__ in params as the data it is', () => {
    const text = `{"zz":1,"agent":"a","req_id":"r","computer":"c","tool_name":"t","timeout":1,"params":{"__proto__":{"x":1},"constructor":{"prototype":null}}}`;
    const checked = checkPayload(toolCallRequestSchema, JSON.parse(text));
    expect(JSON.stringify(checked)).toBe(text);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('[R-3-depth] takes 128 levels, the payload being the first, and refuses 129', () => {
    const at = (levels: number): unknown => ({ ...call, params: nested(levels - 1) });
    expect(() => checkPayload(toolCallRequestSchema, at(128))).not.toThrow();
    expect(thrownBy(() => checkPayload(toolCallRequestSchema, at(129)))).toMatchObject({
      code: 400,
      message: 'payload: nested deeper than 128 levels',
    });
    expect(() => checkPayload(toolCallRequestSchema, at(50_000))).toThrow(ProtocolError);
  });

  it.each<[string, unknown, RegExp]>([
    ['null', null, /^payload: /],
    ['nothing', undefined, /^payload: /],
    ['a list', [call], /^payload: /],
    ['text', 'call', /^payload: /],
    ['binary', new Uint8Array(2), /^agent: /],
    ['a missing field', { ...call, computer: undefined }, /^computer: expected a string$/],
    ['a null field', { ...call, req_id: null }, /^req_id: expected a string$/],
    ['params as a list', { ...call, params: [] }, /^params: expected an object$/],
    ['params as null', { ...call, params: null }, /^params: expected an object$/],
    ['params as binary', { ...call, params: new Uint8Array(2) }, /^params: expected an object$/],
  ])('refuses %s with 400 and names the field', (_, payload, message) => {
    const error = thrownBy(() => checkPayload(toolCallRequestSchema, payload));
    expect(error).toBeInstanceOf(ProtocolError);
    expect(error).toMatchObject({ code: 400, message: expect.stringMatching(message) as string });
  });

  it('names an inner field by its path', () => {
    const schema = z.object({ list: z.array(z.object({ id: z.string({ error: 'expected a string' }) })) });
    expect(() => checkPayload(schema, { list: [{ id: 'a' }, { id: 1 }] })).toThrow(/^list\.1\.id: expected a string$/);
  });
});

describe('toErrorPayload', () => {
  it('passes a ProtocolError on and keeps anything else inside', () => {
    const unforeseen = vi.fn();
    expect(toErrorPayload(new ProtocolError(4103, 'Not joined'), unforeseen)).toEqual({
      code: 4103,
      message: 'Not joined',
    });
    expect(unforeseen).not.toHaveBeenCalled();

    const secret = new Error('token abc123 in /home/x');
    expect(toErrorPayload(secret, unforeseen)).toEqual({ code: 500, message: 'Internal error' });
    expect(unforeseen).toHaveBeenCalledExactlyOnceWith(secret);
  });
});

describe('sendAck', () => {
  it('does nothing when no acknowledgement is wanted', () => {
    expect(() => {
      sendAck(undefined, [1], () => expect.unreachable());
    }).not.toThrow();
  });

  it('passes all arguments', () => {
    const ack = vi.fn();
    sendAck(ack, [false, 'reason'], () => expect.unreachable());
    expect(ack).toHaveBeenCalledExactlyOnceWith(false, 'reason');
  });

  it('answers 500 when the answer cannot be encoded', () => {
    const fault = new RangeError('too deep');
    const sent: unknown[] = [];
    const failures: unknown[] = [];
    const ack: Ack = (answer) => {
      if (answer === 'unencodable') throw fault;
      sent.push(answer);
    };
    sendAck(ack, ['unencodable'], (error) => failures.push(error));
    expect(sent).toEqual([{ code: 500, message: 'The answer could not be encoded' }]);
    expect(failures).toEqual([fault]);
  });

  it('does not throw when even that cannot be sent', () => {
    const failures: unknown[] = [];
    const ack: Ack = () => {
      throw new Error('gone');
    };
    sendAck(ack, [1], (error) => failures.push(error));
    expect(failures).toHaveLength(2);
  });
});

describe('handleCall', () => {
  const unexpected = (error: unknown): never => {
    throw error;
  };

  it('answers with what the act returns, and gives it the object that came in', async () => {
    const ack = vi.fn();
    const request = { ...call };
    let seen: unknown;
    const act = (payload: unknown): unknown => {
      seen = payload;
      return Promise.resolve({ content: [] });
    };
    await handleCall('client:tool_call', [request, ack], act, unexpected);
    expect(seen).toBe(request);
    expect(ack).toHaveBeenCalledExactlyOnceWith({ content: [] });
  });

  it.each<[string, unknown[], RegExp]>([
    ['no payload', [], /^payload: /],
    ['null', [null], /^payload: /],
    ['a wrong field', [{ ...call, timeout: 0 }], /^timeout: must be at least 1 second$/],
    ['too deep a payload', [{ ...call, params: nested(200) }], /^payload: nested deeper/],
  ])('[R-5.2-always-answered] answers %s with 400 without acting', async (_, args, message) => {
    const ack = vi.fn();
    await handleCall('client:tool_call', [...args, ack], () => expect.unreachable(), unexpected);
    expect(ack).toHaveBeenCalledExactlyOnceWith({ code: 400, message: expect.stringMatching(message) as string });
  });

  it('[R-5.2-always-answered] answers a ProtocolError as it is and any other error as 500', async () => {
    const ack = vi.fn();
    const onFailure = vi.fn();
    const act = (error: Error) => (): never => {
      throw error;
    };
    await handleCall('client:get_tools', [call, ack], act(new ProtocolError(404, 'gone', { x: 1 })), onFailure);
    expect(ack).toHaveBeenLastCalledWith({ code: 404, message: 'gone', x: 1 });
    expect(onFailure).not.toHaveBeenCalled();
    await handleCall('client:get_tools', [call, ack], act(new Error('inside')), onFailure);
    expect(ack).toHaveBeenLastCalledWith({ code: 500, message: 'Internal error' });
    expect(onFailure).toHaveBeenCalledOnce();
    expect(ack).toHaveBeenCalledTimes(2);
  });

  it('acts also when nobody waits for the answer', async () => {
    const act = vi.fn();
    await handleCall('client:get_tools', [call], act, unexpected);
    expect(act).toHaveBeenCalledOnce();
  });
});
