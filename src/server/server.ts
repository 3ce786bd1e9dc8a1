import type { Server as HttpServer } from 'node:http';
import { Server as SocketIoServer, type Socket } from 'socket.io';
import { NAMESPACE } from '../protocol/index.js';
import { Admission } from './admission.js';
import { allowsAny } from './origin.js';
import { tokenAuthenticator } from './authenticator.js';
import { EventLog } from './event-log.js';
import { EventRouter } from './event-router.js';
import { attachTo, type HttpAttachment } from './http-attachment.js';
import { HttpHost, type ListeningAddress } from './http-host.js';
import { OfficeHandlers } from './office-handlers.js';
import { MemoryOfficeRegistry } from './office-registry.js';
import { resolveServerOptions, SERVER_DEFAULTS, type ResolvedServerOptions, type ServerOptions } from './options.js';
import { Relay } from './relay.js';
import { Session } from './session.js';
import { tolerantParser } from './tolerant-parser.js';
import { Updates } from './updates.js';
import { ERROR_CODE_HEADER, versionCheck, versionGate } from './version-gate.js';

/** How long a connection may stay without having asked for the namespace, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The signalling hub: takes connections, keeps offices, relays calls from Agents to Computers, tells members of changes.
 *
 * @example
 * await using server = new Server({ token: 'secret' });
 * const { url } = await server.listen(8000);
 */
export class Server {
  readonly #options: ResolvedServerOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #io: SocketIoServer;
  readonly #admission: Admission;
  readonly #router: EventRouter;
  readonly #offices: OfficeHandlers;
  readonly #updates: Updates;
  readonly #relay: Relay;
  /** Places that are being given up, which takes a while with a shared registry. */
  readonly #departures = new Set<Promise<unknown>>();
  #host: HttpHost | undefined;
  #attachment: HttpAttachment | undefined;
  #closing: Promise<void> | undefined;
  #onLastSessionGone: (() => void) | undefined;

