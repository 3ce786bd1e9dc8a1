import { describe, expect, it } from 'vitest';
import { dpeDocumentSchema, ELEMENT_CATEGORIES } from '../protocol/index.js';
import {
  buildDocument,
  caption,
  code,
  documentContents,
  element,
  image,
  linkedPage,
  listItem,
  page,
  paragraph,
  referenceContents,
  table,
  title,
  type DocumentContentsOptions,
  type DocumentInput,
  type DocumentReference,
} from './index.js';

const base = { host: 'com.example.docs', ref: ['a/b', 'c'], title: 'Title' } as const;
const pages = [page([title('One'), paragraph('…')])];

describe('buildDocument', () => {
  it('gives every field that writers must give, and those that are known [R-8.5-writer]', () => {
    const document = buildDocument({
      ...base,
      summary: 'Summary',
      keywords: ['k'],
      fileType: 'xlsx',
      fileUri: 'file:///a.xlsx',
      lastModified: new Date(0),
      pages: [
        page([title('One'), element('Custom', 'text', { x: 1 })], { title: 'First' }),
        linkedPage('https://files.example/2', { element_count: 7 }),
      ],
    });
    expect(document).toStrictEqual({
      doc_ref: 'a%2Fb/c',
      uri: 'dpe://com.example.docs/a%2Fb/c',
      file_uri: 'file:///a.xlsx',
      file_type: 'xlsx',
      title: 'Title',
      summary: 'Summary',
      page_count: 2,
      keywords: ['k'],
      last_modified: '1970-01-01T00:00:00.000Z',
      pages: [
        {
          title: 'First',
          page_index: 0,
          elements: [
            { element_id: 'p0-e0', category: 'Title', text: 'One' },
            { element_id: 'p0-e1', category: 'Custom', text: 'text', ele_metadata: { x: 1 } },
          ],
        },
        { page_index: 1, uri: 'https://files.example/2', element_count: 7 },
      ],
    });
    expect(dpeDocumentSchema.safeParse(document).success).toBe(true);
  });

  it('keeps what the author gives himself, unknown fields too', () => {
    const own = {
      page_index: 10,
      doc_ref: 'x',
      elements: [{ element_id: 'mine', category: 'Title', text: '', y: 1 }],
      z: 2,
    };
    expect(buildDocument({ ...base, pageCount: 99, pages: [own] })).toMatchObject({ page_count: 99, pages: [own] });
  });

  it('has a builder for what documents are mostly made of, in standard categories', () => {
    const elements = [title('t'), paragraph('p'), listItem('l'), code('c'), image('i'), caption('f'), table([['x']])];
    expect(elements.map(({ category }) => category)).toEqual([
      'Title',
      'NarrativeText',
      'ListItem',
      'CodeSnippet',
      'Image',
      'FigureCaption',
      'Table',
    ]);
    for (const { category } of elements) expect(ELEMENT_CATEGORIES).toContain(category);
  });

  it.each([
    [[['A', 'B'], [1, true], [null]], 'A\tB\n1\ttrue\n\t'],
    [[['a|b'], ['c\td'], ['e \r\n f']], 'a|b\nc d\ne f'],
    [[], ''],
  ])('writes the table %j as lines with tabs', (rows, text) => {
    expect(table(rows).text).toBe(text);
  });

  it.each<[string, unknown, string]>([
    ['no pages', undefined, 'pages: expected a list of pages'],
    ['an empty list', [], 'pages: a document needs at least one page'],
    ['a page that is none', [null], 'pages.0: expected a page'],
    ['a page without elements and URI', [...pages, {}], 'pages.1: a page needs "elements", or the "uri" at which'],
    ['a relative URI', [linkedPage('2.json')], 'pages.0.uri: expected an absolute URI'],
    ['half a page number', [{ ...pages[0], page_index: 0.5 }], 'pages.0.page_index: expected a whole number'],
    [
      'an element without text',
      [{ elements: [title('a'), { category: 'Title' }] }],
      'pages.0.elements.1.text: expected a',
    ],
    ['a blank category', [page([element(' ', 'x')])], 'pages.0.elements.0.category: must not be blank'],
    [
      'metadata that is a list',
      [page([{ ...title(''), ele_metadata: [] as never }])],
      'ele_metadata: expected an object',
    ],
    [
      'an id that is there twice',
      [page([title('')]), page([{ ...title(''), element_id: 'p0-e0' }])],
      'pages.1.elements.0.element_id: "p0-e0" is the id of pages.0.elements.0.element_id too',
    ],
  ])('refuses %s and names the field', (_, wrong, message) => {
    const document = { ...base, pages: wrong } as unknown as DocumentInput;
    expect(() => buildDocument(document)).toThrow(TypeError);
    expect(() => buildDocument(document)).toThrow(message);
  });
});

