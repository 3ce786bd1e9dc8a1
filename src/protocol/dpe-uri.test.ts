import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DpeUri, ErrorCode, UriError } from './index.js';

interface Vector {
  readonly uri: string;
  readonly ok?: { host: string; docRef: string; segments: string[]; canonical: string; dropped: string[] };
  readonly error?: string;
  readonly strict?: 'ok' | 'error';
  readonly get_dpe: 'go on' | 4012;
}
interface BuildVector {
  readonly scheme: string;
  readonly host: string;
  readonly segments: string[];
  readonly uri?: string;
}

const file = join(import.meta.dirname, '../../test-vectors/uri.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as { dpe: Vector[]; build: BuildVector[] };
const build = vectors.build.filter(({ scheme }) => scheme === 'dpe');

const host = fc.stringMatching(/^[^\s/?#@\p{Cc}]{1,12}$/u);
const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..');

function attempt(uri: string): DpeUri | UriError {
  try {
    return DpeUri.parse(uri);
  } catch (error) {
    if (error instanceof UriError) return error;
    throw error;
  }
}

describe('DpeUri', () => {
  describe('passes the shared vectors', () => {
    it('has vectors of every kind to pass', () => {
      expect(vectors.dpe.filter(({ ok }) => ok !== undefined).length).toBeGreaterThan(5);
      expect(vectors.dpe.filter(({ error }) => error !== undefined).length).toBeGreaterThan(5);
      expect(build.map(({ uri }) => uri !== undefined)).toEqual(expect.arrayContaining([true, false]));
    });

    it.each(vectors.dpe)('[R-4.2-uri-grammar] [R-4.2-lenient-parse] parses $uri', ({ uri, ok }) => {
      if (ok === undefined) {
        expect(() => DpeUri.parse(uri)).toThrow(UriError);
        return;
      }
      const parsed = DpeUri.parse(uri);
      const { host, docRef, segments, dropped } = parsed;
      expect({ host, docRef, segments, dropped, canonical: parsed.toString() }).toEqual(ok);
    });

    it.each(vectors.dpe)('[R-4.2-strict-build] judges $uri strictly', ({ uri, ok, strict }) => {
      if (strict === 'ok') expect(DpeUri.parseStrict(uri).toString()).toBe(ok?.canonical);
      else expect(() => DpeUri.parseStrict(uri)).toThrow(UriError);
    });

    it.each(vectors.dpe)('tells get_dpe what to do with $uri: $get_dpe', ({ uri, get_dpe: expected }) => {
      const parsed = attempt(uri);
      const refused = parsed instanceof UriError || parsed.dropped.includes('fragment');
      expect(refused ? ErrorCode.InvalidDpeUri : 'go on').toBe(expected);
    });

    it.each(build)('[R-4.2-strict-build] builds $uri from "$host" and $segments', ({ host, segments, uri }) => {
      if (uri === undefined) expect(() => DpeUri.build(host, segments)).toThrow(UriError);
      else expect(DpeUri.build(host, segments).toString()).toBe(uri);
    });
  });

  it('parses what it builds back into the same parts', () => {
    fc.assert(
      fc.property(host, fc.array(segment, { minLength: 1 }), (host, segments) => {
        const built = DpeUri.build(host, segments);
        const parsed = DpeUri.parseStrict(built.toString());
        expect(parsed).toEqual(built);
        expect(parsed).toMatchObject({ host, segments, dropped: [] });
        expect(`dpe://${host}/${parsed.docRef}`).toBe(built.toString());
      }),
    );
  });

  it('has a canonical form that is its own canonical form', () => {
    const piece = fc.oneof(segment, fc.constantFrom('', '.', '..', '%41', '%2F', '%c3%a9', 'a%20b'));
    const text = fc.tuple(host, fc.array(piece)).map(([at, path]) => `DPE://${[at, ...path].join('/')}?q`);
    fc.assert(
      fc.property(text, (uri) => {
        const parsed = attempt(uri);
        if (parsed instanceof UriError) return;
        const again = DpeUri.parse(parsed.toString());
        expect(again).toMatchObject({ host: parsed.host, segments: parsed.segments, dropped: [] });
        expect(again.toString()).toBe(parsed.toString());
      }),
    );
  });

  it('answers any text with a URI or a UriError', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'dpe:', 'dpe://', 'dpe://h/%'), fc.string({ unit: 'binary' }), (start, end) => {
        expect(attempt(start + end)).toSatisfy((result) => result instanceof DpeUri || result instanceof UriError);
      }),
    );
  });

  it('does not change when the list that it was built from does', () => {
    const segments = ['a'];
    const built = DpeUri.build('h', segments);
    segments.pop();
    expect(built.docRef).toBe('a');
  });
});
