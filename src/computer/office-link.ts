import { OfficeConnection, type Membership, type OfficeConnectionOptions, type TypedEvents } from '../client/index.js';
import type { CommandEvent, Logger } from '../protocol/index.js';
import type { ComputerEvents } from './computer-events.js';
import type { HandlerTarget } from './handlers.js';
import { messageOf } from './hosting.js';
import { OfficeAgent } from './office-agent.js';

/** What an {@link OfficeLink} works with. */
export interface OfficeLinkOptions {
  readonly logger: Logger;
  /** Where its events go. */
  readonly events: TypedEvents<ComputerEvents>;
  /** Registers the handlers of events on a new connection. */
  readonly register: (target: HandlerTarget) => void;
  /** The Computer is in another office now, or in none: what was learnt in the one before must not show. */
  readonly onOfficeChanged: () => void;
}

/** What a packet may have when no Server has said otherwise, in bytes. Protocol §5.2. */
const DEFAULT_PACKET_BYTES = 1_000_000;

/** The Computer's connection to the Server, which it may or may not have, and its place in an office. */
export class OfficeLink {
  readonly #options: OfficeLinkOptions;
  #connection: OfficeConnection | undefined;
  #lastOffice: string | undefined;
  readonly #agent = new OfficeAgent();

  constructor(options: OfficeLinkOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#connection?.connected ?? false;
  }

  get membership(): Membership | undefined {
    return this.#connection?.membership;
  }

  /** The largest packet that can be sent now, in bytes. */
  get maxPacketBytes(): number {
    return this.#connection?.maxPacketBytes ?? DEFAULT_PACKET_BYTES;
  }

  /**
   * Connects, in place of a connection that was there before. A connection that could not be made leaves nothing.
   *
   * @throws what {@link OfficeConnection.connect} throws; TypeError for options that are wrong.
   */
  async connect(options: OfficeConnectionOptions, signal: AbortSignal | undefined): Promise<void> {
    const connection = new OfficeConnection(options);
    await this.close();
    this.#connection = connection;
    this.#options.register(connection);
    this.#agent.register(connection, this.#options.logger);
    this.#listen(connection);
    try {
      await connection.connect(signal === undefined ? {} : { signal });
    } catch (error) {
      if (this.#connection === connection) this.#connection = undefined;
      await connection.close();
      throw error;
    }
  }

  /** Joins an office. Throws as {@link OfficeConnection.join}; TypeError before `connect`. */
  async join(membership: Membership): Promise<void> {
    if (this.#connection === undefined) throw new TypeError('connect() comes before joinOffice()');
    await this.#connection.join(membership);
  }

  /** Leaves the office; does nothing outside one. */
  async leave(): Promise<void> {
    await this.#connection?.leave();
  }

  /** The name of the office's Agent, where the Server told it. */
  get agentName(): string | undefined {
    return this.#agent.nameIn(this.membership?.officeId);
  }

  /**
   * Tells the office that something of this Computer changed; does nothing outside an office. Protocol §3.2.
   *
   * @returns whether it was sent.
   */
  announce(event: Extract<CommandEvent, `server:update_${string}`>): boolean {
    const membership = this.membership;
    if (membership === undefined || this.#connection === undefined) return false;
    try {
      this.#connection.send(event, { computer: membership.name });
      return true;
    } catch (error) {
      this.#options.logger.debug({ event, problem: messageOf(error) }, 'A change could not be announced');
      return false;
    }
  }

  /** Ends the connection for good; another one may be made. Idempotent. */
  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
  }

  #listen(connection: OfficeConnection): void {
    const { events } = this.#options;
    connection.events.on('connected', () => {
      events.emit('connected');
    });
    connection.events.on('disconnected', (reason) => {
      this.#agent.forget();
      events.emit('disconnected', { reason });
    });
    connection.events.on('joined', (membership) => {
      this.#enter(membership.officeId);
      events.emit('joined', membership);
    });
    connection.events.on('left', (membership) => {
      this.#agent.forget(membership.officeId);
      this.#enter(undefined);
      events.emit('left', membership);
    });
    connection.events.on('rejoinFailed', (error) => {
      events.emit('rejoinFailed', { error });
    });
    connection.events.on('refused', (error) => {
      events.emit('refused', { error });
    });
  }

  /** Coming back to the same office after a lost connection is no change. */
  #enter(officeId: string | undefined): void {
    if (officeId === this.#lastOffice) return;
    this.#lastOffice = officeId;
    this.#options.onOfficeChanged();
  }
}
