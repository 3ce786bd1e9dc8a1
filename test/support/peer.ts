import { io, type Socket } from 'socket.io-client';
import { PROTOCOL_VERSION, type Role } from '../../src/protocol/index.js';

/** An event that a peer received. */
export interface Received {
  readonly event: string;
  readonly args: readonly unknown[];
}

/** How a peer connects. */
export interface PeerOptions {
  /** @default ['polling', 'websocket'] */
  readonly transports?: readonly ('polling' | 'websocket')[];
  /** What the client gives as `auth`. */
  readonly auth?: Record<string, unknown>;
  /** @default the version of the package */
  readonly version?: string;
  /** @default '/socket.io/' */
  readonly path?: string;
  readonly headers?: Record<string, string>;
  /** @default false */
  readonly reconnection?: boolean;
}

type Handler = (...args: unknown[]) => unknown;

/** A client that speaks the bare protocol over a real socket and remembers what it received. */
export class Peer implements AsyncDisposable {
  readonly socket: Socket;
  /** Everything received, in order. */
  readonly received: Received[] = [];
  readonly #handlers = new Map<string, Handler>();
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.onAny((event: string, ...args: unknown[]) => {
      const ack = args.at(-1);
      const payload = typeof ack === 'function' ? args.slice(0, -1) : args;
      this.received.push({ event, args: payload });
      for (const wake of this.#waiting) wake();
      const answer = this.#handlers.get(event)?.(...args);
      if (typeof ack === 'function' && Array.isArray(answer)) (ack as Handler)(...(answer as unknown[]));
    });
  }

  /** @throws Error of `connect_error` when the connection is refused; `data` and `context` are on it. */
  static async connect(url: string, options: PeerOptions = {}): Promise<Peer> {
    const { transports = ['polling', 'websocket'], auth, version = PROTOCOL_VERSION, path, headers } = options;
    const socket = io(`${url}/smcp?a2c_version=${encodeURIComponent(version)}`, {
      transports: [...transports],
      forceNew: true,
      reconnection: options.reconnection ?? false,
      ...(auth === undefined ? {} : { auth }),
      ...(path === undefined ? {} : { path }),
      ...(headers === undefined ? {} : { extraHeaders: headers }),
    });
    const peer = new Peer(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', (error) => {
        socket.disconnect();
        reject(error);
      });
    });
    return peer;
  }

  /** Connects and joins. */
  static async join(
    url: string,
    place: { role: Role; name: string; office: string },
    options?: PeerOptions,
  ): Promise<Peer> {
    const peer = await Peer.connect(url, options);
    const [ok, reason] = await peer.join(place.role, place.name, place.office);
    if (ok !== true) throw new Error(String(reason));
    return peer;
  }

  /** The Socket.IO id. */
  get sid(): string {
    return this.socket.id ?? '';
  }

  /** Emits an event and gives all arguments of its acknowledgement. */
  call(event: string, ...args: unknown[]): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.socket.once('disconnect', (reason) => {
        reject(new Error(`disconnected: ${reason}`));
      });
      this.socket.emit(event, ...args, (...answer: unknown[]) => {
        resolve(answer);
      });
    });
  }

  /** `server:join_office`. */
  join(role: string, name: string, office: string): Promise<unknown[]> {
    return this.call('server:join_office', { role, name, office_id: office });
  }

  /** Answers an event. @param handler - gets the arguments, and returns those of the acknowledgement, or nothing. */
  on(event: string, handler: Handler): void {
    this.#handlers.set(event, handler);
  }

  /** The payload of the next event of that name that was not taken yet; earlier events of other names are passed over. */
  async next(event: string): Promise<unknown> {
    for (;;) {
      const index = this.received.findIndex(
        (received, position) => position >= this.#taken && received.event === event,
      );
      if (index >= 0) {
        this.#taken = index + 1;
        return this.received[index]?.args[0];
      }
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
      });
    }
  }

  /** The names of the events received so far. */
  get eventNames(): readonly string[] {
    return this.received.map(({ event }) => event);
  }

  /**
   * Everything that the Server sent to this peer before now has arrived: an answered event went the same way.
   */
  async settle(): Promise<void> {
    await this.call('test:settle');
  }

  /** Resolves with the reason when the connection ends. */
  async disconnected(): Promise<string> {
    if (!this.socket.connected) return 'not connected';
    return new Promise((resolve) => {
      this.socket.once('disconnect', (reason) => {
        resolve(reason);
      });
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.socket.disconnect();
    return Promise.resolve();
  }
}
