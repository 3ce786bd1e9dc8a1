import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFrame, readFrames } from './frames.js';

describe('readFrame', () => {
  it.each([
    [
      { jsonrpc: '2.0', id: 1, result: { a: 1 }, extra: 1 },
      { jsonrpc: '2.0', id: 1, result: { a: 1 } },
    ],
    [
      { id: '1', result: {} },
      { jsonrpc: '2.0', id: '1', result: {} },
    ],
    [
      { id: 1, result: null },
      { jsonrpc: '2.0', id: 1, error: { code: -32000 } },
    ],
    [
      { id: 1, result: {}, error: null },
      { jsonrpc: '2.0', id: 1, result: {} },
    ],
    [{ id: 1 }, { jsonrpc: '2.0', id: 1, error: { code: -32000 } }],
    [
      { id: 1, error: { code: 'x', message: 5 } },
      { jsonrpc: '2.0', id: 1, error: { code: -32000 } },
    ],
    [
      { id: 1, error: { code: 1, message: 'm', data: null } },
      { id: 1, error: { code: 1, message: 'm', data: null } },
    ],
    [
      { method: 'm', params: [1], id: null },
      { jsonrpc: '2.0', method: 'm' },
    ],
    [
      { method: 'm', params: { a: 1 }, id: 0 },
      { jsonrpc: '2.0', method: 'm', params: { a: 1 }, id: 0 },
    ],
  ])('%j', (value, expected) => {
    expect(readFrame(value)).toMatchObject(expected);
  });

  it.each([null, 1, 'x', {}, { id: null, result: {} }, { method: 1 }])('takes %j for no message', (value) => {
    expect(readFrames(value)).toEqual([]);
  });

  it('never throws, keeps params and results as they are, and answers whatever has an id', () => {
    const field = fc.jsonValue();
    const message = fc.record(
      { id: field, method: field, params: field, result: field, error: field },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(message, (value) => {
        const frame = readFrame(value);
        const hasId = typeof value.id === 'number' || typeof value.id === 'string';
        expect(frame !== undefined).toBe(hasId || typeof value.method === 'string');
        if (frame !== undefined && 'result' in frame) expect(frame.result).toBe(value.result);
        if (frame !== undefined && 'params' in frame) expect(frame.params).toBe(value.params);
      }),
    );
  });
});
