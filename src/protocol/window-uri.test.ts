import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UriError, WindowUri } from './index.js';

interface Vector {
  readonly uri: string;
  readonly ok?: { host: string; segments: string[]; canonical: string; dropped: string[] };
  readonly error?: string;
  readonly strict?: 'ok' | 'error';
}
interface BuildVector {
  readonly scheme: string;
  readonly host: string;
  readonly segments: string[];
  readonly uri?: string;
  readonly error?: string;
}

const file = join(import.meta.dirname, '../../test-vectors/uri.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as { window: Vector[]; build: BuildVector[] };
const build = vectors.build.filter(({ scheme }) => scheme === 'window');

const host = fc.stringMatching(/^[^\s/?#@\p{Cc}]{1,12}$/u);
const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..');

describe('WindowUri', () => {
  describe('passes the shared vectors', () => {
    it('has vectors of every kind to pass', () => {
      expect(vectors.window.filter(({ ok }) => ok !== undefined).length).toBeGreaterThan(10);
      expect(vectors.window.filter(({ error }) => error !== undefined).length).toBeGreaterThan(5);
      expect(build.map(({ error }) => error !== undefined)).toEqual(expect.arrayContaining([true, false]));
    });

    it.each(vectors.window)('[R-4.2-uri-grammar] [R-4.2-lenient-parse] parses $uri', ({ uri, ok }) => {
      if (ok === undefined) {
        expect(() => WindowUri.parse(uri)).toThrow(UriError);
        return;
      }
      const parsed = WindowUri.parse(uri);
      const { host, segments, dropped } = parsed;
      expect({ host, segments, dropped, canonical: parsed.toString() }).toEqual(ok);
    });

    it.each(vectors.window)('[R-4.2-strict-build] judges $uri strictly', ({ uri, ok, strict }) => {
      if (strict === 'ok') expect(WindowUri.parseStrict(uri).toString()).toBe(ok?.canonical);
      else expect(() => WindowUri.parseStrict(uri)).toThrow(UriError);
    });

    it.each(build)('[R-4.2-strict-build] builds $uri from "$host" and $segments', ({ host, segments, uri }) => {
      if (uri === undefined) expect(() => WindowUri.build(host, segments)).toThrow(UriError);
      else expect(WindowUri.build(host, segments).toString()).toBe(uri);
    });
  });

  it('parses what it builds back into the same parts', () => {
    fc.assert(
      fc.property(host, fc.array(segment), (host, segments) => {
        const built = WindowUri.build(host, segments);
        const parsed = WindowUri.parseStrict(built.toString());
        expect(parsed).toEqual(built);
        expect(parsed).toMatchObject({ host, segments, dropped: [] });
      }),
    );
  });

  it('has a canonical form that is its own canonical form', () => {
    const piece = fc.oneof(segment, fc.constantFrom('', '.', '..', '%41', '%2F', '%c3%a9', 'a%20b'));
    const tail = fc.constantFrom('', '/', '?x=1', '#y', '?a#b');
    const text = fc
      .tuple(host, fc.array(piece), tail)
      .map(([at, path, end]) => `Window://${[at, ...path].join('/')}${end}`);
    fc.assert(
      fc.property(text, (uri) => {
        const parsed = attempt(uri);
        if (parsed instanceof UriError) return;
        const canonical = parsed.toString();
        expect(WindowUri.parse(canonical)).toMatchObject({ host: parsed.host, segments: parsed.segments, dropped: [] });
        expect(WindowUri.parse(canonical).toString()).toBe(canonical);
      }),
    );
  });

  it('answers any text with a URI or a UriError', () => {
    const rest = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0, max: 0xffff })).map(fromUnits));
    fc.assert(
      fc.property(fc.constantFrom('', 'window:', 'window://', 'window://h/', 'window://h/%'), rest, (start, end) => {
        expect(attempt(start + end)).toSatisfy((result) => result instanceof WindowUri || result instanceof UriError);
      }),
    );
  });

  it('[R-4.2-no-fallback] reads nothing from a query, and says that it dropped it', () => {
    const parsed = WindowUri.parse('window://h/a?priority=80&fullscreen=true#x');
    expect(parsed).toMatchObject({ host: 'h', segments: ['a'], dropped: ['query', 'fragment'] });
    expect(Object.keys(parsed).sort()).toEqual(['dropped', 'host', 'segments']);
  });

  it('does not change when the list that it was built from does', () => {
    const segments = ['a'];
    const built = WindowUri.build('h', segments);
    segments.push('..');
    expect(built.toString()).toBe('window://h/a');
  });
});

function attempt(uri: string): WindowUri | UriError {
  try {
    return WindowUri.parse(uri);
  } catch (error) {
    if (error instanceof UriError) return error;
    throw error;
  }
}

/** Any UTF-16, halves of surrogate pairs too. */
function fromUnits(units: number[]): string {
  return String.fromCharCode(...units);
}
