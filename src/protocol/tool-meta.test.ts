import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeToolMeta, type ToolMeta } from './index.js';

interface Case {
  readonly default: ToolMeta | null;
  readonly specific: ToolMeta | null;
  readonly expected: ToolMeta | null;
}

const file = join(import.meta.dirname, '../../test-vectors/tool-meta.json');
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };

/** As on the wire. */
const json = (value: ToolMeta | undefined): unknown =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);

const meta = fc.dictionary(
  fc.constantFrom('auto_apply', 'alias', 'tags', 'x', '__proto__', 'constructor'),
  fc.option(fc.oneof(fc.boolean(), fc.string(), fc.constant({ deep: 1 }))),
  { noNullPrototype: true },
) as fc.Arbitrary<ToolMeta>;

describe('mergeToolMeta', () => {
  it.each(cases)('[R-7.3-merge] vector: $specific over $default', (vector) => {
    expect(json(mergeToolMeta(vector.default, vector.specific))).toEqual(vector.expected);
  });

  it.each([[undefined], [null], [{}], [{ alias: null }]])('[R-7.3-merge] is nothing when only %o is there', (empty) => {
    expect(mergeToolMeta(empty, undefined)).toBeUndefined();
    expect(mergeToolMeta(null, empty)).toBeUndefined();
  });

  it('takes each field from the specific entry if it has one, else from the defaults', () => {
    fc.assert(
      fc.property(meta, meta, (defaults, specific) => {
        const merged = mergeToolMeta(defaults, specific);
        const own = (source: ToolMeta, field: string): unknown =>
          Object.hasOwn(source, field) ? (source[field] ?? undefined) : undefined;
        for (const field of new Set([...Object.keys(defaults), ...Object.keys(specific)])) {
          expect(merged?.[field]).toBe(own(specific, field) ?? own(defaults, field));
        }
      }),
    );
  });

  it('replaces inner objects and lists whole', () => {
    const merged = mergeToolMeta(
      { ret_object_mapper: { a: 1 }, tags: ['a'] },
      { ret_object_mapper: { b: 2 }, tags: [] },
    );
    expect(json(merged)).toEqual({ ret_object_mapper: { b: 2 }, tags: [] });
  });

  it('leaves both sources alone', () => {
    const defaults = Object.freeze({ alias: 'a' });
    const specific = Object.freeze({ alias: 'b' });
    expect(mergeToolMeta(defaults, specific)).toMatchObject({ alias: 'b' });
    expect([defaults, specific]).toEqual([{ alias: 'a' }, { alias: 'b' }]);
  });

  it('ignores what is not an object', () => {
    expect(mergeToolMeta('x' as unknown as ToolMeta, ['y'] as unknown as ToolMeta)).toBeUndefined();
  });

  it('takes a field called __proto__ as data', () => {
    const hostile = JSON.parse('{"__proto__":{"auto_apply":true}}') as ToolMeta;
    const merged = mergeToolMeta(null, hostile);
    expect(merged?.auto_apply).toBeUndefined();
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"auto_apply":true}}');
  });
});
