import { describe, expect, it } from 'vitest';
import { callToolResultSchema, failedCall, readCallToolResult, readErrorAck } from '../index.js';

describe('failedCall', () => {
  it('[R-6.1-wire-shape] is a result with isError, a text and its marks at result level', () => {
    const result = failedCall('Tool "x" does not exist', { error_code: 4001 });
    expect(result).toEqual({
      content: [{ type: 'text', text: 'Tool "x" does not exist' }],
      isError: true,
      meta: { error_code: 4001 },
    });
    expect(callToolResultSchema.safeParse(result).success).toBe(true);
    expect(readErrorAck(result)).toBeUndefined();
  });
});

describe('readCallToolResult', () => {
  it('[R-6.1-readers] reads nulls as absent fields', () => {
    const nulls = { content: [], isError: null, structuredContent: null, meta: null, _meta: null };
    expect(readCallToolResult(nulls)).toStrictEqual({ content: [] });
  });

  it('[R-6.1-readers] reads _meta as meta, and meta first where both are there', () => {
    expect(readCallToolResult({ content: [], _meta: { a: 1 } })).toStrictEqual({ content: [], meta: { a: 1 } });
    expect(readCallToolResult({ content: [], meta: { a: 1 } })).toStrictEqual({ content: [], meta: { a: 1 } });
    expect(readCallToolResult({ content: [], meta: { a: 1 }, _meta: { a: 2, b: 3 } })).toStrictEqual({
      content: [],
      meta: { a: 1, b: 3 },
    });
  });

  it('[R-6.1-readers] keeps content blocks as the objects they are, with their own _meta', () => {
    const block = { type: 'text', text: 'a', _meta: { mine: true }, annotations: null };
    const unknown = { type: 'hologram', data: [1] };
    const result = readCallToolResult({ content: [block, unknown], isError: false });
    expect(result?.content[0]).toBe(block);
    expect(result?.content[1]).toBe(unknown);
    expect(result?.isError).toBe(false);
  });

  it('keeps unknown fields, falsy structured content and __proto__', () => {
    expect(readCallToolResult({ content: [], structuredContent: 0, resultType: 'x' })).toStrictEqual({
      content: [],
      structuredContent: 0,
      resultType: 'x',
    });
    const hostile: unknown = JSON.parse(
      '{"content":[],"structuredContent":{"__proto__":{"x":1}},"meta":{"__proto__":1}}',
    );
    expect(JSON.stringify(readCallToolResult(hostile))).toBe(JSON.stringify(hostile));
  });

  it('leaves the original alone', () => {
    const original = Object.freeze({ content: [], isError: null, _meta: Object.freeze({ a: 1 }) });
    readCallToolResult(original);
    expect(original).toEqual({ content: [], isError: null, _meta: { a: 1 } });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['nothing', undefined],
    ['a list', []],
    ['an error acknowledgement', { code: 404, message: 'x' }],
    ['no content', { isError: true }],
    ['content that is null', { content: null }],
    ['content that is text', { content: 'a' }],
    ['a block that is text', { content: ['a'] }],
    ['a block that is null', { content: [null] }],
    ['a mark of another type', { content: [], isError: 'yes' }],
  ])('gives undefined for %s', (_, value) => {
    expect(readCallToolResult(value)).toBeUndefined();
  });
});
