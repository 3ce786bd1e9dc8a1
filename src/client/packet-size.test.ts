import { describe, expect, it } from 'vitest';
import { UnsendablePayloadError } from './errors.js';
import { checkPacket, packetBytes } from './packet-size.js';

describe('packetBytes', () => {
  it('counts UTF-8 bytes of the whole packet', () => {
    const empty = packetBytes('server:update_config', { text: '' });
    expect(packetBytes('server:update_config', { text: 'é€😀' })).toBe(empty + 2 + 3 + 4);
    expect(empty).toBe('42/smcp,9999999999["server:update_config",{"text":""}]'.length);
  });

  it('counts an attachment as base64', () => {
    expect(packetBytes('e', { bytes: new Uint8Array(3000) })).toBe(4001);
  });
});

describe('checkPacket', () => {
  it('takes what is exactly as large as the limit, and refuses one byte more', () => {
    const size = packetBytes('e', { a: 1 });
    expect(() => {
      checkPacket('e', { a: 1 }, size);
    }).not.toThrow();
    expect(() => {
      checkPacket('e', { a: 1 }, size - 1);
    }).toThrow(`e is ${size} bytes large, the limit is ${size - 1}`);
  });

  it('names why something cannot be sent', () => {
    const failing = {
      toJSON: () => {
        throw new Error('no JSON');
      },
    };
    expect(() => {
      checkPacket('e', failing, 1000);
    }).toThrow(UnsendablePayloadError);
    expect(() => {
      checkPacket('e', failing, 1000);
    }).toThrow('e cannot be sent: no JSON');
  });

  it('takes as many binary values as every decoder does, and no more', () => {
    const holding = (count: number): object => ({ list: Array.from({ length: count }, () => new Uint8Array(1)) });
    expect(() => {
      checkPacket('e', holding(10), 1000);
    }).not.toThrow();
    expect(() => {
      checkPacket('e', holding(11), 1000);
    }).toThrow('e cannot be sent: it holds 11 binary values, at most 10 can go');
  });
});
