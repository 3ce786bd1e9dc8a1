import { generate } from 'selfsigned';

/** A certificate with its key, in PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

const YEAR_MS = 365 * 24 * 3_600_000;
const common = (value: string) => [{ name: 'commonName', value }];

/** Makes an authority, whose certificates nobody trusts who was not told to. */
export async function makeAuthority(name = 'A2C test authority'): Promise<KeyPair> {
  const { cert, private: key } = await generate(common(name), {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { cert, key };
}

/** Makes a certificate for localhost that no authority stands behind. */
export async function makeSelfSigned(): Promise<KeyPair> {
  const { cert, private: key } = await generate(common('localhost'), { keyType: 'ec', algorithm: 'sha256' });
  return { cert, key };
}

/** What a certificate is for. */
export interface CertificateDetails {
  /** @default a2c.test, localhost and 127.0.0.1 */
  readonly hosts?: readonly string[];
  readonly expired?: boolean;
  /** Encrypts the key. */
  readonly passphrase?: string;
}

/** Makes a certificate of that authority, for a server or a client. */
export async function makeCertificate(
  authority: KeyPair,
  { hosts = ['a2c.test', 'localhost'], expired = false, passphrase }: CertificateDetails = {},
): Promise<KeyPair> {
  const now = Date.now();
  const { cert, private: key } = await generate(common(hosts[0] ?? 'a2c.test'), {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority,
    notBeforeDate: new Date(now - YEAR_MS),
    notAfterDate: new Date(expired ? now - 1_000 : now + YEAR_MS),
    ...(passphrase === undefined ? {} : { passphrase }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...hosts.map((value) => ({ type: 2 as const, value })),
          ...(hosts.includes('localhost') ? [{ type: 7 as const, ip: '127.0.0.1' }] : []),
        ],
      },
    ],
  });
  return { cert, key };
}
