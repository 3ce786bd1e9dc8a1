import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJsonArgument, readJsonArgument, toolArguments } from './call-arguments.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'a2c-arguments-'));
  writeFileSync(join(folder, 'params.json'), '\uFEFF{"path":"a.txt"}');
  writeFileSync(join(folder, 'broken.json'), '{\n  "path": a.txt\n}');
  writeFileSync(join(folder, 'list.json'), '[1]');
  writeFileSync(join(folder, 'utf16.json'), Buffer.from('{}', 'utf16le').fill(0xff, 0, 2));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const SCHEMA = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    anything: {},
    options: { type: 'object' },
    texts: { type: ['string', 'null'] },
  },
};

describe('toolArguments', () => {
  it.each([
    ['nothing', [], {}],
    ['a text that looks like a number', ['text=5'], { text: '5' }],
    ['a text that looks like JSON', ['text={"a":1}'], { text: '{"a":1}' }],
    ['a text with blanks and =', ['text=a = b'], { text: 'a = b' }],
    ['an empty text', ['text='], { text: '' }],
    ['a number', ['count=5'], { count: 5 }],
    ['what is no JSON as text', ['count=many'], { count: 'many' }],
    ['what the schema does not say', ['other=true', 'name=alice'], { other: true, name: 'alice' }],
    ['JSON in any case', ['text:=5', 'options:={"a":[1,2]}'], { text: 5, options: { a: [1, 2] } }],
    ['all as JSON', ['{"text":"x","count":1}'], { text: 'x', count: 1 }],
  ])('reads %s', async (_, words, expected) => {
    expect(await toolArguments(words, SCHEMA)).toEqual(expected);
  });

  it('keeps a key that objects have a meaning for as data', async () => {
    const read = await toolArguments(['__proto__=1', 'constructor=x'], SCHEMA);
    expect(JSON.stringify(read)).toBe('{"__proto__":1,"constructor":"x"}');
  });

  it.each([[undefined], [null], ['x'], [{ properties: [] }], [{ properties: { text: 'x' } }]])(
    'reads texts without a schema that makes sense: %j',
    async (schema) => {
      expect(await toolArguments(['text=hello', 'n=1'], schema)).toEqual({ text: 'hello', n: 1 });
    },
  );

  it('reads them from a file', async () => {
    expect(await toolArguments([`@${join(folder, 'params.json')}`], SCHEMA)).toEqual({ path: 'a.txt' });
  });

  it.each([
    ['a word without =', ['hello'], /"hello": expected key=value/],
    ['a word without a key', ['=x'], /"=x": expected key=value/],
    ['JSON and words', ['{"a":1}', 'b=2'], /one JSON object, or key=value words, not both/],
    ['JSON that is no object', ['[1]'], /expected a JSON object/],
    ['JSON that is broken', ['{"a":'], /arguments: not valid JSON at line 1, column 6/],
    ['explicit JSON that is missing', ['count:='], /"count:=": expected JSON after ":=", such as count:=5/],
    ['a key that is there twice', ['a=1', 'b=2', 'a=3'], /"a" is given twice/],
    ['explicit JSON that is broken', ['count:=many'], /count: not valid JSON at line 1, column 1/],
  ])('says what is wrong with %s', async (_, words, expected) => {
    await expect(toolArguments(words, SCHEMA)).rejects.toThrow(expected);
  });

  it('gives back any text where the tool wants one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await toolArguments([`text=${text}`], SCHEMA)).toEqual({ text });
      }),
    );
  });

  it('gives back any JSON that is said to be some', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), async (json) => {
        expect(await toolArguments([`text:=${json}`], SCHEMA)).toEqual({ text: JSON.parse(json) as unknown });
      }),
    );
  });
});

describe('readJsonArgument', () => {
  it.each([
    ['a file that is not there', 'none.json', /VALUE: cannot read .*none\.json: there is no such file/],
    [
      'a file that is broken, without what is in it',
      'broken.json',
      /broken\.json: not valid JSON at line 2, column 11(?!.*a\.txt)/,
    ],
    ['a file of another encoding', 'utf16.json', /it is not in UTF-8/],
    ['a folder', '.', /EISDIR/],
  ])('says why it cannot read %s', async (_, name, expected) => {
    await expect(readJsonArgument(`@${join(folder, name)}`, 'VALUE')).rejects.toThrow(expected);
  });

  it('wants a name after @', async () => {
    await expect(readJsonArgument('@', 'VALUE')).rejects.toThrow(/expected the name of a file after "@"/);
  });
});

describe('parseJsonArgument', () => {
  it('never fails in another way than by saying where', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseJsonArgument(text, 'VALUE');
        } catch (error) {
          expect(error).toMatchObject({ name: 'UsageError' });
          expect(String(error)).toMatch(/VALUE: not valid JSON at line \d+, column \d+/);
        }
      }),
    );
  });

  it('shows only what stands around the place in a long line', () => {
    const text = `{"a":"${'x'.repeat(1_000)}",}`;
    expect(() => parseJsonArgument(text, 'VALUE')).toThrow(/column 1009.*…x+",?▸/);
  });
});
