import {
  ErrorCode,
  ProtocolError,
  readIncoming,
  sendAck,
  type CallEvent,
  type CommandEvent,
  type ProtocolVersionError,
} from '../protocol/index.js';
import { connectionSettings, type ConnectionSettings, type OfficeConnectionOptions } from './connection-options.js';
import { ConnectionError } from './errors.js';
import { eventFields } from './event-fields.js';
import { LinkKeeper } from './link-keeper.js';
import type { Link, WaitOptions } from './link.js';
import { MembershipKeeper, type Membership } from './membership.js';
import { TypedEvents } from './typed-events.js';
import { abortable } from './wait.js';

/** What happens to a connection. */
export interface OfficeConnectionEvents {
  /** A connection to the Server is up; the client is in no office yet. */
  connected: [];
  /** The connection has gone; it is being made again unless the application closed it. */
  disconnected: [reason: string];
  /** The client is in the office, for the first time or again. */
  joined: [membership: Membership & { readonly rejoined: boolean }];
  /** The client left the office, or moved to another. */
  left: [membership: Membership];
  /** The office could not be joined again within `rejoinForMs`; the client stays connected, outside any office. */
  rejoinFailed: [error: Error];
  /** A reconnect met a Server of another protocol version. No more attempts are made. */
  refused: [error: ProtocolVersionError];
}

/** Takes the arguments of an event as Socket.IO gives them: the acknowledgement function, if any, is the last. */
export type IncomingHandler = (args: readonly unknown[]) => void;

/**
 * The connection of an Agent or a Computer to the Server: dialling, refusals, membership of an office, and coming
 * back after everything else. Protocol §2, §3.2, §3.4.
 *
 * @example
 * await using connection = new OfficeConnection({ url: 'http://127.0.0.1:8000', role: 'agent' });
 * await connection.connect();
 * await connection.join({ officeId: 'office-1', name: 'agent-1' });
 */
export class OfficeConnection implements AsyncDisposable {
  readonly events: TypedEvents<OfficeConnectionEvents>;
  readonly #settings: ConnectionSettings;
  readonly #keeper: LinkKeeper;
  readonly #membership: MembershipKeeper;
  readonly #handlers = new Map<string, IncomingHandler>();
  #closing: Promise<void> | undefined;

