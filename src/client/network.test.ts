import { beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority, makeCertificate, type KeyPair } from '../../test/support/certificates.js';
import { networkSettings, proxyLabel, type NetworkOptions } from './network.js';

let authority: KeyPair;
let locked: KeyPair;
beforeAll(async () => {
  authority = await makeAuthority();
  locked = await makeCertificate(authority, { passphrase: 'right' });
});

const problem = (options: NetworkOptions): string => {
  try {
    networkSettings(options);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return (error as Error).message;
  }
};

describe('networkSettings', () => {
  it.each(['not a url: canary', 'ftp://canary@proxy', 'canary.example.com:3128', 'http://user:%canary@proxy', ''])(
    'refuses the proxy %j and repeats nothing of it',
    (proxy) => {
      expect(problem({ proxy })).toMatch(/^proxy(:| must be)/);
      expect(problem({ proxy })).not.toContain('canary');
    },
  );

  it('names the option when certificates are wrong or do not fit together', async () => {
    const other = await makeCertificate(authority);
    expect(problem({ ca: 'no certificate' })).toMatch(/^ca must be a certificate in PEM/);
    expect(problem({ ca: [authority.cert, authority.key] })).toMatch(/^ca must be a certificate in PEM/);
    const broken = authority.cert.replace(/\n[^-]{20}/, '\n');
    expect(problem({ ca: authority.cert + broken })).toBe('ca holds a certificate that cannot be read');
    expect(problem({ cert: other.cert })).toBe('key is missing: it belongs to cert');
    expect(problem({ key: other.key })).toBe('cert is missing: it belongs to key');
    expect(problem({ cert: 'nothing', key: other.key })).toMatch(/^cert or key cannot be read as PEM/);
    expect(problem({ cert: authority.cert, key: other.key })).toBe('key is not that of cert');
    expect(problem(locked)).toMatch(/^passphrase is /);
    expect(problem({ ...locked, passphrase: 'canary' })).toBe('passphrase is not that of key');
    expect(problem({ ...locked, passphrase: 'right' })).toBe('none');
  });

  it('shows the certificate to the Server only, and has nothing of its own without need', async () => {
    const { cert, key } = await makeCertificate(authority);
    const none = networkSettings({});
    expect([none.tlsFor('server'), none.tlsFor('others')]).toEqual([undefined, undefined]);
    const identity = networkSettings({ cert, key });
    expect(identity.tlsFor('server')).toBe(identity.tlsFor('server'));
    expect(identity.tlsFor('others')).toBeUndefined();
    const trusting = networkSettings({ cert, key, ca: authority.cert });
    expect(trusting.tlsFor('others')).toBeDefined();
    expect(trusting.tlsFor('others')).not.toBe(trusting.tlsFor('server'));
  });

  it('has a given proxy for everything but this machine', () => {
    const { proxyFor } = networkSettings({ proxy: 'http://proxy:3128' });
    for (const host of ['example.com', '10.0.0.1', 'localhost.example.com']) {
      expect(proxyFor(new URL(`https://${host}/`))?.host).toBe('proxy:3128');
    }
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'a.localhost']) {
      expect(proxyFor(new URL(`https://${host}/`))).toBeUndefined();
    }
  });

  it('asks a function for each URL, and takes an empty text for none', () => {
    const { proxyFor } = networkSettings({
      proxy: ({ hostname }) => (hostname === 'a.test' ? 'http://u:p@proxy:3128' : ''),
    });
    const proxy = proxyFor(new URL('http://a.test/'));
    expect(proxy && proxyLabel(proxy)).toBe('proxy:3128');
    expect(proxyFor(new URL('http://b.test/'))).toBeUndefined();
  });
});
