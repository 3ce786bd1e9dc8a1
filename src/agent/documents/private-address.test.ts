import { describe, expect, it } from 'vitest';
import { isPrivateHost } from './private-address.js';

const { signal } = new AbortController();
const host = (address: string): string => new URL(`http://${address}/`).hostname;

describe('an address', () => {
  it.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[fc00::1]',
    '[fd12::1]',
    '[fe80::1]',
    '[ff02::1]',
  ])('%s is of this machine or a private network', async (address) => {
    expect(await isPrivateHost(host(address), signal)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '192.169.0.1',
    '[2606:4700::1111]',
    '[::ffff:1.1.1.1]',
    '[64:ff9b::101:101]',
  ])('%s is public', async (address) => {
    expect(await isPrivateHost(host(address), signal)).toBe(false);
  });

  it('is not known of a name that stands for none', async () => {
    expect(await isPrivateHost('does-not-exist.invalid', signal)).toBe(false);
  });
});