  /**
   * @throws TypeError when `path` or `corsOrigins` is wrong, or the profile's version is not `MAJOR.MINOR.PATCH`.
   */
  constructor(options: ServerOptions = {}) {
    this.#options = resolveServerOptions(options);
    const { logger, profile, timers, credential, authTimeoutMs, token, corsOrigins } = this.#options;
    versionCheck(profile);
    const registry = this.#options.registry ?? new MemoryOfficeRegistry();
    const log = new EventLog(logger, logger === SERVER_DEFAULTS.logger);
    this.#io = this.#createSocketIo();
    const nsp = this.#io.of(NAMESPACE);
    this.#updates = new Updates((room, exceptSid, event, payload) => {
      nsp.to(room).except(exceptSid).emit(event, payload);
    }, log);
    this.#relay = new Relay({ registry, session: (sid) => this.#sessions.get(sid), log, timers });
    this.#offices = new OfficeHandlers({ registry, relay: this.#relay, updates: this.#updates, profile });
    this.#router = new EventRouter({
      profile,
      relay: this.#relay,
      offices: this.#offices,
      updates: this.#updates,
      log,
    });
    const authenticator = this.#options.authenticator ?? (token === undefined ? undefined : tokenAuthenticator(token));
    this.#admission = new Admission({ authenticator, credential, authTimeoutMs, logger, corsOrigins });
    nsp.use(this.#admission.middleware);
    nsp.on('connection', (socket) => {
      this.#connected(socket);
    });
    // The protocol lives in its namespace; without this, the default one would hold connections nobody has judged.
    this.#io.use((_socket, next) => {
      next(new Error('Invalid namespace'));
    });
  }

  /**
   * Listens with an HTTP server of its own.
   *
   * @param port - 0 for a free one.
   * @param host - the address to listen on.
   * @throws ListenError when the address cannot be had.
   */
  async listen(port: number, host = '127.0.0.1'): Promise<ListeningAddress> {
    const started = new HttpHost();
    this.#start(started.server);
    this.#host = started;
    try {
      const address = await started.listen(port, host);
      if (this.#closing !== undefined) {
        await started.close(Promise.resolve());
        throw new Error('The Server was closed');
      }
      this.#options.logger.info({ ...address, path: this.#options.path }, 'Server listening');
      return address;
    } catch (error) {
      this.#attachment?.detach();
      this.#attachment = undefined;
      this.#host = undefined;
      throw error;
    }
  }

  /**
   * Serves on an HTTP server that belongs to the caller: `close()` lets go of it and leaves it running.
   *
   * @throws Error when the Server serves already or was closed.
   */
  attach(httpServer: HttpServer): void {
    this.#start(httpServer);
  }

  /**
   * Says goodbye to every member for every other one, ends the calls under way, and closes all connections in such a
   * way that clients come back by themselves. When it resolves, nothing is left open.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** See {@link Server.close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #createSocketIo(): SocketIoServer {
    const { path, corsOrigins, maxHttpBufferSize, pingIntervalMs, pingTimeoutMs } = this.#options;
    const origin = allowsAny(corsOrigins) ? '*' : corsOrigins.slice();
    return new SocketIoServer({
      path,
      ...(origin.length === 0 ? {} : { cors: { origin, exposedHeaders: [ERROR_CODE_HEADER] } }),
      maxHttpBufferSize,
      pingInterval: pingIntervalMs,
      pingTimeout: pingTimeoutMs,
      connectTimeout: CONNECT_TIMEOUT_MS,
      serveClient: false,
      parser: tolerantParser,
      transports: ['polling', 'websocket'],
      // Measured: compression costs far more time and memory than it saves for messages of this size.
      httpCompression: false,
      perMessageDeflate: false,
    });
  }

  #start(httpServer: HttpServer): void {
    if (this.#closing !== undefined) throw new Error('The Server was closed; make a new one');
    if (this.#attachment !== undefined) throw new Error('The Server is already listening or attached');
    const { path, profile, logger } = this.#options;
    this.#attachment = attachTo(httpServer, this.#io, path);
    const gate = versionGate(versionCheck(profile), ({ code, message }) => {
      logger.warn({ code, reason: message }, 'Protocol version refused');
    });
    this.#io.engine.use(gate);
  }

  #connected(socket: Socket): void {
    if (this.#closing !== undefined) {
      socket.conn.close();
      return;
    }
    const session = new Session(socket, this.#admission.originOf(socket));
    this.#sessions.set(socket.id, session);
    this.#options.logger.debug({ sid: session.sid, a2c_version: session.a2cVersion }, 'Connected');
    // One listener for all events. It never passes them on, so that Socket.IO does not emit them on the socket: a
    // client may send any name, `error` too.
    socket.use((args) => {
      if (this.#closing === undefined) this.#router.receive(session, args);
    });
    socket.on('disconnecting', (reason) => {
      this.#disconnected(session, reason);
    });
  }

  #disconnected(session: Session, reason: string): void {
    const { logger } = this.#options;
    logger.debug({ sid: session.sid, name: session.stay?.member.name, reason }, 'Disconnected');
    session.close();
    this.#sessions.delete(session.sid);
    const departure = this.#offices
      .disconnected(session)
      .catch((error: unknown) => {
        logger.error({ sid: session.sid, err: error }, 'A place could not be given up');
      })
      .finally(() => this.#departures.delete(departure));
    this.#departures.add(departure);
    if (this.#sessions.size === 0) this.#onLastSessionGone?.();
  }

  async #close(): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#options.closeTimeoutMs);
    });
    try {
      const sessions = [...this.#sessions.values()];
      for (const session of sessions) this.#relay.dropTarget(session, 'disconnected');
      this.#offices.dissolve(sessions);
      await Promise.race([this.#closeConnections(sessions), patience]);
      await Promise.race([Promise.all(this.#departures), patience]);
      await this.#io.of(NAMESPACE).adapter.close();
      await this.#release(patience);
    } finally {
      clearTimeout(timer);
    }
    this.#options.logger.info({}, 'Server closed');
  }

  /**
   * Closes the connections and not the namespace: to a client told to leave the namespace it is final, one whose
   * connection closes comes back by itself. What waits to be sent goes out before.
   */
  async #closeConnections(sessions: readonly Session[]): Promise<void> {
    if (sessions.length === 0) return;
    const gone = new Promise<void>((resolve) => {
      this.#onLastSessionGone = resolve;
    });
    for (const session of sessions) session.socket.conn.close();
    await gone;
  }

  /** Lets go of the HTTP server, by force where patience does not help. */
  async #release(patience: Promise<void>): Promise<void> {
    if (this.#attachment === undefined) return;
    this.#io.engine.close();
    this.#attachment.detach();
    await this.#attachment.closeUpgraded(patience);
    await this.#host?.close(patience);
  }
}
