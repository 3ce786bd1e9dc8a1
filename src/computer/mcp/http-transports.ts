import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { NetworkSettings } from '../../client/index.js';
import type { Logger } from '../../protocol/index.js';
import type { Authorizer } from './authorizer.js';
import type { Frame } from './frames.js';
import { HttpFetch, MAX_STREAM_FAILURES } from './http-fetch.js';
import { readTarget } from './http-target.js';
import { ServerStartError, type AuthChallenge, type ConnectionEnding } from './mcp-errors.js';
import { ReachabilityProbe } from './reachability-probe.js';
import type { UpstreamTransport } from './upstream-transport.js';

const TERMINATE_MS = 2_000;
const STREAM_IDLE_MS = 300_000;
const MIN_PING_MS = 5_000;
/** The ids of our pings; those of requests are numbers. */
const PING_ID = 'a2c-ping-';
const SHORT_STREAMS = 'the server ends the stream soon after each time it is opened';
const FIRST_RECONNECT_MS = 1_000;
const MAX_RECONNECT_MS = 30_000;
/** A stream that lived shorter than this did not really come back: the next wait is longer. */
const STABLE_STREAM_MS = 10_000;

/** Where an HTTP server is and how to talk with it. */
export interface HttpTransportOptions {
  /** Name of the MCP server, for errors and the log. */
  readonly server: string;
  readonly kind: 'streamable' | 'sse';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | null;
  /** Proxies, and authorities to trust; absent: neither. */
  readonly network?: NetworkSettings | undefined;
  /** Limit for reaching the server, and for the `endpoint` event of an SSE server, in ms. */
  readonly connectTimeoutMs: number;
  /** How long the server's own stream may be silent before it is opened again, in ms. @default 300000 */
  readonly streamIdleMs?: number;
  /** How long a sign of life is waited for at least, in ms. @default 5000 */
  readonly minPingMs?: number;
  /** Gives the login; absent: the configured headers are all there is. */
  readonly authorizer?: Authorizer | undefined;
  /** The wait before the server's own stream is opened again, in ms; doubled each time. @default 1000 */
  readonly firstReconnectMs?: number;
  /** Tell a streamable server that the session ends. @default true */
  readonly terminateOnClose?: boolean;
  readonly logger: Logger;
}

/**
 * Talks with an MCP server over streamable HTTP or the older HTTP + SSE, through the SDK's transports and our
 * {@link HttpFetch}. Ends when the session is lost or the server's own stream is gone for good.
 */
export class HttpTransport implements UpstreamTransport {
  onclose: UpstreamTransport['onclose'];
  onerror: UpstreamTransport['onerror'];
  onmessage: UpstreamTransport['onmessage'];
  onhealth: UpstreamTransport['onhealth'];

