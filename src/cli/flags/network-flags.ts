import { readFileSync } from 'node:fs';
import type { NetworkOptions } from '../../client/index.js';
import { UsageError } from '../failure.js';
import { list, text, type FlagValues } from './flags.js';
import { proxyFor, proxyUrl } from './proxy-environment.js';

/** The flags of what connects beyond this machine. */
export const NETWORK_FLAGS = {
  proxy: text('URL', 'the proxy, in place of that of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY; NO_PROXY counts', {
    env: 'A2C_PROXY',
  }),
  ca: list('FILE', 'trust the authorities whose certificates are in it, too'),
  cert: text('FILE', 'the certificate of this client for the Server', { env: 'A2C_CERT' }),
  key: text('FILE', 'its private key; A2C_KEY_PASSPHRASE has what it is encrypted with', { env: 'A2C_KEY' }),
} as const;

/** The values of {@link NETWORK_FLAGS}. */
export type NetworkFlags = FlagValues<typeof NETWORK_FLAGS>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the flags and the environment say of the network.
 *
 * @throws UsageError when a file cannot be read, or `--proxy` is none.
 */
export function networkOptions(flags: NetworkFlags, env: Environment = process.env): NetworkOptions {
  const { cert, key, proxy } = flags;
  // At once, and not when something is first sent through it.
  if (proxy !== undefined) proxyUrl('--proxy', proxy);
  const ca = authorityFiles(flags, env).map(([from, file]) => read(from, file));
  const passphrase = env['A2C_KEY_PASSPHRASE'];
  return {
    proxy: (url) => proxyFor(url, env, proxy)?.proxy,
    ...(ca.length === 0 ? {} : { ca }),
    ...(cert === undefined ? {} : { cert: read('--cert', cert) }),
    ...(key === undefined ? {} : { key: read('--key', key) }),
    ...(key === undefined || passphrase === undefined ? {} : { passphrase }),
  };
}

/** The files with authorities to trust, and who names them. Node alone knows those of its own variable. */
function authorityFiles({ ca }: NetworkFlags, env: Environment): (readonly [from: string, file: string])[] {
  if (ca.length === 0) return [];
  const nodes = env['NODE_EXTRA_CA_CERTS'] ?? '';
  const given = ca.map((file) => ['--ca', file] as const);
  // A list of ours takes the place of Node's.
  return nodes === '' ? given : [...given, ['NODE_EXTRA_CA_CERTS', nodes]];
}

function read(from: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${from}: cannot read ${file}: ${(error as Error).message}`);
  }
}
