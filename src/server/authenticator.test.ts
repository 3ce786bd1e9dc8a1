import { describe, expect, it } from 'vitest';
import {
  authenticate,
  readCredential,
  readDeclaredRole,
  tokenAuthenticator,
  type AuthRequest,
} from './authenticator.js';

const request = (token: string | undefined): AuthRequest => ({
  auth: {},
  headers: {},
  token,
  role: undefined,
  a2cVersion: '0.2.0',
});

describe('tokenAuthenticator', () => {
  it.each([
    ['the token', 'secret', true],
    ['another one of the same length', 'secreT', false],
    ['a longer one', 'secret1', false],
    ['an empty one', '', false],
    ['none', undefined, false],
  ])('%s', (_title, token, verdict) => {
    expect(tokenAuthenticator('secret')(request(token))).toBe(verdict);
  });
});

describe('readCredential', () => {
  it.each([
    ['a field', { field: 'token' }, { auth: { token: 'a' }, headers: {} }, 'a'],
    ['another field', { field: 'key' }, { auth: { token: 'a', key: 'b' }, headers: {} }, 'b'],
    ['a field that is no string', { field: 'token' }, { auth: { token: ['a'] }, headers: {} }, undefined],
    ['an inherited field', { field: 'toString' }, { auth: {}, headers: {} }, undefined],
    ['a header', { header: 'X-API-Key' }, { auth: {}, headers: { 'x-api-key': 'a' } }, 'a'],
    ['a bearer header', { header: 'authorization' }, { auth: {}, headers: { authorization: 'bearer  a' } }, 'a'],
    ['no header', { header: 'authorization' }, { auth: { token: 'a' }, headers: {} }, undefined],
  ])('%s', (_title, source, shown, expected) => {
    expect(readCredential(source, shown)).toBe(expected);
  });
});

describe('readDeclaredRole', () => {
  it.each([[undefined], [null]])('%s means not declared', (role) => {
    expect(readDeclaredRole({ role })).toBeUndefined();
  });

  it.each([['boss'], [7], [{}], ['']])('%s is 400', (role) => {
    expect(() => readDeclaredRole({ role })).toThrow(expect.objectContaining({ code: 400 }));
  });
});

describe('authenticate', () => {
  it.each([
    ['refuses', () => false],
    ['gives something truthy', () => ({}) as boolean],
    ['rejects', () => Promise.reject(new Error('x'))],
    [
      'throws',
      () => {
        throw new Error('x');
      },
    ],
    ['does not answer', () => new Promise<boolean>(() => undefined)],
  ])('an authenticator that %s means 401', async (_title, authenticator) => {
    await expect(authenticate(authenticator, request('t'), 20)).rejects.toMatchObject({ code: 401 });
  });

  it('lets in on true, at once or later', async () => {
    await authenticate(() => true, request('t'), 20);
    await authenticate(() => Promise.resolve(true), request('t'), 20);
  });
});
