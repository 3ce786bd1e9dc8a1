import { othersNetwork, type NetworkOptions, type NetworkSettings } from '../../client/index.js';
import { isLoopbackHost } from '../private-address.js';
import type { CorsOrigins } from './cors.js';
import type { DocumentStoreOptions } from './document-store.js';
import type { ReferenceOptions } from './references.js';

/** Settings of a `HttpDpeResolver`. `proxy` and `ca` hold for what references are copied from. */
export interface HttpDpeResolverOptions extends DocumentStoreOptions, Pick<NetworkOptions, 'proxy' | 'ca'> {
  /**
   * The address to listen on.
   *
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /**
   * The port to listen on; 0 takes a free one.
   *
   * @default 0
   */
  readonly port?: number;
  /**
   * Where Agents reach it, such as `https://files.example/documents` for a proxy in front. Needed where `host` is no
   * address to go to, such as `0.0.0.0`.
   *
   * @default `http://HOST:PORT`
   */
  readonly publicUrl?: string;
  /**
   * Whether `host` may be an address that other machines reach. The URLs go over the network in plain text: whoever sees
   * one can read the document until it expires.
   *
   * @default false
   */
  readonly insecure?: boolean;
  /**
   * What URLs are signed with, of 32 characters or more. With a `folder` that stays, URLs outlast a restart.
   *
   * @default a random one
   */
  readonly secret?: string | Uint8Array;
  /**
   * How long a URL works, in milliseconds.
   *
   * @default 3600000 (an hour)
   */
  readonly lifetimeMs?: number;
  /**
   * The origins of pages that may read documents. A page needs the URL in any case, and nothing but that.
   *
   * @default '*'
   */
  readonly corsOrigins?: CorsOrigins;
  /**
   * How many connections there are at most.
   *
   * @default 256
   */
  readonly maxConnections?: number;
  /**
   * How fast a document must be read on average, in bytes per second; who is slower is cut off.
   *
   * @default 16384
   */
  readonly minBytesPerSecond?: number;
  /** What happens to documents that an MCP server has elsewhere. */
  readonly references?: ReferenceOptions;
  /**
   * The clock, in milliseconds since 1970.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

/** The settings with everything that has a default. */
export interface HttpDpeSettings {
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly secret: string | Uint8Array | undefined;
  readonly lifetimeMs: number;
  readonly corsOrigins: CorsOrigins;
  readonly maxConnections: number;
  readonly minBytesPerSecond: number;
  readonly references: ReferenceOptions | undefined;
  readonly network: NetworkSettings | undefined;
  readonly store: DocumentStoreOptions;
  readonly now: () => number;
}

const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  lifetimeMs: 60 * 60_000,
  maxAgeMs: 24 * 60 * 60_000,
  corsOrigins: '*',
  maxConnections: 256,
  minBytesPerSecond: 16_384,
  now: Date.now,
} as const;
const MIN_SECRET_LENGTH = 32;
const WILDCARD = /^(0\.0\.0\.0|::)$/;

/** @throws TypeError naming the option that is wrong. */
export function httpDpeSettings(options: HttpDpeResolverOptions): HttpDpeSettings {
  const { folder, parent, maxDocumentBytes, maxTotalBytes, maxAgeMs, ...given } = { ...DEFAULTS, ...options };
  const { lifetimeMs, maxConnections, minBytesPerSecond, publicUrl, secret, references } = given;
  const host = given.host.replace(/^\[|\]$/g, '');
  assertPlace(host, options);
  if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
    throw new TypeError(`secret: expected at least ${MIN_SECRET_LENGTH} characters`);
  }
  for (const [name, value] of Object.entries({ lifetimeMs, maxConnections, minBytesPerSecond, maxAgeMs })) {
    if (!(value > 0)) throw new TypeError(`${name}: expected a positive number`);
  }
  // A document stays for as long as a URL of it works.
  const store = { folder, parent, maxDocumentBytes, maxTotalBytes, maxAgeMs: Math.max(maxAgeMs, lifetimeMs) };
  return { ...given, host, publicUrl, secret, references, network: othersNetwork(options), store };
}

/** An address as URLs have it. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function assertPlace(host: string, { publicUrl, insecure }: HttpDpeResolverOptions): void {
  if (insecure !== true && !isLoopbackHost(hostInUrl(host))) {
    throw new TypeError(
      `host: ${host} is reachable from other machines, which may see what Agents fetch: say insecure, or listen on loopback behind a proxy`,
    );
  }
  if (publicUrl === undefined && WILDCARD.test(host)) {
    throw new TypeError(`publicUrl: expected the URL where Agents reach ${host}`);
  }
  if (publicUrl !== undefined && !/^https?:\/\/[^?#\s]+$/i.test(publicUrl)) {
    throw new TypeError('publicUrl: expected an http(s) URL without query and fragment');
  }
}
