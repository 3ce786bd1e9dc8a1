import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { compileSchema } from './compile-schema.js';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('compileSchema', () => {
  it.each<[JsonObject, JsonObject, string[]]>([
    [object({ a: { type: 'string' } }), { a: 1 }, ['a: must be string']],
    [object({}, { required: ['a', 'b'] }), {}, ['a: is required', 'b: is required']],
    [object({}, { additionalProperties: false }), { z: 's3cret' }, ['z: is not a known field']],
    [object({}, { unevaluatedProperties: false }), { 'odd key': 1 }, ['["odd key"]: is not a known field']],
    [object({ a: { enum: ['x', 2] } }), { a: 's3cret' }, ['a: must be one of "x", 2']],
    [object({ a: { const: null } }), { a: 's3cret' }, ['a: must be null']],
    [object({ a: { minimum: 5 } }), { a: 4 }, ['a: must be >= 5']],
    [object({ a: { pattern: '^x$' } }), { a: 's3cret' }, ['a: must match pattern "^x$"']],
    [
      object({ list: { items: object({ 'a/b~c': { type: 'integer' } }) } }),
      { list: [{}, { 'a/b~c': 's3cret' }] },
      ['list[1]["a/b~c"]: must be integer'],
    ],
    [{ minProperties: 1 }, {}, ['the arguments: must NOT have fewer than 1 properties']],
    [
      { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      {},
      ['a: is required', 'b: is required', 'the arguments: must match a schema in anyOf'],
    ],
    // 2020-12, said or not
    [object({ a: { prefixItems: [{ type: 'string' }], items: false } }), { a: [1] }, ['a[0]: must be string']],
    [
      { $schema: DRAFT_2020, ...object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'null' } } }) },
      { a: 1 },
      ['a: must be null'],
    ],
    // draft-07, said or not
    [object({ a: { items: [{ type: 'string' }] } }), { a: [1] }, ['a[0]: must be string']],
    [
      { $schema: DRAFT_07, ...object({ a: { $ref: '#/definitions/x' } }, { definitions: { x: { type: 'null' } } }) },
      { a: 1 },
      ['a: must be null'],
    ],
    [
      object({}, { dependencies: { a: ['b'] } }),
      { a: 1 },
      ['the arguments: must have property b when property a is present'],
    ],
    // Only with the flag that JSON Schema asks for, and only without
    [object({ a: { pattern: '^\\p{Lu}$' } }), { a: 'x' }, ['a: must match pattern "^\\p{Lu}$"']],
    [object({ a: { pattern: '^[\\w\\-]+$' } }), { a: '!' }, ['a: must match pattern "^[\\w\\-]+$"']],
    // Refers to itself by its own name
    [
      { $id: 'https://h/s', ...object({ a: { $ref: 'https://h/s' } }, { required: ['a'] }) },
      { a: {} },
      ['a.a: is required'],
    ],
  ])('judges by %j that %j has these faults, without a value: %j', (schema, args, problems) => {
    const found = compileSchema(schema)(args);
    expect(found).toEqual(problems);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  it.each<[JsonObject, JsonObject]>([
    [{}, { a: 1 }],
    [object({ a: { type: 'string', format: 'no-such-format' }, b: { format: 'email' } }), { a: 'x', b: 'no address' }],
    [object({ a: { type: 'string', 'x-vendor': 1 } }, { nonsense: true }), { a: 'x' }],
    [object({ a: { type: 'integer', default: 5 } }), {}],
    [
      JSON.parse('{"properties":{"__proto__":{"type":"object"}}}') as JsonObject,
      JSON.parse('{"__proto__":{}}') as JsonObject,
    ],
  ])('judges by %j that %j is fine, and changes nothing', (schema, args) => {
    const [before, text] = [JSON.stringify(schema), JSON.stringify(args)];
    expect(compileSchema(schema)(args)).toEqual([]);
    expect([JSON.stringify(schema), JSON.stringify(args)]).toEqual([before, text]);
  });

  it('keeps schemas of one $id apart', () => {
    const named = (type: string): JsonObject => ({
      $id: 'https://h/same',
      ...object({ a: { $id: 'https://h/part', type } }),
    });
    const [text, number] = [compileSchema(named('string')), compileSchema(named('number'))];
    expect([text({ a: 1 }), number({ a: 1 }), text({ a: 'x' })]).toEqual([['a: must be string'], [], []]);
  });

  it('names ten faults at most, each shortened', () => {
    const args = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, 1]));
    const many = compileSchema({ additionalProperties: false })(args);
    expect(many).toHaveLength(11);
    expect(many.at(-1)).toBe('and more');
    const schema = object({ ['k'.repeat(500)]: { enum: ['v'.repeat(500)] } });
    const [long = ''] = compileSchema(schema)({ ['k'.repeat(500)]: 1 });
    expect(long).toMatch(/^k{80}…: must be one of "v+…$/);
    expect(long.length).toBeLessThan(300);
  });

  it.each<[JsonObject, RegExp]>([
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, /dialect "http:\/\/json-schema.org\/draft-04\/schema#"/],
    [object({ a: { exclusiveMinimum: true } }), /exclusiveMinimum/],
    [object({ a: { $ref: '#/$defs/missing' } }), /resolve reference/],
    [object({ a: { $ref: 'https://h/elsewhere' } }), /resolve reference/],
    [object({ a: { pattern: '(' } }), /regular expression/],
    [{ type: 'strng' }, /type must be/],
    [{ $async: true }, /asynchronous/],
  ])('does not take %j', (schema, reason) => {
    expect(() => compileSchema(schema)).toThrow(reason);
  });
});