  /** @throws TypeError naming the option that is wrong. */
  constructor(options: OfficeConnectionOptions) {
    const settings = connectionSettings(options);
    this.#settings = settings;
    this.events = new TypedEvents((error, event) => {
      settings.logger.error({ event, error: String(error) }, 'A listener failed');
    });
    this.#keeper = new LinkKeeper(settings, this.#keeperHooks());
    this.#membership = new MembershipKeeper(
      { ...settings, backoff: settings.reconnect },
      {
        onJoined: (membership) => {
          this.events.emit('joined', membership);
        },
        onLeft: (membership) => {
          this.events.emit('left', membership);
        },
        onRejoinFailed: (error) => {
          this.events.emit('rejoinFailed', error);
        },
      },
    );
  }

  /** Whether there is a connection to the Server. */
  get connected(): boolean {
    return this.#keeper.link !== undefined;
  }

  /** The office that this client is in; `undefined` before the join, while disconnected, and until the rejoin. */
  get membership(): Membership | undefined {
    return this.#membership.current;
  }

  /** The largest packet that may be sent now, in bytes. Protocol §5.2. */
  get maxPacketBytes(): number {
    return this.#keeper.link?.maxPacketBytes ?? this.#settings.maxPacketBytes ?? 1_000_000;
  }

  /**
   * Connects; after that the connection comes back by itself until {@link OfficeConnection.close}. While it is being
   * made, a second call waits for the first.
   *
   * @param options - `signal` gives up.
   * @throws ConnectionError with the Server's `code` and `data` when it refused (401 …), without when it could not be
   *   reached; ProtocolVersionError (4008), which is never retried; the signal's reason.
   */
  async connect(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#keeper.connect(options.signal);
  }

  /**
   * Joins an office; after a reconnect it is joined again by itself.
   *
   * @param options - `signal` gives up: an office that is joined in spite of it is left again.
   * @throws JoinRefusedError with the Server's code and reason; TypeError when a name breaks the rules of Protocol §1;
   *   ConnectionError; RequestTimeoutError; the signal's reason.
   */
  async join(membership: Membership, options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    const { signal } = options;
    signal?.throwIfAborted();
    const joining = this.#membership.join(membership);
    try {
      await abortable(joining, signal);
    } catch (error) {
      if (signal?.aborted === true) void this.#leaveOnceIn(joining);
      throw error;
    }
  }

  /**
   * Leaves the office; does nothing outside one.
   *
   * @throws RequestTimeoutError when the Server did not answer.
   */
  async leave(): Promise<void> {
    await this.#membership.leave();
  }

  /**
   * Sends a request and waits for its acknowledgement. Nothing is kept for later: without a connection it fails at
   * once, and it is never sent again.
   *
   * @param wait - `timeoutMs` in milliseconds; `signal` ends the wait, not what the peer does.
   * @returns the first argument of the acknowledgement, as it came: an error acknowledgement is a value here.
   * @throws ConnectionError, RequestTimeoutError, PacketTooLargeError, UnsendablePayloadError, TypeError for a
   *   `notify:*` event (Protocol §3.3), the signal's reason.
   */
  async request(event: CallEvent | CommandEvent, payload: object, wait: WaitOptions): Promise<unknown> {
    const args = await this.#up(event).exchange(event, payload, wait);
    return args[0];
  }

  /**
   * Sends an event that wants no acknowledgement.
   *
   * @throws ConnectionError, PacketTooLargeError, UnsendablePayloadError, TypeError for a `notify:*` event.
   */
  send(event: CommandEvent, payload: object): void {
    this.#up(event).send(event, payload);
  }

  /**
   * Takes in a `client:*` or `notify:*` event, on this connection and those after it; one handler an event. Events
   * with an acknowledgement that nobody handles are answered with 400.
   */
  handle(event: string, handler: IncomingHandler): void {
    this.#handlers.set(event, handler);
  }

  /** Closes the connection for good. Idempotent; requests under way fail with a ConnectionError. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #leaveOnceIn(joining: Promise<void>): Promise<void> {
    try {
      await joining;
      await this.leave();
    } catch (error) {
      this.#settings.logger.debug({ error: String(error) }, 'A join that was given up did not come about');
    }
  }

  async #close(): Promise<void> {
    const wasUp = this.connected;
    this.#membership.close();
    await this.#keeper.close();
    if (wasUp) this.events.emit('disconnected', 'closed by the application');
  }

  #up(event: string): Link {
    if (event.startsWith('notify:')) throw new TypeError(`${event} is for the Server to send, clients must not`);
    if (this.#closing !== undefined) throw new ConnectionError('The connection was closed');
    const link = this.#keeper.link;
    if (link === undefined) throw new ConnectionError('Not connected to the Server');
    return link;
  }

  #keeperHooks(): ConstructorParameters<typeof LinkKeeper>[1] {
    return {
      onUp: (link) => {
        this.#settings.logger.info({ server: this.#settings.url.host }, 'Connected to the Server');
        // The rejoin is begun first, so that a listener that joins or leaves takes its place.
        this.#membership.linkUp(link);
        this.events.emit('connected');
      },
      onDown: (reason) => {
        this.#membership.linkDown();
        this.events.emit('disconnected', reason);
      },
      onRefused: (error) => {
        this.#settings.logger.error({ error: error.message }, 'The Server speaks another protocol version');
        this.events.emit('refused', error);
      },
      onEvent: (event, args) => {
        this.#receive(event, args);
      },
    };
  }

  #receive(event: string, args: readonly unknown[]): void {
    this.#settings.logger.debug(eventFields(event, args[0]), 'Received an event');
    const handler = this.#handlers.get(event);
    try {
      if (handler !== undefined) handler(args);
      else this.#answerUnknown(event, args);
    } catch (error) {
      this.#settings.logger.error({ event, error: String(error) }, 'A handler failed');
    }
  }

  #answerUnknown(event: string, args: readonly unknown[]): void {
    const answer = new ProtocolError(ErrorCode.BadRequest, `Unknown event: ${event.slice(0, 64)}`);
    sendAck(readIncoming(args).ack, [answer.toPayload()], (error) => {
      this.#settings.logger.warn({ event, error: String(error) }, 'An acknowledgement could not be sent');
    });
  }
}
