import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolVersionError } from '../protocol/index.js';
import { ConnectionError } from './errors.js';
import { readRefusal, type Refusal } from './refusal.js';

const BODY = {
  code: 4008,
  message: 'Protocol version mismatch',
  server_version: '0.3.0',
  client_version: '0.2.0',
  min_supported: '0.3.0',
  max_supported: '0.3.999',
};
const TEXT = JSON.stringify(BODY);
const FIELDS = { clientVersion: '0.2.0', serverVersion: '0.3.0', minSupported: '0.3.0', maxSupported: '0.3.999' };

const read = (error: unknown): Refusal => readRefusal(error, 'host:1', '0.2.0');
const transportError = (description: unknown, context: unknown): Error =>
  Object.assign(new Error('xhr poll error'), { type: 'TransportError', description, context });

describe('readRefusal', () => {
  it.each([
    ['text', { responseText: TEXT }],
    ['an object', { response: BODY }],
    ['bytes', { response: new TextEncoder().encode(TEXT) }],
    ['an array buffer', { response: new TextEncoder().encode(TEXT).buffer }],
    ['the body of a refused upgrade', { status: 400, responseText: TEXT, headers: {} }],
  ])('[R-2.2-version-error] reads 4008 from %s', (_form, context) => {
    const { error, final } = read(transportError(400, context));
    expect(error).toBeInstanceOf(ProtocolVersionError);
    expect(error).toMatchObject(FIELDS);
    expect(final).toBe(true);
  });

  it.each([
    [
      'an XMLHttpRequest',
      { responseText: '', getResponseHeader: (name: string) => (name === 'x-a2c-error-code' ? '4008' : null) },
    ],
    ['a Response', { headers: new Headers({ 'X-A2C-Error-Code': '4008' }) }],
    ['a refused upgrade', { responseText: 'x', headers: { 'x-a2c-error-code': '4008' } }],
  ])('[R-2.2-header-decides] reads the header of %s when there is no body', (_form, context) => {
    const { error } = read(transportError(400, context));
    expect(error).toBeInstanceOf(ProtocolVersionError);
    expect(error).toMatchObject({ clientVersion: undefined, serverVersion: undefined, maxSupported: undefined });
  });

  it.each([
    [
      'another code in the body, whatever the header',
      { responseText: '{"code":1}', headers: { 'x-a2c-error-code': '4008' } },
    ],
    ['4008 as text', { responseText: '{"code":"4008"}' }],
    ['a list', { responseText: '[4008]' }],
    [
      'a context that throws',
      {
        get responseText(): string {
          throw new Error('gone');
        },
      },
    ],
    ['no context', undefined],
  ])('[R-2.2-own-form] takes %s for a network failure', (_what, context) => {
    const { error, final } = read(transportError(400, context));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toMatch(/^Cannot connect to the Server at host:1: HTTP status 400/);
    expect(final).toBe(false);
  });

  it('takes 407 for the word of a proxy, also where it stands in the place of the Server', () => {
    const { error, final } = read(transportError(407, { status: 407, responseText: '<html>' }));
    expect(error.message).toBe(
      'Cannot connect to the Server at host:1: the proxy on the way wants other credentials: HTTP status 407',
    );
    expect(final).toBe(false);
  });

  it('names the system error of Node', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(read(transportError(0, { statusText: cause })).error.message).toBe(
      'Cannot connect to the Server at host:1: ECONNREFUSED',
    );
  });

  it('keeps code and data of a rejection by the Server', () => {
    const data = { code: 401, message: 'bad token' };
    const { error, final } = read(Object.assign(new Error('Unauthorized'), { data }));
    expect(error).toMatchObject({ code: 401, data });
    expect(error.message).toContain('bad token');
    expect(final).toBe(true);
    expect(read(Object.assign(new Error('no'), { data: 'x' })).error).toMatchObject({ code: undefined, data: 'x' });
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.anything(), (error, description, context) => {
        expect(read(error).error).toBeInstanceOf(Error);
        expect(read(transportError(description, context)).error).toBeInstanceOf(Error);
      }),
    );
  });
});
