import { describe, expect, it } from 'vitest';
import { connectionSettings } from './connection-options.js';

const settings = (url: string): string => connectionSettings({ url, role: 'agent' }).url.href;

describe('connectionSettings', () => {
  it.each([
    ['http://h:1', 'http://h:1/?a2c_version=0.2.0'],
    ['http://h:1/?a2c_version=9.9.9&x=1&a2c_version=8', 'http://h:1/?a2c_version=0.2.0&x=1'],
    ['http://h:1/?a2c%5Fversion=9.9.9', 'http://h:1/?a2c_version=0.2.0'],
    ['wss://h/smcp#part', 'wss://h/?a2c_version=0.2.0'],
    ['http://[::1]:8000/smcp/', 'http://[::1]:8000/?a2c_version=0.2.0'],
  ])('[R-2-version-in-url] makes %s into %s', (url, expected) => {
    expect(settings(url)).toBe(expected);
  });

  it('has the defaults of the protocol', () => {
    expect(connectionSettings({ url: 'http://h', role: 'computer' })).toMatchObject({
      path: '/socket.io/',
      transports: ['polling', 'websocket'],
      maxPacketBytes: undefined,
      connectTimeoutMs: 20_000,
      retryFirstConnect: false,
      reconnect: { minMs: 1_000, maxMs: 5_000 },
      rejoinForMs: 60_000,
    });
  });

  it('never repeats a URL that may hold credentials', () => {
    expect(() => settings('http://user:canary@h')).toThrow(/^url must not hold credentials/);
    expect(() => settings('http://user:canary@h')).not.toThrow(/canary/);
  });
});
