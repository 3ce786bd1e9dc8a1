import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DPE_FAILURE_CATEGORIES, ErrorCode, ProtocolError, ProtocolVersionError, readErrorAck } from './index.js';

describe('ErrorCode', () => {
  it('has every code of the protocol once', () => {
    expect(Object.values(ErrorCode).sort((a, b) => a - b)).toEqual([
      400, 401, 403, 404, 408, 500, 4001, 4002, 4003, 4004, 4005, 4006, 4007, 4008, 4011, 4012, 4013, 4014, 4015, 4101,
      4102, 4103, 4104,
    ]);
  });

  it('has the five categories of a failed document resolution', () => {
    expect(DPE_FAILURE_CATEGORIES).toEqual([
      'unknown_host',
      'upstream_unavailable',
      'invalid_content',
      'resolver_error',
      'resolver_returned_invalid',
    ]);
  });
});

describe('readErrorAck', () => {
  const error = { code: 404, message: 'No such Computer', computer: 'laptop' };

  it('[R-5.2-flat] reads the flat object and the wrapped one alike', () => {
    expect(readErrorAck(error)).toEqual(error);
    expect(readErrorAck({ error })).toEqual(error);
    expect(readErrorAck({ error, req_id: 'r' })).toEqual(error);
  });

  it.each<[string, unknown]>([
    ['a result with a code of its own', { code: 404, message: 'x', content: [] }],
    ['a result with an error beside it', { error, content: [] }],
    ['a wrapped result', { error: { code: 1, content: [] } }],
    ['a code as text', { code: '404', message: 'x' }],
    ['a broken code', { code: 404.5, message: 'x' }],
    ['a code that is no number', { code: Number.NaN }],
    ['no code', { message: 'x' }],
    ['an error as text', { error: 'x' }],
    ['a list', [error]],
    ['text', 'error'],
    ['null', null],
    ['nothing', undefined],
    ['true', true],
  ])('does not take %s for an error', (_, ack) => {
    expect(readErrorAck(ack)).toBeUndefined();
  });

  it.each([[undefined], [null], [7], [{}]])('makes a sentence for the message %o', (message) => {
    expect(readErrorAck({ code: 4999, message })).toEqual({ code: 4999, message: 'Error 4999' });
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (ack) => void readErrorAck(ack)));
  });
});

describe('ProtocolError', () => {
  it('[R-5.2-flat] crosses the wire as one flat object and comes back the same', () => {
    const error = new ProtocolError(ErrorCode.DpeResolutionFailed, 'failed', {
      uri: 'dpe://h/a',
      category: 'resolver_error',
      details: { tries: 2 },
    });
    const payload = error.toPayload();
    expect(payload).toEqual({
      code: 4013,
      message: 'failed',
      uri: 'dpe://h/a',
      category: 'resolver_error',
      details: { tries: 2 },
    });
    const back = ProtocolError.fromPayload(payload);
    expect(back).toMatchObject({ name: 'ProtocolError', code: 4013, message: 'failed', fields: error.fields });
    expect(back.toPayload()).toEqual(payload);
  });

  it('does not let a field stand in for code or message', () => {
    expect(new ProtocolError(403, 'no', { code: 200, message: 'yes' }).toPayload()).toEqual({
      code: 403,
      message: 'no',
    });
  });
});

describe('ProtocolVersionError', () => {
  it('says what both sides speak and what the Server accepts', () => {
    const error = new ProtocolVersionError({
      clientVersion: '0.1.5',
      serverVersion: '0.2.0',
      minSupported: '0.2.0',
      maxSupported: '0.2.999',
    });
    expect(error).toMatchObject({ name: 'ProtocolVersionError', code: 4008, clientVersion: '0.1.5' });
    expect(error.message).toMatch(/speaks 0\.1\.5, the Server 0\.2\.0 \(it accepts 0\.2\.0 to 0\.2\.999\)/);
  });

  it('leaves undefined what it was not told', () => {
    const { clientVersion, serverVersion, minSupported, maxSupported, message } = new ProtocolVersionError({});
    expect([clientVersion, serverVersion, minSupported, maxSupported]).toEqual(Array(4).fill(undefined));
    expect(message).not.toContain('undefined');
  });
});
