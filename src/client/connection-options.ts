import {
  checkHttpPath,
  DEFAULT_PATH,
  NAMESPACE,
  PROFILE_0_2,
  profileVersion,
  silentLogger,
  VERSION_QUERY_PARAMETER,
  type Logger,
  type ProtocolProfile,
  type Role,
} from '../protocol/index.js';
import type { Backoff } from './backoff.js';
import { networkSettings, type NetworkOptions, type NetworkSettings } from './network.js';

/** A way to carry Engine.IO. */
export type TransportName = 'polling' | 'websocket';

/** How to reach the Server. */
export interface OfficeConnectionOptions extends NetworkOptions {
  /**
   * Where the Server is: `http:`, `https:`, `ws:` or `wss:`. A query is kept; `a2c_version` in it is overwritten.
   * The path may only be the namespace; Socket.IO's own path is {@link OfficeConnectionOptions.path}.
   */
  readonly url: string;
  /** What this client is. Fixed by the first join. */
  readonly role: Role;
  /**
   * The HTTP path of Socket.IO.
   * @default '/socket.io/'
   */
  readonly path?: string;
  /** What is sent beside `role` when connecting (a `token`, a tenant). Asked again at every reconnect. */
  readonly auth?: () => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** HTTP headers of every request. Node only: browsers cannot set them. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Transports in the order in which they are tried. Leave it: only with polling first can every peer read why it
   * was refused. Protocol §2.
   * @default ['polling', 'websocket']
   */
  readonly transports?: readonly TransportName[];
  /** @default silent */
  readonly logger?: Logger;
  /** @default PROFILE_0_2 */
  readonly profile?: ProtocolProfile;
  /**
   * The largest packet to send, in bytes. Never more than the Server names when connecting.
   * @default what the Server names, else 1_000_000
   */
  readonly maxPacketBytes?: number;
  /**
   * How long one attempt to connect may take, in milliseconds.
   * @default 20_000
   */
  readonly connectTimeoutMs?: number;
  /**
   * Whether the first connect is tried again until the Server can be reached, as a later reconnect is.
   * @default false
   */
  readonly retryFirstConnect?: boolean;
  /**
   * The wait before the first reconnect, in milliseconds; doubled each time.
   * @default 1_000
   */
  readonly reconnectDelayMs?: number;
  /**
   * The longest wait between reconnects, in milliseconds.
   * @default 5_000
   */
  readonly reconnectDelayMaxMs?: number;
  /**
   * How long a refused *re*join is tried again before it is reported, in milliseconds. Protocol §3.4.
   * @default 60_000
   */
  readonly rejoinForMs?: number;
  /**
   * How long a join or leave may stay unanswered, in milliseconds.
   * @default 15_000
   */
  readonly joinTimeoutMs?: number;
}

/** The options with everything filled in and checked. */
export interface ConnectionSettings {
  /** With the version in its query; without a path. */
  readonly url: URL;
  readonly role: Role;
  readonly path: string;
  readonly auth: (() => Record<string, unknown> | Promise<Record<string, unknown>>) | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly network: NetworkSettings;
  readonly transports: readonly TransportName[];
  readonly logger: Logger;
  readonly profile: ProtocolProfile;
  readonly maxPacketBytes: number | undefined;
  readonly connectTimeoutMs: number;
  readonly retryFirstConnect: boolean;
  readonly reconnect: Backoff;
  readonly rejoinForMs: number;
  readonly joinTimeoutMs: number;
}

/**
 * Fills in the defaults.
 *
 * @throws TypeError naming the option that is wrong.
 */
export function connectionSettings(options: OfficeConnectionOptions): ConnectionSettings {
  const profile = options.profile ?? PROFILE_0_2;
  profileVersion(profile);
  const minMs = positive('reconnectDelayMs', options.reconnectDelayMs ?? 1_000);
  const maxMs = positive('reconnectDelayMaxMs', options.reconnectDelayMaxMs ?? 5_000);
  return {
    url: serverUrl(options.url, profile.version),
    role: options.role,
    path: checkHttpPath(options.path ?? DEFAULT_PATH),
    auth: options.auth,
    headers: options.headers,
    network: networkSettings(options),
    transports: transports(options.transports ?? ['polling', 'websocket']),
    logger: options.logger ?? silentLogger,
    profile,
    maxPacketBytes:
      options.maxPacketBytes === undefined ? undefined : positive('maxPacketBytes', options.maxPacketBytes),
    connectTimeoutMs: positive('connectTimeoutMs', options.connectTimeoutMs ?? 20_000),
    retryFirstConnect: options.retryFirstConnect ?? false,
    reconnect: { minMs, maxMs: Math.max(minMs, maxMs) },
    rejoinForMs: options.rejoinForMs ?? 60_000,
    joinTimeoutMs: positive('joinTimeoutMs', options.joinTimeoutMs ?? 15_000),
  };
}

function positive(name: string, value: number): number {
  if (!Number.isFinite(value) || value <= 0) throw new TypeError(`${name} must be a number above 0, got ${value}`);
  return value;
}

const SCHEMES = ['http:', 'https:', 'ws:', 'wss:'];

// The text of the URL stands in no message: it may carry credentials.
function serverUrl(text: string, version: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.includes(url.protocol)) {
    throw new TypeError('url must be an http:, https:, ws: or wss: URL, such as http://127.0.0.1:8000');
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('url must not hold credentials; give them through "auth" or "headers"');
  }
  if (!['/', NAMESPACE, `${NAMESPACE}/`].includes(url.pathname)) {
    throw new TypeError('url must not have a path; give the HTTP path of Socket.IO through "path"');
  }
  url.pathname = '/';
  url.hash = '';
  // Set on the URL itself: a query there replaces the whole `query` option of Socket.IO.
  url.searchParams.set(VERSION_QUERY_PARAMETER, version);
  return url;
}

const TRANSPORT_NAMES: readonly string[] = ['polling', 'websocket'];

function transports(names: readonly TransportName[]): readonly TransportName[] {
  if (names.length === 0 || names.some((name) => !TRANSPORT_NAMES.includes(name))) {
    throw new TypeError('transports must name "polling", "websocket" or both');
  }
  return [...names];
}