describe('documentContents', () => {
  const read = async (options: DocumentContentsOptions, text = 'ä€😀\ud800'): Promise<Record<string, unknown>> => {
    const contents = await documentContents({ ...base, pages: [page([paragraph(text)])] }, options);
    expect(contents).toHaveLength(1);
    return { ...contents[0] };
  };

  it('gives a document as it is, as application/json', async () => {
    const { text, ...content } = await read({});
    expect(content).toEqual({ uri: 'dpe://com.example.docs/a%2Fb/c', mimeType: 'application/json' });
    expect(JSON.parse(String(text))).toEqual(buildDocument({ ...base, pages: [page([paragraph('ä€😀\ud800')])] }));
    expect(await read({ inlineMimeType: 'application/vnd.a2c.dpe-inline+json' })).toMatchObject({
      mimeType: 'application/vnd.a2c.dpe-inline+json',
      text,
    });
  });

  it('asks where a document can be put only above the limit, with its size in bytes', async () => {
    const size = Buffer.byteLength(String((await read({}))['text']));
    const asked: number[] = [];
    const reference = (document: { readonly size: number }): DocumentReference => {
      asked.push(document.size);
      return { uri: 'https://files.example/1' };
    };
    expect(await read({ inlineLimitBytes: size, reference })).toMatchObject({ mimeType: 'application/json' });
    expect(asked).toEqual([]);
    const { text, mimeType } = await read({ inlineLimitBytes: size - 1, reference });
    expect(asked).toEqual([size]);
    expect(mimeType).toBe('application/vnd.a2c.dpe-uri+json');
    expect(JSON.parse(String(text))).toEqual({ uri: 'https://files.example/1', mime_type: 'application/json', size });
  });

  it('takes a megabyte for the limit', async () => {
    const reference = (): DocumentReference => ({ uri: 'https://files.example/1' });
    expect(await read({ reference }, 'x'.repeat(999_000))).toMatchObject({ mimeType: 'application/json' });
    expect(await read({ reference }, 'x'.repeat(1_000_000))).not.toMatchObject({ mimeType: 'application/json' });
  });

  it('gives a large document as it is where there is no place for it', async () => {
    expect(await read({ inlineLimitBytes: 0, reference: () => undefined })).toMatchObject({
      mimeType: 'application/json',
    });
    await expect(read({ inlineLimitBytes: 0, reference: () => Promise.reject(new Error('full')) })).rejects.toThrow(
      'full',
    );
  });

  it.each<[string, object, RegExp]>([
    ['a limit below 0', { inlineLimitBytes: -1 }, /inlineLimitBytes: must be at least 0/],
    ['another MIME type', { inlineMimeType: 'text/plain' }, /inlineMimeType: expected "application\/json" or/],
    ['a reference that is no function', { reference: 'https://files.example' }, /reference: expected a function/],
  ])('refuses %s', async (_, options, message) => {
    await expect(read(options)).rejects.toThrow(message);
  });

  it('says what cannot be written as JSON', async () => {
    const wrong = page([title('x', { size: 1n })]);
    await expect(documentContents({ ...base, pages: [wrong] })).rejects.toThrow(
      /documentContents: pages: cannot be written as JSON: .*BigInt/,
    );
  });
});

describe('referenceContents', () => {
  it.each<[string, object, RegExp]>([
    ['a relative URI', { uri: 'a.json' }, /reference: uri: expected an absolute URI/],
    ['half a byte', { uri: 'https://files.example', size: 0.5 }, /reference: size: expected a number of bytes/],
    [
      'a time without an offset',
      { uri: 'https://f.example', expiresAt: '2026-01-01T00:00:00' },
      /reference: expiresAt/,
    ],
  ])('refuses %s', (_, reference, message) => {
    expect(() => referenceContents('dpe://h/d', reference as DocumentReference)).toThrow(message);
  });
});
