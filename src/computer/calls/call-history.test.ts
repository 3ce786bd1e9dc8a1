import { describe, expect, it } from 'vitest';
import { failedCall, type CallToolResult, type JsonObject } from '../../protocol/index.js';
import { Redactor } from '../redactor.js';
import { CallHistory, type CallHistoryEntry, type EndedCall } from './call-history.js';

function ended(params: JsonObject, result: CallToolResult | JsonObject, extra: Partial<EndedCall> = {}): EndedCall {
  return {
    request: { agent: 'ann', req_id: 'r1', computer: 'c', tool_name: 'alias', params, timeout: 60 },
    origin: { agent: 'ann' },
    route: { server: 's', tool: 'own', schema: {} },
    server: 's',
    result: result as CallToolResult,
    outcome: 'ok',
    code: undefined,
    startedAt: new Date(1_000),
    durationMs: 12.4,
    ...extra,
  };
}

const text = (value: string): JsonObject => ({ type: 'text', text: value });

function entryOf(call: EndedCall, ...secrets: string[]): CallHistoryEntry | undefined {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  const history = new CallHistory(10, redactor);
  history.add(call);
  return history.entries[0];
}

describe('CallHistory', () => {
  it('keeps what an owner wants to know of a call', () => {
    expect(entryOf(ended({ a: [1, 'x'] }, { content: [text('one'), { type: 'image' }, text('two')] }))).toEqual({
      reqId: 'r1',
      agent: 'ann',
      server: 's',
      tool: 'alias',
      exposedName: 'alias',
      originalName: 'own',
      ok: true,
      outcome: 'ok',
      code: undefined,
      startedAt: new Date(1_000),
      endedAt: new Date(1_012),
      durationMs: 12,
      args: '{"a":[1,"x"]}',
      answer: 'one\n[image]\ntwo',
    });
    const failure = failedCall('The tool call was cancelled.', {});
    const failed = ended({}, failure, { outcome: 'cancelled', code: 4003, route: undefined, server: undefined });
    expect(entryOf(failed)).toMatchObject({
      ok: false,
      outcome: 'cancelled',
      code: 4003,
      server: undefined,
      originalName: undefined,
      answer: 'The tool call was cancelled.',
    });
  });

  it.each([
    [{ content: [] }, ''],
    [{ content: [], structuredContent: { n: 1 } }, '{"n":1}'],
    [{ content: [null, 5, { type: 7 }, { type: 'text', text: null }] }, '[no block]\n[no block]\n[no type]\n[text]'],
  ])('shows an answer of any shape: %j', (result, answer) => {
    expect(entryOf(ended({}, result))?.answer).toBe(answer);
  });

  it('is bounded in number and size, whatever the calls carried', () => {
    const history = new CallHistory(100, new Redactor());
    const big = 'x'.repeat(900_000);
    for (let index = 0; index < 250; index += 1) {
      const request = {
        agent: big,
        req_id: `${index}${big}`,
        computer: 'c',
        tool_name: big,
        params: { big },
        timeout: 1,
      };
      history.add(ended({}, { content: [text(big)] }, { request }));
    }
    expect(history.entries).toHaveLength(100);
    expect(history.entries[0]?.reqId).toMatch(/^150x+…$/);
    expect(JSON.stringify(history.entries).length).toBeLessThan(400_000);
    history.clear();
    expect(history.entries).toEqual([]);
  });

  it('keeps nothing where the capacity is 0', () => {
    const history = new CallHistory(0, new Redactor());
    history.add(ended({}, { content: [] }));
    expect(history.entries).toEqual([]);
  });

  it('shows no secret and no part of one, wherever the text is cut', () => {
    const secret = '#canary-4711-with-a-"quote"-and-more#';
    for (let before = 0; before < 1_100; before += 7) {
      const filler = '.'.repeat(before);
      const value = `${filler}${secret}${filler}${secret}`;
      const entry = entryOf(ended({ [secret]: value }, { content: [text(value), text(secret)] }), secret);
      expect(JSON.stringify(entry)).not.toMatch(/#|can|4711/);
    }
  });
});
