import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.js';
import { editJsonText, type ConfigEdit } from './edit-json-text.js';

const edited = (text: string, path: ConfigEdit['path'], value: unknown): string =>
  editJsonText(text, [{ path, value }]);

describe('a change of a JSON text', () => {
  it.each<[what: string, before: string, path: ConfigEdit['path'], value: unknown, after: string]>([
    ['a value', '{\n  "a": 1, // one\n  "b": 2\n}\n', ['a'], 3, '{\n  "a": 3, // one\n  "b": 2\n}\n'],
    ['a new field', '{\n  "a": 1 // one\n}\n', ['b'], 'x', '{\n  "a": 1, // one\n  "b": "x"\n}\n'],
    [
      'a new field above comments of their own lines',
      '{\n  "a": 1, /* x */ // y\n  // "c": 3\n}',
      ['b'],
      2,
      '{\n  "a": 1, /* x */ // y\n  "b": 2,\n  // "c": 3\n}',
    ],
    ['a field where commas trail', '{\n\t"a": 1,\n}', ['b'], {}, '{\n\t"a": 1,\n\t"b": {},\n}'],
    [
      'a field with CRLF',
      '{\r\n    "a": {}\r\n}\r\n',
      ['a', 'b'],
      1,
      '{\r\n    "a": {\r\n        "b": 1\r\n    }\r\n}\r\n',
    ],
    [
      'a field on one line',
      '{ "a": { "b": 1 } }',
      ['a', 'c'],
      [1, { d: 2 }],
      '{ "a": { "b": 1, "c": [1, { "d": 2 }] } }',
    ],
    ['a field of an empty object on one line', '{"a":{"b":{}}}', ['a', 'b', 'c'], 1, '{"a":{"b":{ "c": 1 }}}'],
    ['a field of an empty document', '{}', ['a', 'b'], true, '{\n  "a": {\n    "b": true\n  }\n}'],
    ['a field of an empty object with a comment', '{ // c\n}', ['a'], 1, '{ // c\n  "a": 1\n}'],
    [
      'an object in place of null',
      '{\n  "m": null\n}',
      ['m', 't', 'x'],
      1,
      '{\n  "m": {\n    "t": {\n      "x": 1\n    }\n  }\n}',
    ],
    ['an item', '{"a":[1]}', ['a', 0], 2, '{"a":[2]}'],
    [
      'an item behind the last',
      '{\n  "a": [\n    1 // one\n  ]\n}',
      ['a', 1],
      2,
      '{\n  "a": [\n    1, // one\n    2\n  ]\n}',
    ],
    ['a first item', '{"a":[]}', ['a', 0], 2, '{"a":[2]}'],
    ['a list that is not there', '{\n  "x": 1\n}', ['a', 0], 'y', '{\n  "x": 1,\n  "a": ["y"]\n}'],
    [
      'only what differs in an object',
      '{\n  "a": {\n    // kept\n    "b": 1, "c": 2\n  }\n}',
      ['a'],
      { b: 1, c: 3 },
      '{\n  "a": {\n    // kept\n    "b": 1, "c": 3\n  }\n}',
    ],
    [
      'the last field away',
      '{\n  // about a\n  "a": 1, // one\n  "b": 2 // two\n}',
      ['b'],
      undefined,
      '{\n  // about a\n  "a": 1 // one\n}',
    ],
    [
      'the first field away',
      '{\n  "a": 1, // one\n  // about b\n  "b": 2\n}',
      ['a'],
      undefined,
      '{\n  // about b\n  "b": 2\n}',
    ],
    ['a field of one line away', '{"a":1, /* b */ "b":2}', ['a'], undefined, '{/* b */ "b":2}'],
    ['the last one of a line away', '{"a":1, "b":2}', ['b'], undefined, '{"a":1}'],
    ['the only field away', '{ "a": 1 }', ['a'], undefined, '{ }'],
    ['an item away where commas trail', '[\n  1,\n  2,\n]', [1], undefined, '[\n  1,\n]'],
    ['nothing for what is not there', '{}', ['a', 'b'], undefined, '{}'],
    ['nothing for what is there', '{"a" : [1]}', ['a'], [1], '{"a" : [1]}'],
    ['a field behind a comment with a comma', '{\n  "a": 1 // b, c\n}', ['b'], 2, '{\n  "a": 1, // b, c\n  "b": 2\n}'],
    ['with a byte-order mark', '\uFEFF{"a":1}', ['a'], 2, '\uFEFF{"a":2}'],
    ['with a comma on a line of its own', '{\n  "a": 1\n  , "b": 2\n}', ['b'], undefined, '{\n  "a": 1\n  \n}'],
  ])('sets or takes %s', (...[, before, path, value, after]) => {
    expect(edited(before, path, value)).toBe(after);
  });

  it.each<[string, ConfigEdit['path'], unknown, string]>([
    ['{"a":', ['a'], 1, 'not valid JSON at line 1'],
    ['', ['a'], 1, 'the file is empty'],
    ['{"a":1,"a":2}', ['a'], 1, 'a: this key is given twice'],
    ['{"a":"secret"}', ['a', 'b'], 1, 'a.b: there is no such place: a is of type string'],
    ['{"a":[]}', ['a', 1], 1, 'a[1]: there is no such place: a is a list that is shorter'],
    ['[]', ['a'], 1, 'a: there is no such place: the document is a list'],
    ['{}', ['__proto__', 'x'], 1, '__proto__.x: "__proto__" cannot be a key'],
    ['{}', [], undefined, 'the whole document cannot be removed'],
  ])('of %j at %j is refused', (text, path, value, problem) => {
    const act = (): string => editJsonText(text, [{ path, value }], 'x.json');
    expect(act).toThrow(ConfigError);
    expect(act).toThrow(`x.json: ${problem}`);
  });

  const comment = fc.constantFrom('', ' ', '\n', '\r\n  ', ' /* c1 */ ', ' // c2\n', '\n// c3\n\t', '/* c\n4 */');
  const key = fc.constantFrom('a', 'b', 'c', 'd e', 'ä"', 'toString');
  const { document } = fc.letrec<{ value: string; object: string; list: string; document: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('1', 'null', 'true', '"x // no comment ,"', '{}', '[]', '[ ]', '{\n}'),
      tie('object'),
      tie('list'),
    ),
    object: fc
      .tuple(
        fc.uniqueArray(key, { maxLength: 4 }),
        fc.infiniteStream(tie('value')),
        fc.infiniteStream(comment),
        fc.boolean(),
      )
      .map(([keys, values, comments, trail]) => {
        const gap = (): string => comments.next().value as string;
        const items = keys.map(
          (one) => `${gap()}${JSON.stringify(one)}${gap()}:${gap()}${values.next().value}${gap()}`,
        );
        return `{${items.join(',')}${trail && keys.length > 0 ? ',' : ''}${gap()}}`;
      }),
    list: fc
      .tuple(fc.array(tie('value'), { maxLength: 3 }), fc.infiniteStream(comment), fc.boolean())
      .map(([values, comments, trail]) => {
        const gap = (): string => comments.next().value as string;
        const items = values.map((one) => `${gap()}${one}${gap()}`);
        return `[${items.join(',')}${trail && values.length > 0 ? ',' : ''}${gap()}]`;
      }),
    document: tie('object'),
  }));
  const pathStep = fc.oneof(key, fc.nat({ max: 2 }));
  const edit = fc.record({
    path: fc.array(pathStep, { minLength: 1, maxLength: 3 }),
    value: fc.constantFrom<unknown>(undefined, 1, null, 'x', [], [1, {}], {}, { a: 1, b: { c: [] } }),
  });

  it('does to the value what was asked, and keeps every comment when nothing is taken away', () => {
    fc.assert(
      fc.property(document, edit, (text, { path, value }) => {
        const read = (one: string): unknown => parse(one, [], { allowTrailingComma: true }) as unknown;
        let after: string;
        try {
          after = edited(text, path, value);
        } catch (error) {
          expect((error as Error).message).toMatch(/there is no such place|a list that is not there/);
          return;
        }
        expect(read(after)).toEqual(changed(read(text), path, value));
        if (value !== undefined) expect(edited(after, path, value)).toBe(after);
        const outer = [...text.matchAll(/c\n?[1-4]/g)].length;
        const isNew = valueAt(read(text), path) === undefined;
        if (isNew) expect([...after.matchAll(/c\n?[1-4]/g)]).toHaveLength(outer);
      }),
      { numRuns: 3_000 },
    );
  });
});

function valueAt(document: unknown, path: ConfigEdit['path']): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    document,
  );
}

/** What an edit means, on values. */
function changed(document: unknown, [step, ...rest]: ConfigEdit['path'], value: unknown): unknown {
  if (step === undefined) return value;
  if (document === undefined || document === null) {
    if (value === undefined) return document;
    return typeof step === 'number' ? [changed(undefined, rest, value)] : { [step]: changed(undefined, rest, value) };
  }
  if (Array.isArray(document) && typeof step === 'string') return document;
  if (Array.isArray(document)) return changedItems(document, Number(step), { path: rest, value });
  if (typeof document !== 'object') return document;
  const { [step]: inner, ...others } = document as Record<string | number, unknown>;
  const fresh = changed(Object.hasOwn(document, step) ? inner : undefined, rest, value);
  return fresh === undefined ? others : { ...document, [step]: fresh };
}

function changedItems(list: readonly unknown[], at: number, { path, value }: ConfigEdit): unknown[] {
  if (value === undefined && path.length === 0) return list.filter((_item, index) => index !== at);
  if (value === undefined && at >= list.length) return [...list];
  return [...list.slice(0, at), changed(list[at], path, value), ...list.slice(at + 1)];
}
