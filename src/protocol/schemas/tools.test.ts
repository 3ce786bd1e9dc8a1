import { describe, expect, it } from 'vitest';
import { smcpToolSchema, toolMetaValueSchema } from '../index.js';

describe('a tool as the Agent reads it', () => {
  it('needs a name; the rest may be missing, null or unknown', () => {
    expect(smcpToolSchema.safeParse({ name: 't' }).success).toBe(true);
    const nulls = { name: 't', description: null, params_schema: null, return_schema: null, meta: null, icon: 'x' };
    expect(smcpToolSchema.parse(nulls)).toEqual(nulls);
    expect(smcpToolSchema.safeParse({ description: 'x' }).success).toBe(false);
    expect(smcpToolSchema.safeParse({ name: 't', meta: [] }).success).toBe(false);
  });
});

describe('a value of the metadata of a tool', () => {
  it.each([['{"a":1}'], [true], [1.5], [[]], [['a', 'b']], [[1, 2]], [[true]]])('is flat: %j', (value) => {
    expect(toolMetaValueSchema.safeParse(value).success).toBe(true);
  });

  it.each([[null], [{}], [['a', 1]], [[['a']]], [[null]]])('is not %j', (value) => {
    expect(toolMetaValueSchema.safeParse(value).success).toBe(false);
  });
});
