import { describe, expect, it } from 'vitest';
import { byteSize, renderResult } from './render-result.js';

describe('renderResult', () => {
  it.each([
    ['a text as it is', { content: [{ type: 'text', text: 'one\ntwo' }] }, ['one\ntwo']],
    [
      'an image by type and size',
      { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
      ['[image image/png, 3 B]'],
    ],
    ['a link by its URI', { content: [{ type: 'resource_link', uri: 'memo:x' }] }, ['[link memo:x]']],
    [
      'a resource by its text',
      { content: [{ type: 'resource', resource: { uri: 'memo:x', text: 'inside' } }] },
      ['inside'],
    ],
    ['an unknown block as JSON', { content: [{ type: 'video', at: 1 }] }, ['{"type":"video","at":1}']],
    [
      'structured content where there is no other',
      { content: [], structuredContent: { sum: 3 } },
      ['{\n  "sum": 3\n}'],
    ],
    ['nothing for nothing', { content: [] }, []],
  ])('shows %s', (_, result, lines) => {
    expect(renderResult(result)).toEqual(lines);
  });
});

describe('byteSize', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1500, '1.5 kB'],
    [2_000_000, '2.0 MB'],
  ])('shows %i as %s', (bytes, text) => {
    expect(byteSize(bytes)).toBe(text);
  });
});
