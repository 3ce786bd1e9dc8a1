import type { Socket } from 'socket.io-client';
import { isDeeperThan, MAX_PAYLOAD_DEPTH } from '../protocol/index.js';
import type { ConnectionSettings } from './connection-options.js';
import { dial, type Dialled } from './dial.js';
import { ConnectionError, RequestTimeoutError } from './errors.js';
import { eventFields } from './event-fields.js';
import { guardHandshake } from './handshake-guard.js';
import { checkPacket } from './packet-size.js';
import { readRefusal, type Refusal } from './refusal.js';
import { openRoute, type Route } from './route.js';
import { abortable, reasonOf } from './wait.js';

/** What a link tells its owner. Neither function may throw. */
export interface LinkHooks {
  /** An event of the Server arrived; an acknowledgement function is the last argument. */
  readonly onEvent: (event: string, args: readonly unknown[]) => void;
  /** The link was up and has gone, other than by its own `close`. */
  readonly onDropped: (reason: string) => void;
}

/** How long a request may take. */
export interface WaitOptions {
  /** In milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_MAX_PACKET_BYTES = 1_000_000;
const CLOSE_WAIT_MS = 2_000;

/**
 * One connection, from dialling to its end. It is never opened twice: a reconnect is a new link, so that nothing that
 * was buffered for one connection can be sent on the next.
 */
export class Link {
  readonly #settings: ConnectionSettings;
  readonly #hooks: LinkHooks;
  readonly #pending = new Set<(error: Error) => void>();
  #dialled: Dialled | undefined;
  #state: 'new' | 'dialling' | 'up' | 'down' = 'new';
  #serverLimit: number | undefined;

