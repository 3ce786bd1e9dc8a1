import { describe, expect, it } from 'vitest';
import { DpeUri, lintHost, UriError, WindowUri } from './index.js';

function refusal(act: () => unknown): UriError {
  try {
    act();
  } catch (error) {
    if (error instanceof UriError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a refused URI', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['an empty text', () => WindowUri.parse(''), /^empty$/],
    ['leading whitespace', () => WindowUri.parse('\twindow://h'), /^leading whitespace$/],
    ['another scheme', () => WindowUri.parse('dpe://h/a'), /^the scheme must be "window"$/],
    ['no slashes', () => DpeUri.parse('dpe:h/a'), /"\/\/" and a host/],
    ['no host', () => DpeUri.parse('dpe:///a'), /^missing host$/],
    ['user information', () => DpeUri.parse('dpe://u:p@h/a'), /must not contain "@"/],
    ['a control character in the host', () => DpeUri.parse('dpe://h\u0000/a'), /must not contain blanks/],
    ['a bad escape', () => DpeUri.parse('dpe://h/%4'), /not valid percent-encoded UTF-8/],
    ['an overlong escape', () => DpeUri.parse('dpe://h/%C0%AF'), /not valid percent-encoded UTF-8/],
    ['half a surrogate pair', () => DpeUri.parse('dpe://h/\ud800'), /not valid percent-encoded UTF-8/],
    ['no doc-ref', () => DpeUri.parse('dpe://h?a'), /^missing doc-ref/],
    ['a query when strict', () => WindowUri.parseStrict('window://h/a?b'), /^a query is not allowed/],
    ['a fragment when strict', () => DpeUri.parseStrict('dpe://h/a#b'), /^a fragment is not allowed/],
    ['a dot segment when strict', () => DpeUri.parseStrict('dpe://h/%2e%2e/a'), /^the dot segment ".." is not/],
    ['a slash in a built host', () => WindowUri.build('h/x'), /^the host must not contain "\/"/],
    ['an empty segment', () => WindowUri.build('h', ['a', '']), /^a path segment is empty$/],
    ['half a surrogate pair in a built segment', () => WindowUri.build('h', ['\udfff']), /not valid Unicode/],
  ])('says why: %s', (_, act, reason) => {
    expect(refusal(act).reason).toMatch(reason);
  });

  it('carries the text as received, and shows no more than its beginning', () => {
    const uri = `dpe://h/${'a'.repeat(10_000)}%`;
    const error = refusal(() => DpeUri.parse(uri));
    expect(error).toMatchObject({ name: 'UriError', uri });
    expect(error.message.length).toBeLessThan(500);
  });
});

describe('lintHost', () => {
  it('has nothing to say about a reverse domain in lower case', () => {
    expect(lintHost('com.example.editor')).toEqual([]);
  });

  it('advises on case, port and missing domain, all at once', () => {
    expect(lintHost('Editor:80')).toEqual([
      expect.stringContaining('lower case'),
      expect.stringContaining('no port'),
      expect.stringContaining('reverse domain'),
    ]);
  });
});
