import { describe, expect, it } from 'vitest';
import { describeIssues, dpeDocumentSchema, ELEMENT_CATEGORIES, standardCategory } from './index.js';

const refusal = (value: unknown): string | undefined => {
  const { error } = dpeDocumentSchema.safeParse(value);
  return error && describeIssues(error);
};

describe('the content of a document', () => {
  it('[R-8.5-reader] needs nothing but pages, and takes nulls for absent fields', () => {
    expect(refusal({ pages: [] })).toBeUndefined();
    const nothing = Object.fromEntries(
      ['doc_ref', 'uri', 'file_uri', 'file_type', 'title', 'summary', 'page_count', 'keywords', 'last_modified'].map(
        (field) => [field, null],
      ),
    );
    const page = { page_index: null, title: null, doc_ref: null, uri: null, element_count: null };
    const element = { element_id: null, category: null, text: null, page_index: null, ele_metadata: null };
    expect(refusal({ ...nothing, pages: [{ ...page, elements: [element, {}] }] })).toBeUndefined();
  });

  it('[R-8.5-reader] keeps unknown fields at every level', () => {
    const document = {
      pages: [
        {
          elements: [{ category: 'Table', text: 'a', ele_metadata: { rows: 2 }, colour: 'red' }],
          page_index: 0,
          layout: { columns: 2 },
        },
        { uri: 'https://h/p1.json', element_count: 7 },
      ],
      doc_ref: 'a/b',
      licence: 'MIT',
    };
    expect(dpeDocumentSchema.parse(document)).toEqual(document);
  });

  it.each<[string, unknown, RegExp]>([
    ['no pages', {}, /^pages: expected a list of pages$/],
    ['pages that are null', { pages: null }, /^pages: expected a list of pages$/],
    ['a page with neither elements nor a manifest', { pages: [{ title: 'x' }] }, /^pages\.0: a page needs "elements"/],
    ['a page that is null', { pages: [null] }, /^pages\.0: /],
    ['elements that are no list', { pages: [{ elements: {} }] }, /^pages\.0\.elements: /],
    ['an element that is text', { pages: [{ elements: ['a'] }] }, /^pages\.0\.elements\.0: /],
    ['metadata that is a list', { pages: [{ elements: [{ ele_metadata: [] }] }] }, /elements\.0\.ele_metadata: /],
    ['a list', [], /^payload: /],
  ])('is refused with %s', (_, value, message) => {
    expect(refusal(value)).toMatch(message);
  });
});

describe('categories of elements', () => {
  it('[R-8.5-categories] are 19', () => {
    expect(new Set(ELEMENT_CATEGORIES).size).toBe(19);
    expect(ELEMENT_CATEGORIES.join(' ')).toBe(
      'UncategorizedText Title NarrativeText ListItem Table TableChunk Image CodeSnippet Formula CheckBox Header Footer PageBreak PageNumber FigureCaption Address EmailAddress CompositeElement FormKeysValues',
    );
  });

  it.each(ELEMENT_CATEGORIES)('[R-8.5-categories] read %s as itself', (category) => {
    expect(standardCategory(category)).toBe(category);
  });

  it.each([['title'], ['Chart'], [''], ['toString'], [null], [undefined], [7]])(
    '[R-8.5-reader] read %o as plain text',
    (category) => {
      expect(standardCategory(category)).toBe('UncategorizedText');
    },
  );
});
