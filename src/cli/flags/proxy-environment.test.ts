import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy-environment.js';

const P = 'http://proxy:3128';
const from = (url: string, env: Record<string, string>, flag?: string): string | undefined =>
  proxyFor(new URL(url), env, flag)?.from;

describe('proxyFor', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['https://a.test', {}, undefined],
    ['https://a.test', { HTTPS_PROXY: P }, 'HTTPS_PROXY'],
    ['https://a.test', { HTTPS_PROXY: P, https_proxy: P }, 'https_proxy'],
    ['https://a.test', { HTTP_PROXY: P }, undefined],
    ['https://a.test', { HTTP_PROXY: P, ALL_PROXY: P }, 'ALL_PROXY'],
    ['http://a.test', { HTTP_PROXY: P, HTTPS_PROXY: P }, 'HTTP_PROXY'],
    ['http://a.test', { http_proxy: ' ', all_proxy: P }, 'all_proxy'],
    ['ws://a.test', { HTTP_PROXY: P }, 'HTTP_PROXY'],
    ['wss://a.test', { HTTPS_PROXY: P }, 'HTTPS_PROXY'],
  ])('for %s with %j is that of %s', (url, env, expected) => {
    expect(from(url, env)).toBe(expected);
  });

  it.each([
    ['a.test', 'https://a.test', true],
    ['a.test', 'https://b.a.test', true],
    ['a.test', 'https://ba.test', false],
    ['.a.test', 'https://b.a.test', true],
    ['*.a.test', 'https://c.b.a.test:8443', true],
    ['A.Test', 'https://a.TEST', true],
    ['*', 'https://anything.test', true],
    ['x, a.test ,y', 'https://a.test', true],
    ['a.test:443', 'https://a.test', true],
    ['a.test:8443', 'https://a.test', false],
    ['a.test:8443', 'wss://a.test:8443', true],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.0.0.0/x', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3:9', true],
    ['10.1.2.3:9', 'https://10.1.2.3:9', true],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['[fd12::1]:9', 'https://[fd12::1]:9', true],
    ['fd12::1', 'https://[fd12::1]', true],
    ['10.0.0.0/8', 'https://a.test', false],
    ['.', 'https://a.test', false],
    ['', 'https://localhost:1', true],
    ['', 'https://127.8.8.8', true],
    ['', 'https://[::1]:1', true],
    ['', 'https://a.localhost', true],
    ['', 'https://localhost.test', false],
  ])('leaves out what NO_PROXY %j names: %s is direct: %s', (except, url, direct) => {
    expect(from(url, { ALL_PROXY: P, NO_PROXY: except })).toBe(direct ? undefined : 'ALL_PROXY');
    expect(from(url, { no_proxy: except, NO_PROXY: 'other' }, P)).toBe(direct ? undefined : '--proxy');
  });

  it('never throws for a NO_PROXY, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('https://a.test', 'http://10.0.0.1:8', 'ws://[fd00::1]'),
        (text, url) => {
          expect(() => from(url, { ALL_PROXY: P, NO_PROXY: text })).not.toThrow();
        },
      ),
    );
  });

  it('takes a proxy without a scheme for an HTTP proxy', () => {
    expect(proxyFor(new URL('https://a.test'), { HTTPS_PROXY: 'u:p@proxy:3128' })?.proxy).toBe('http://u:p@proxy:3128');
  });

  it.each(['ftp://canary@x', 'http://', 'http://canary:x:y'])(
    'names the variable that holds %s, not what is in it',
    (text) => {
      const look = (): unknown => from('https://a.test', { https_proxy: text });
      expect(look).toThrow(/^https_proxy: expected the URL of a proxy/);
      expect(look).not.toThrow(/canary/);
    },
  );
});