  constructor(settings: ConnectionSettings, hooks: LinkHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /** Whether events can be sent. */
  get isUp(): boolean {
    return this.#state === 'up';
  }

  /** The largest packet that may be sent, in bytes. */
  get maxPacketBytes(): number {
    const asked = this.#settings.maxPacketBytes;
    if (asked === undefined) return this.#serverLimit ?? DEFAULT_MAX_PACKET_BYTES;
    return Math.min(asked, this.#serverLimit ?? asked);
  }

  /**
   * Connects.
   *
   * @returns what stopped it, or `undefined` once the connection is up.
   * @throws the signal's reason.
   */
  async open(signal: AbortSignal): Promise<Refusal | undefined> {
    this.#state = 'dialling';
    const auth = await abortable(this.#credentials(), signal);
    if (!isAuth(auth)) return auth;
    const route = await abortable(this.#route(), signal);
    if (!isRoute(route)) return route;
    if (signal.aborted) throw reasonOf(signal);
    this.#dialled = dial(this.#settings, auth, route);
    return this.#connect({ ...this.#dialled, route }, signal);
  }

  /**
   * Sends an event and waits for its acknowledgement.
   *
   * @returns all its arguments.
   * @throws ConnectionError, RequestTimeoutError, PacketTooLargeError, UnsendablePayloadError, the signal's reason
   */
  async exchange(event: string, payload: unknown, wait: WaitOptions): Promise<readonly unknown[]> {
    if (wait.signal?.aborted === true) throw reasonOf(wait.signal);
    const socket = this.#ready(event, payload);
    return new Promise((resolve, reject) => {
      const finish = (): void => {
        this.#pending.delete(fail);
        wait.signal?.removeEventListener('abort', abort);
      };
      const fail = (error: Error): void => {
        finish();
        reject(error);
      };
      const abort = (): void => {
        fail(reasonOf(wait.signal));
      };
      this.#pending.add(fail);
      wait.signal?.addEventListener('abort', abort, { once: true });
      // The timeout of Socket.IO itself, which also takes the acknowledgement off its list. When the link drops,
      // `#drop` has rejected the request before Socket.IO calls back.
      socket.timeout(wait.timeoutMs).emit(event, payload, (error: Error | null, ...args: unknown[]) => {
        if (error !== null) {
          fail(new RequestTimeoutError(event, wait.timeoutMs));
          return;
        }
        finish();
        this.#settings.logger.debug(eventFields(event, args[0], payload), 'Received an acknowledgement');
        resolve(args);
      });
    });
  }

  /**
   * Sends an event that wants no acknowledgement.
   *
   * @throws ConnectionError, PacketTooLargeError, UnsendablePayloadError
   */
  send(event: string, payload: unknown): void {
    this.#ready(event, payload).emit(event, payload);
  }

  /** Ends a connection whose state on the Server is not known any more, and reports it as dropped. */
  abandon(reason: string): void {
    this.#drop(reason);
    this.#shut();
  }

  /** Closes the connection; resolves once it is closed, after two seconds in any case. */
  async close(): Promise<void> {
    this.#state = 'down';
    this.#failPending(new ConnectionError('The connection was closed while a request was under way'));
    const engine: EngineSocket | undefined = this.#dialled?.manager.engine;
    const closed = engine === undefined ? Promise.resolve() : engineClosed(engine);
    this.#shut();
    await closed;
  }

  async #credentials(): Promise<Record<string, unknown> | Refusal> {
    const { auth, role } = this.#settings;
    try {
      const all = { ...(await auth?.()), role };
      // What cannot be encoded would throw inside Socket.IO, out of anybody's reach.
      if (isDeeperThan(all, MAX_PAYLOAD_DEPTH)) throw new TypeError('auth: nested too deep');
      JSON.stringify(all);
      return all;
    } catch (cause) {
      return { error: new ConnectionError('The auth callback gave no usable credentials', { cause }), final: true };
    }
  }

  async #route(): Promise<Route | Refusal> {
    try {
      return await openRoute(this.#settings.url, this.#settings.network);
    } catch (cause) {
      const error = cause instanceof ConnectionError ? cause : new ConnectionError(messageOf(cause), { cause });
      return { error, final: true };
    }
  }

  #connect({ manager, socket, route }: Dialled & { route: Route }, signal: AbortSignal): Promise<Refusal | undefined> {
    const { url, connectTimeoutMs, profile } = this.#settings;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const fail = (refusal: Refusal): void => {
        settle();
        this.#shut();
        resolve(refusal);
      };
      const abort = (): void => {
        settle();
        this.#shut();
        reject(reasonOf(signal));
      };
      const lost = (why: string): void => {
        const text = `Cannot connect to the Server at ${url.host}: ${why}`;
        fail({ error: new ConnectionError(text), final: false });
      };
      const timer = setTimeout(() => {
        lost(`no answer within ${connectTimeoutMs} ms`);
      }, connectTimeoutMs);
      signal.addEventListener('abort', abort, { once: true });
      socket.on('connect', () => {
        if (this.#state !== 'dialling') return;
        settle();
        this.#state = 'up';
        resolve(undefined);
      });
      socket.on('connect_error', (error) => {
        // Read here and now: one microtask later the body is gone.
        if (this.#state === 'dialling') fail(readRefusal(error, url.host, profile.version, route.problem()));
      });
      socket.on('disconnect', (reason) => {
        if (this.#state === 'dialling') lost(reason);
        else this.#drop(reason);
      });
      socket.onAny((event: string, ...args: unknown[]) => {
        this.#hooks.onEvent(event, args);
      });
      socket.connect();
      guardHandshake(manager.engine);
      manager.engine.once('handshake', ({ maxPayload }) => {
        if (Number.isInteger(maxPayload) && maxPayload > 0) this.#serverLimit = maxPayload;
      });
    });
  }

  #ready(event: string, payload: unknown): Socket {
    const socket = this.#dialled?.socket;
    if (this.#state !== 'up' || socket === undefined) throw new ConnectionError('Not connected to the Server');
    checkPacket(event, payload, this.maxPacketBytes);
    this.#settings.logger.debug(eventFields(event, payload), 'Sending an event');
    return socket;
  }

  #drop(reason: string): void {
    if (this.#state !== 'up') return;
    this.#state = 'down';
    this.#failPending(new ConnectionError(`The connection to the Server was lost: ${reason}`));
    this.#shut();
    this.#hooks.onDropped(reason);
  }

  #failPending(error: Error): void {
    for (const fail of [...this.#pending]) fail(error);
  }

  #shut(): void {
    this.#state = 'down';
    this.#dialled?.socket.disconnect();
  }
}

/** The part of Engine.IO's client that a link uses beside Socket.IO's own interface. */
interface EngineSocket {
  readonly readyState: string;
  once: (event: 'handshake' | 'close', listener: (data: { maxPayload: number }) => void) => void;
}

function engineClosed(engine: EngineSocket): Promise<void> {
  if (engine.readyState === 'closed' || engine.readyState === '') return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSE_WAIT_MS);
    engine.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isRoute(value: Route | Refusal): value is Route {
  return !('final' in value);
}

function isAuth(value: Record<string, unknown> | Refusal): value is Record<string, unknown> {
  return !('final' in value && value.error instanceof ConnectionError);
}
