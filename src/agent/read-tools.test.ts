import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../protocol/index.js';
import { readTools } from './read-tools.js';

describe('readTools', () => {
  it('keeps what is a tool as it came, and fills in what is absent', () => {
    const warnings: object[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => warnings.push(fields) };
    const schema = { $ref: '#/$defs/missing', exclusiveMinimum: true };
    const full = {
      name: 'a',
      description: 'd',
      params_schema: schema,
      return_schema: {},
      meta: { k: [1] },
      extra: null,
    };
    const [first, second] = readTools([full, 7, { name: 'b', meta: null }, { name: 8 }], 'c', logger);
    expect(first).toEqual(full);
    expect(first?.params_schema).toBe(schema);
    expect(second).toEqual({ name: 'b', description: '', params_schema: {}, return_schema: null, meta: {} });
    expect(warnings).toEqual([
      { computer: 'c', index: 1 },
      { computer: 'c', index: 3 },
    ]);
  });

  it('never throws, and gives nothing without a name', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (list) => {
        for (const tool of readTools(list, 'c', silentLogger)) expect(typeof tool.name).toBe('string');
      }),
    );
  });
});
