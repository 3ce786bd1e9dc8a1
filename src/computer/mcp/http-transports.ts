import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Logger } from '../../protocol/index.js';
import { HttpFetch, MAX_STREAM_FAILURES } from './http-fetch.js';
import { ServerStartError, type AuthChallenge, type ConnectionEnding } from './mcp-errors.js';
import type { UpstreamTransport } from './upstream-transport.js';

const TERMINATE_MS = 2_000;
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
  /** Limit for reaching the server, and for the `endpoint` event of an SSE server, in ms. */
  readonly connectTimeoutMs: number;
  /** The wait before the server's own stream is opened again, in ms; doubled each time. @default 1000 */
  readonly firstReconnectMs?: number;
  /** Tell a streamable server that the session ends. @default true */
  readonly terminateOnClose?: boolean;
  readonly logger: Logger;
}

/** Address and headers, checked; userinfo of the URL becomes a header, because `fetch` refuses it. */
function readTarget(options: HttpTransportOptions): { url: URL; headers: Headers } {
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ServerStartError('bad-config', 'url is no http or https URL (url)');
  }
  const headers = new Headers();
  if (url.username !== '' || url.password !== '') {
    const userinfo = `${decoded(url.username)}:${decoded(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(userinfo).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    try {
      headers.set(name, value);
    } catch {
      // The platform's error quotes the value, which may be a secret.
      throw new ServerStartError('bad-config', `Not a valid HTTP header: ${JSON.stringify(name)} (headers)`);
    }
  }
  return { url, headers };
}

/** A password may hold a bare `%`, which `URL` lets stand: then it is meant as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Talks with an MCP server over streamable HTTP or the older HTTP + SSE, through the SDK's transports and our
 * {@link HttpFetch}. Ends when the session is lost or the server's own stream is gone for good.
 */
export class HttpTransport implements UpstreamTransport {
  onclose: UpstreamTransport['onclose'];
  onerror: UpstreamTransport['onerror'];
  onmessage: UpstreamTransport['onmessage'];

  readonly #options: HttpTransportOptions;
  #http: HttpFetch | undefined;
  #inner: StreamableHTTPClientTransport | SSEClientTransport | undefined;
  #abortStart: ((error: Error) => void) | undefined;
  #ending: ConnectionEnding | undefined;
  #closing: Promise<void> | undefined;
  #streamOpenedAt = 0;
  #shortStreams = 0;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
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
    const { kind, connectTimeoutMs } = this.#options;
    const { url, headers } = readTarget(this.#options);
    const http = new HttpFetch({
      kind,
      connectTimeoutMs,
      deliver: (frame) => {
        if (this.#ending === undefined) this.onmessage?.(frame);
      },
      onSessionLost: () => {
        this.#lose('the server does not know the session any more', true);
      },
      onStreamLost: (reason) => {
        this.#lose(`the stream from the server is lost: ${reason}`, false);
      },
    });
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

  #lose(why: string, sessionLost: boolean): void {
    if (this.#ending !== undefined) return;
    this.#abortStart?.(new Error(why));
    this.#end({ reason: `The connection with MCP server "${this.#options.server}" ended: ${why}`, sessionLost });
    this.close().catch(() => undefined);
  }

  #end(ending: ConnectionEnding): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
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
