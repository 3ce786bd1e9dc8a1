import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanTopLevel } from './top-level-id.js';

describe('scanTopLevel', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":7,"result":{}}', { id: 7, hasMethod: false }],
    ['{"result":{"id":1,"method":"x"},"id":"a\\"b"}', { id: 'a"b', hasMethod: false }],
    ['{"result":[{"id":1},"id"],"jsonrpc":"2.0" , "id" : -3 }', { id: -3, hasMethod: false }],
    ['{"method":"x","id":4}', { id: 4, hasMethod: true }],
    ['{"a":"\\\\","id":5}', { id: 5, hasMethod: false }],
    ['{"id":null,"result":1}', { hasMethod: false }],
    ['[{"id":1}]', { hasMethod: false }],
    ['', { hasMethod: false }],
    ['{"id', { hasMethod: false }],
  ])('%s', (json, expected) => {
    expect(scanTopLevel(Buffer.from(json))).toEqual(expected);
  });

  it('agrees with JSON.parse about every object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (rest, id) => {
        const object = { ...rest, id, z: rest };
        expect(scanTopLevel(Buffer.from(JSON.stringify(object)))).toEqual({ id, hasMethod: 'method' in rest });
      }),
    );
  });
});
