import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { documentSource, type DocumentSource } from './document-source.js';

const URI = 'dpe://h/1';
const REFERENCE = 'application/vnd.a2c.dpe-uri+json';
const none = { mimeType: undefined };

function bytesOf(source: DocumentSource): Buffer {
  if (source.kind !== 'inline') throw new Error('not inline');
  const bytes = Buffer.concat([...source.chunks()]);
  expect(source.size).toBe(bytes.length);
  return bytes;
}

function referenceTo(value: unknown, mimeType = REFERENCE): DocumentSource {
  return documentSource(URI, [{ uri: URI, mimeType, text: JSON.stringify(value) }], none);
}

describe('documentSource', () => {
  it('yields any text as UTF-8 whatever stands where a piece ends', () => {
    const filler = 'a'.repeat(64 * 1024 - 1);
    for (const text of ['', 'äö€', `${filler}😀😀`, `${filler}\ud83dx`, `${filler}a😀`, '😀'.repeat(100_000)]) {
      expect(bytesOf(documentSource(URI, [{ text }], none)).equals(Buffer.from(text))).toBe(true);
    }
  });

  it('yields any blob byte by byte, in both alphabets, with and without padding and line breaks', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(7), (array, form) => {
        const bytes = Buffer.from(array);
        let blob = bytes.toString((form & 1) === 0 ? 'base64' : 'base64url');
        if ((form & 2) !== 0) blob = blob.replaceAll('=', '');
        if ((form & 4) !== 0) blob = `${blob.replace(/.{5}/g, '$&\r\n')}\n`;
        expect(bytesOf(documentSource(URI, [{ blob }], none)).equals(bytes)).toBe(true);
      }),
    );
    const large = Buffer.alloc(200_001, 'xyz');
    const broken = large.toString('base64').replace(/.{76}/g, '$&\n');
    expect(bytesOf(documentSource(URI, [{ blob: broken }], none)).equals(large)).toBe(true);
  });

  it('hands out a large content in small pieces, as often as it is asked to', () => {
    const source = documentSource(URI, [{ text: 'x'.repeat(1_000_000) }], none);
    if (source.kind !== 'inline') throw new Error('not inline');
    expect(Math.max(...[...source.chunks()].map(({ length }) => length))).toBeLessThanOrEqual(256 * 1024);
    expect([...source.chunks()].reduce((sum, { length }) => sum + length, 0)).toBe(1_000_000);
  });

  it('takes the content of the very URI, else the first with bytes, and the MIME type of the hint in want of one', () => {
    const other: JsonObject = { uri: 'dpe://h/2', text: 'other', mimeType: 'text/plain' };
    const own: JsonObject = { uri: URI, blob: 'b3du' };
    expect(bytesOf(documentSource(URI, [other, own], none)).toString()).toBe('own');
    expect(bytesOf(documentSource(URI, [{ uri: URI, note: 1 }, other], none)).toString()).toBe('other');
    expect(documentSource(URI, [own], { mimeType: 'text/csv' }).mimeType).toBe('text/csv');
    expect(documentSource(URI, [other], { mimeType: 'text/csv' }).mimeType).toBe('text/plain');
  });

  it.each(['application/vnd.a2c.dpe-inline+json', 'Application/VND.a2c.dpe-inline+JSON; charset=utf-8'])(
    'keeps a document of type %s as JSON',
    (mimeType) => {
      const source = documentSource(URI, [{ text: '{"pages":[]}', mimeType }], none);
      expect(source.mimeType).toBe('application/json');
      expect(bytesOf(source).toString()).toBe('{"pages":[]}');
    },
  );

  it('reads where a document is that is elsewhere', () => {
    const full = { uri: 'https://f.example/1', mime_type: 'text/csv', size: 7, expires_at: '2030-01-01', etag: '"e"' };
    expect(referenceTo(full)).toEqual({
      kind: 'reference',
      uri: 'https://f.example/1',
      mimeType: 'text/csv',
      size: 7,
      expiresAt: '2030-01-01',
      etag: '"e"',
    });
    const odd = { uri: 's3://b/k', mime_type: 7, size: -1, expires_at: null, etag: '' };
    expect(referenceTo(odd, `${REFERENCE.toUpperCase()}; v=1`)).toEqual({ kind: 'reference', uri: 's3://b/k' });
    const blob = Buffer.from('{"uri":"file:///x"}').toString('base64');
    expect(documentSource(URI, [{ blob, mimeType: REFERENCE }], none)).toMatchObject({ uri: 'file:///x' });
  });

  it.each([
    ['no JSON', 'secret', /not a JSON object/],
    ['a list', '["secret"]', /not a JSON object/],
    ['no URI', '{"url":"secret"}', /no absolute "uri"/],
    ['a relative URI', '{"uri":"secret/1"}', /no absolute "uri"/],
    ['a URI with blanks', '{"uri":"http://secret/a b"}', /no absolute "uri"/],
    ['70 KB', `{"uri":"x:${'secret'.repeat(12_000)}"}`, /too long/],
  ])('refuses a reference that is %s without showing it', (_what, text, problem) => {
    const read = (): unknown => documentSource(URI, [{ text, mimeType: REFERENCE }], none);
    expect(read).toThrow(problem);
    expect(read).not.toThrow(/secret/);
  });

  it.each([
    ['nothing', [], /neither text nor blob/],
    ['no bytes', [{ uri: URI, text: 7, blob: null }], /neither text nor blob/],
    ['a blob of other letters', [{ blob: 'a$==' }], /not base64/],
    ['a blob with padding inside', [{ blob: 'YQ==YQ==' }], /not base64/],
    ['a blob that is cut', [{ blob: 'YWJjY' }], /not base64/],
  ] as const)('refuses %s', (_what, contents, problem) => {
    expect(() => documentSource(URI, contents, none)).toThrow(problem);
  });
});
