import { describe, expect, it } from 'vitest';
import { checkOrigins, isOriginAllowed } from './origin.js';

describe('isOriginAllowed', () => {
  it.each([
    ['no browser', [], { host: 'a:1' }, true],
    ['the own page', [], { host: 'a:1', origin: 'http://a:1' }, true],
    ['another port', [], { host: 'a:1', origin: 'http://a:2' }, false],
    ['another host', [], { host: '127.0.0.1:8000', origin: 'https://evil.example' }, false],
    ['a file', [], { host: 'a:1', origin: 'null' }, false],
    ['a listed page', ['https://app.example'], { host: 'a:1', origin: 'https://app.example' }, true],
    ['one that looks listed', ['https://app.example'], { host: 'a:1', origin: 'https://app.example.evil' }, false],
    ['any page', '*', { host: 'a:1', origin: 'https://evil.example' }, true],
    ['any page of a list', ['*'], { host: 'a:1', origin: 'null' }, true],
  ] as const)('%s', (_title, allowed, headers, verdict) => {
    expect(isOriginAllowed(allowed, headers)).toBe(verdict);
  });
});

describe('checkOrigins', () => {
  it.each(['*', [], ['*', 'null'], ['https://a.example', 'http://localhost:3000', 'http://[::1]:8080', 'app://x']])(
    'takes %j',
    (allowed) => {
      expect(() => {
        checkOrigins(allowed as string[]);
      }).not.toThrow();
    },
  );

  it.each([
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/page?x', 'https://a.example'],
    ['HTTPS://A.example:443', 'https://a.example'],
    ['a.example', 'https://app.example'],
    ['', 'https://app.example'],
  ])('says of "%s", which would match nothing, to write %s', (origin, written) => {
    expect(() => {
      checkOrigins([origin]);
    }).toThrow(`corsOrigins: "${origin}" is not an origin; write ${written}`);
  });
});
