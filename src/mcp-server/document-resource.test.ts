import { describe, expect, it } from 'vitest';
import { documentResource, lintResource, type DocumentResourceOptions } from './index.js';

const base = { host: 'com.example.reports', ref: '2026/annual', title: 'Annual report' } as const;

describe('documentResource', () => {
  it('needs host, ref and title; it is JSON for the user by default', () => {
    expect(documentResource(base)).toStrictEqual({
      uri: 'dpe://com.example.reports/2026/annual',
      name: 'Annual report',
      mimeType: 'application/json',
      annotations: { audience: ['user'] },
    });
  });

  it('[R-4.3-resource-metadata] puts title and summary into name and description, and the rest where readers look for it', () => {
    const resource = documentResource({
      ...base,
      ref: ['reports', 'Q1/Q2'],
      summary: 'How the year went',
      keywords: ['finance', '2026'],
      fileType: 'xlsx',
      pageCount: 42,
      fileUri: 'https://files.example.com/annual.xlsx',
      lastModified: '2026-01-15T08:30:00+01:00',
      mimeType: 'text/markdown',
      audience: ['user', 'assistant'],
    });
    expect(resource).toStrictEqual({
      uri: 'dpe://com.example.reports/reports/Q1%2FQ2',
      name: 'Annual report',
      description: 'How the year went',
      mimeType: 'text/markdown',
      annotations: { audience: ['user', 'assistant'], lastModified: '2026-01-15T08:30:00+01:00' },
      _meta: {
        keywords: ['finance', '2026'],
        file_type: 'xlsx',
        page_count: 42,
        file_uri: 'https://files.example.com/annual.xlsx',
      },
    });
    expect(lintResource({ ...resource })).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no ref', { ref: undefined }, /^documentResource: ref: expected a string or a list/],
    ['an empty ref', { ref: '' }, /^documentResource: ref: missing doc-ref/],
    ['an empty list', { ref: [] }, /^documentResource: ref: missing doc-ref/],
    ['a dot segment', { ref: '..' }, /^documentResource: ref: the dot segment/],
    ['half a surrogate pair', { ref: ['\ud800'] }, /^documentResource: ref: .*Unicode/],
    ['a query', { ref: 'doc?format=md' }, /^documentResource: ref: "\?" is not allowed/],
    ['a blank in the host', { host: 'a b' }, /^documentResource: host: .*blanks/],
    ['no title', { title: undefined }, /^documentResource: title: expected a string/],
    ['a summary that is no text', { summary: 1 }, /^documentResource: summary: expected a string/],
    ['keywords that are one text', { keywords: 'a b' }, /^documentResource: keywords: expected a list of strings/],
    ['a blank keyword', { keywords: ['a', ''] }, /^documentResource: keywords\.1: must not be blank/],
    ['no pages', { pageCount: 0 }, /^documentResource: pageCount: must be at least 1/],
    ['half a page', { pageCount: 1.5 }, /^documentResource: pageCount: expected a whole number/],
    ['a relative file URI', { fileUri: 'annual.xlsx' }, /^documentResource: fileUri: expected an absolute URI/],
    ['an option of windows', { priority: 1 }, /^documentResource: options: Unrecognized key: "priority"/],
  ])('refuses %s and names the option', (_, change, message) => {
    const options = { ...base, ...change } as unknown as DocumentResourceOptions;
    expect(() => documentResource(options)).toThrow(TypeError);
    expect(() => documentResource(options)).toThrow(message);
  });
});