  readonly #options: HttpTransportOptions;
  #http: HttpFetch | undefined;
  #inner: StreamableHTTPClientTransport | SSEClientTransport | undefined;
  #abortStart: ((error: Error) => void) | undefined;
  #ending: ConnectionEnding | undefined;
  #closing: Promise<void> | undefined;
  #streamOpenedAt = 0;
  #shortStreams = 0;
  #pings = 0;
  #pong: ((id: string) => void) | undefined;
  readonly #probe: ReachabilityProbe;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    this.#probe = new ReachabilityProbe({
      firstMs: options.firstReconnectMs ?? FIRST_RECONNECT_MS,
      ping: () => this.#ping(),
      onProblem: (problem) => {
        this.onhealth?.('connection', problem === undefined ? undefined : `it cannot be reached now: ${problem}`);
      },
      onLost: (problem) => {
        this.#lose(`it cannot be reached any more: ${problem}`);
      },
    });
  }

  get ending(): ConnectionEnding | undefined {
    return this.#ending;
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined;
  }

  /** What the server last said when it refused the credentials. */
  get challenge(): AuthChallenge | undefined {
    return this.#http?.challenge;
  }

  stderrTail(): string {
    return '';
  }

  /** Opens the connection; an SSE server must send its endpoint within `connectTimeoutMs`. */
  async start(): Promise<void> {
    if (this.#inner !== undefined || this.#closing !== undefined) {
      throw new Error('HttpTransport was started before; make a new one for each start');
    }
    const { connectTimeoutMs } = this.#options;
    const { url, headers } = readTarget(this.#options);
    const http = this.#makeFetch(url);
    this.#http = http;
    const inner = this.#makeInner(url, headers, http);
    this.#inner = inner;
    inner.onerror = (error) => this.onerror?.(error);
    await this.#within(inner.start(), connectTimeoutMs);
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#inner === undefined || this.#ending !== undefined) {
      return Promise.reject(new Error(this.#ending?.reason ?? 'The MCP server is not connected'));
    }
    return this.#inner instanceof StreamableHTTPClientTransport
      ? this.#inner.send(message, options)
      : this.#inner.send(message);
  }

  setProtocolVersion(version: string): void {
    this.#inner?.setProtocolVersion(version);
  }

  /** Ends the session and every connection, at most about 2 s. A second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const lost = this.#ending !== undefined;
    this.#end({ reason: `The connection with MCP server "${this.#options.server}" was closed`, closedByUs: true });
    this.#abortStart?.(new Error('The connection was closed while it was being opened'));
    const inner = this.#inner;
    const mayTerminate = !lost && this.#options.terminateOnClose !== false;
    if (mayTerminate && inner instanceof StreamableHTTPClientTransport) await terminate(inner);
    await inner?.close();
    await this.#http?.close();
  }

  get #firstReconnectMs(): number {
    return this.#options.firstReconnectMs ?? FIRST_RECONNECT_MS;
  }

  #makeFetch(url: URL): HttpFetch {
    const { kind, network, connectTimeoutMs, authorizer, streamIdleMs = STREAM_IDLE_MS } = this.#options;
    return new HttpFetch({
      kind,
      network,
      connectTimeoutMs,
      authorizer,
      streamIdleMs,
      origin: url.origin,
      deliver: (frame) => {
        this.#deliver(frame);
      },
      onSessionLost: () => {
        this.#lose('the server does not know the session any more', { sessionLost: true });
      },
      onLoginLost: () => {
        this.#lose('its login has expired or was revoked; log in again', { refused: 'auth-failed' });
      },
      onStream: (problem) => {
        this.onhealth?.('stream', problem === undefined ? undefined : `its notifications do not arrive: ${problem}`);
      },
      onStreamLost: (reason) => {
        this.#lose(`the stream from the server is lost: ${reason}`);
      },
      onStreamIdle: () => void this.#ping().catch(() => undefined),
      onReached: (problem) => {
        this.#probe.note(problem);
      },
    });
  }

  #deliver(frame: Frame): void {
    if (this.#ending !== undefined) return;
    if ('id' in frame && typeof frame.id === 'string' && frame.id.startsWith(PING_ID)) this.#pong?.(frame.id);
    else this.onmessage?.(frame);
  }

  /** Asks the server for a sign of life. An error is one too: not every server knows `ping`. */
  async #ping(): Promise<void> {
    this.#pings += 1;
    const id = `${PING_ID}${this.#pings}`;
    const { connectTimeoutMs, minPingMs = MIN_PING_MS } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<boolean>((resolve) => {
      this.#pong = (answeredId) => {
        if (answeredId === id) resolve(true);
      };
      timer = setTimeout(resolve, Math.max(connectTimeoutMs, minPingMs), false);
    });
    try {
      await this.send({ jsonrpc: '2.0', id, method: 'ping' });
      if (await answered) return;
      const params = { requestId: id, reason: 'timeout' };
      await this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      if (this.#options.kind === 'sse') this.#lose('the stream from the server is silent, and a ping is not answered');
      else this.#probe.note('a ping is not answered');
    } finally {
      clearTimeout(timer);
    }
  }

  #makeInner(url: URL, headers: Headers, http: HttpFetch): StreamableHTTPClientTransport | SSEClientTransport {
    const requestInit = { headers };
    if (this.#options.kind === 'sse') return new SSEClientTransport(url, { fetch: http.fetch, requestInit });
    return new StreamableHTTPClientTransport(url, {
      fetch: http.fetch,
      requestInit,
      reconnectionOptions: {
        initialReconnectionDelay: this.#firstReconnectMs,
        maxReconnectionDelay: MAX_RECONNECT_MS,
        reconnectionDelayGrowFactor: 2,
        maxRetries: MAX_STREAM_FAILURES,
      },
      reconnectionScheduler: (reconnect, delay) => this.#scheduleReconnect(reconnect, delay),
    });
  }

  /** Streams that end soon after they opened are opened again ever more slowly, however politely they end. */
  #scheduleReconnect(reconnect: () => void, delay: number): () => void {
    const short = Date.now() - this.#streamOpenedAt < STABLE_STREAM_MS;
    this.#shortStreams = short ? this.#shortStreams + 1 : 0;
    const wait = Math.min(Math.max(delay, this.#firstReconnectMs * 2 ** (this.#shortStreams - 1)), MAX_RECONNECT_MS);
    if (this.#shortStreams > 1) this.onhealth?.('stream', `its notifications may be late: ${SHORT_STREAMS}`);
    const timer = setTimeout(() => {
      this.#streamOpenedAt = Date.now();
      reconnect();
    }, wait);
    return () => {
      clearTimeout(timer);
    };
  }

  async #within(starting: Promise<void>, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const stopped = new Promise<never>((_, reject) => {
      this.#abortStart = reject;
      timer = setTimeout(() => {
        reject(new ServerStartError('timeout', `The server did not open its event stream within ${ms} ms`));
      }, ms);
    });
    try {
      await Promise.race([starting, stopped]);
    } finally {
      clearTimeout(timer);
      this.#abortStart = undefined;
      // When the race is lost, nobody else listens any more.
      starting.catch(() => undefined);
    }
  }

  #lose(why: string, details: Pick<ConnectionEnding, 'sessionLost' | 'refused'> = {}): void {
    if (this.#ending !== undefined) return;
    this.#abortStart?.(new Error(why));
    this.#end({ reason: `The connection with MCP server "${this.#options.server}" ended: ${why}`, ...details });
    this.close().catch(() => undefined);
  }

  #end(ending: ConnectionEnding): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#probe.close();
    this.#pong = undefined;
    this.onclose?.();
  }
}

/** Ends the session at the server; one that does not answer or does not want to is left alone. */
async function terminate(inner: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, TERMINATE_MS);
  });
  await Promise.race([inner.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}
