import {
  checkHttpPath,
  DEFAULT_PATH,
  PROFILE_0_2,
  silentLogger,
  type Logger,
  type ProtocolProfile,
} from '../protocol/index.js';
import type { Authenticator, CredentialSource } from './authenticator.js';
import type { OfficeRegistry } from './office-registry.js';
import { checkOrigins, type AllowedOrigins } from './origin.js';
import { systemTimers, type Timers } from './timers.js';

/** How a Server is set up. Everything may be left out. */
export interface ServerOptions {
  /** The HTTP path of Socket.IO. @default '/socket.io/' */
  readonly path?: string;
  /**
   * Origins whose pages may connect, besides the Server's own, written as browsers send them (`https://app.example`);
   * `'*'` for any. It holds for WebSocket too, which browsers do not guard by themselves. @default none
   */
  readonly corsOrigins?: AllowedOrigins;
  /** Decides who may connect. @default everyone, or the holders of {@link ServerOptions.token} */
  readonly authenticator?: Authenticator;
  /** Short for `authenticator: tokenAuthenticator(token)`. @default none */
  readonly token?: string;
  /** Where clients put their credential. @default { field: 'token' }, that is `auth.token` */
  readonly credential?: CredentialSource;
  /** How long the authenticator may take, in milliseconds. Python clients give up after 1000. @default 900 */
  readonly authTimeoutMs?: number;
  /** Where the Server writes its log; a pino logger fits. @default silent */
  readonly logger?: Logger;
  /** The protocol version that is spoken. @default PROFILE_0_2 */
  readonly profile?: ProtocolProfile;
  /** The largest packet, in bytes; a larger one ends its sender's connection. @default 1_000_000 */
  readonly maxHttpBufferSize?: number;
  /** How often each connection is pinged, in milliseconds. @default 10_000 */
  readonly pingIntervalMs?: number;
  /** How long a ping may stay unanswered before the connection counts as gone, in milliseconds. @default 8_000 */
  readonly pingTimeoutMs?: number;
  /** How long `close()` waits for the last messages to go out, in milliseconds. @default 2_000 */
  readonly closeTimeoutMs?: number;
  /** Who is in which office. @default a MemoryOfficeRegistry of its own */
  readonly registry?: OfficeRegistry;
  /** How the Server waits for answers; for tests. @default the timers of Node */
  readonly timers?: Timers;
}

/** What every left-out option is. */
export const SERVER_DEFAULTS = {
  path: DEFAULT_PATH,
  corsOrigins: [],
  credential: { field: 'token' },
  authTimeoutMs: 900,
  logger: silentLogger,
  profile: PROFILE_0_2,
  maxHttpBufferSize: 1_000_000,
  pingIntervalMs: 10_000,
  pingTimeoutMs: 8_000,
  closeTimeoutMs: 2_000,
  timers: systemTimers,
} as const satisfies ServerOptions;

/** The options with their defaults, but for those that have none. */
export type ResolvedServerOptions = ServerOptions & Required<Pick<ServerOptions, keyof typeof SERVER_DEFAULTS>>;

/**
 * Fills in the defaults; an option that is given as undefined counts as left out.
 *
 * @throws TypeError naming the option that is wrong.
 */
export function resolveServerOptions(options: ServerOptions): ResolvedServerOptions {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const resolved: ResolvedServerOptions = { ...SERVER_DEFAULTS, ...(given as ServerOptions) };
  checkHttpPath(resolved.path);
  checkOrigins(resolved.corsOrigins);
  return resolved;
}
