import { nodeProcess } from './node-builtins.js';

const nodeTls = () => nodeProcess()?.getBuiltinModule('node:tls');

/** Certificates and keys as Node's TLS takes them. */
export type SecureContext = ReturnType<NonNullable<ReturnType<typeof nodeTls>>['createSecureContext']>;

/** The proxy for a URL, as {@link NetworkOptions.proxy}; `undefined` goes there directly. */
export type ChooseProxy = (url: URL) => string | undefined;

/** How connections leave this machine, in networks that want something of them. Node only: a browser has its own way. */
export interface NetworkOptions {
  /**
   * A proxy for everything beyond this machine: an `http:`, `https:`, `socks4:`, `socks5:` or `socks5h:` URL, with
   * credentials if it wants some. Or a function that chooses one for each URL. Environment variables are not looked at.
   * @default none
   */
  readonly proxy?: string | ChooseProxy;
  /**
   * Certificates of authorities to trust beside those that Node trusts by itself, in PEM.
   * @default none
   */
  readonly ca?: string | readonly string[];
  /** This client's own certificate for the Server, with those of the authorities between, in PEM; wants a `key`. */
  readonly cert?: string;
  /** The private key of `cert`, in PEM. */
  readonly key?: string;
  /** What `key` is encrypted with. */
  readonly passphrase?: string;
}

/** {@link NetworkOptions}, checked. */
export interface NetworkSettings {
  /** The proxy for a URL. @throws TypeError when the application chose something that is none. */
  readonly proxyFor: (url: URL) => URL | undefined;
  /**
   * With what TLS is spoken to the Server, who may ask who this client is, and to everyone else; `undefined`: as Node does
   * by itself. Made once: to read all authorities takes some 30 ms.
   */
  readonly tlsFor: (whom: 'server' | 'others') => SecureContext | undefined;
}

/** By what a proxy can be spoken to. */
const PROXY_SCHEMES = ['http:', 'https:', 'socks:', 'socks4:', 'socks4a:', 'socks5:', 'socks5h:'];

/**
 * Checks the options, certificates and key included.
 *
 * @throws TypeError naming the option that is wrong; it repeats nothing of it.
 */
export function networkSettings(options: NetworkOptions): NetworkSettings {
  const { proxy } = options;
  const fixed = typeof proxy === 'string' ? readProxy(proxy) : undefined;
  return {
    proxyFor: (url) => {
      if (typeof proxy !== 'function') return isOnThisMachine(url) ? undefined : fixed;
      const chosen = proxy(url);
      return chosen === undefined || chosen === '' ? undefined : readProxy(chosen);
    },
    tlsFor: readCertificates(options),
  };
}

/**
 * The way to everyone but the Server, who is shown no client certificate; `undefined` where the network wants nothing.
 *
 * @throws TypeError naming the option that is wrong.
 */
export function othersNetwork({ proxy, ca }: Pick<NetworkOptions, 'proxy' | 'ca'>): NetworkSettings | undefined {
  if (proxy === undefined && ca === undefined) return undefined;
  return networkSettings({ ...(proxy === undefined ? {} : { proxy }), ...(ca === undefined ? {} : { ca }) });
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL leads to this very machine, as far as its name tells: a proxy would look for it on its own. */
function isOnThisMachine({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}

/** Which proxy it is, without its credentials: `proxy.example.com:3128`. */
export function proxyLabel(proxy: URL): string {
  return proxy.host;
}

// The text stands in no message: it may carry credentials.
function readProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !PROXY_SCHEMES.includes(url.protocol) || url.hostname === '') {
    throw new TypeError('proxy must be an http:, https: or socks5: URL, such as http://proxy.example.com:3128');
  }
  if (!isDecodable(url.username) || !isDecodable(url.password)) {
    throw new TypeError('proxy: a % in its user name or password is written %25');
  }
  return url;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readCertificates({ ca, ...identity }: NetworkOptions): NetworkSettings['tlsFor'] {
  const { cert, key } = identity;
  if (ca === undefined && cert === undefined && key === undefined) return () => undefined;
  const tls = nodeTls();
  if (tls === undefined)
    throw new TypeError('ca, cert and key work in Node.js only: a browser has its own certificates');
  const extra = ca === undefined ? [] : [ca].flat();
  for (const pem of extra) checkAuthorities(pem);
  const shown = identityOf(identity);
  try {
    tls.createSecureContext(shown);
  } catch (error) {
    throw new TypeError(certificateProblem(error), { cause: error });
  }
  const make = (options: ReturnType<typeof identityOf>): SecureContext =>
    tls.createSecureContext({ ...options, ...(ca === undefined ? {} : { ca: [...trustedByNode(tls), ...extra] }) });
  let server: SecureContext | undefined;
  let others: SecureContext | undefined;
  return (whom) => {
    if (whom === 'server') return (server ??= make(shown));
    return ca === undefined ? undefined : (others ??= make({}));
  };
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** OpenSSL leaves out what it cannot read, and the connection would fail for want of it. */
function checkAuthorities(pem: string): void {
  const found = pem.match(CERTIFICATE) ?? [];
  const crypto = nodeProcess()?.getBuiltinModule('node:crypto');
  try {
    for (const certificate of found) if (crypto !== undefined) new crypto.X509Certificate(certificate);
  } catch (cause) {
    throw new TypeError('ca holds a certificate that cannot be read', { cause });
  }
  if (found.length === 0) throw new TypeError('ca must be a certificate in PEM: -----BEGIN CERTIFICATE----- and so on');
}

function identityOf({ cert, key, passphrase }: NetworkOptions): Pick<NetworkOptions, 'cert' | 'key' | 'passphrase'> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined) throw new TypeError('cert is missing: it belongs to key');
  if (key === undefined) throw new TypeError('key is missing: it belongs to cert');
  return { cert, key, ...(passphrase === undefined ? {} : { passphrase }) };
}

/** A list of its own takes the place of Node's: what Node trusts by itself has to be in it. */
function trustedByNode(tls: { readonly rootCertificates: readonly string[] }): readonly string[] {
  // Newer than the oldest Node that we run on; knows NODE_EXTRA_CA_CERTS too.
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => readonly string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/** What OpenSSL finds wrong, by its code. */
const CERTIFICATE_PROBLEMS: Readonly<Record<string, string>> = {
  ERR_OSSL_BAD_DECRYPT: 'passphrase is not that of key',
  ERR_OSSL_EVP_BAD_DECRYPT: 'passphrase is not that of key',
  ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED: 'passphrase is missing: key is encrypted',
  ERR_MISSING_PASSPHRASE: 'passphrase is missing: key is encrypted',
  ERR_OSSL_X509_KEY_VALUES_MISMATCH: 'key is not that of cert',
};

function certificateProblem(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string };
  return CERTIFICATE_PROBLEMS[code] ?? `cert or key cannot be read as PEM: ${message}`;
}
