import { type JSONRPCMessage } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { type Frame } from './frames.js';
import { CallCancelledError, CallTimeoutError, UpstreamError, type ConnectionEnding } from './mcp-errors.js';

/**
 * Our ids start here, far above those that the SDK gives to its own requests on the same connection, and stay within
 * 31 bits for servers that read ids into small integers.
 */
const FIRST_ID = 2 ** 30;
const LAST_ID = 2 ** 31 - 1;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What a server reported about a running call. */
export interface CallProgress {
  readonly progress?: unknown;
  readonly total?: unknown;
  readonly message?: unknown;
}

/** How to make one request. */
export interface RequestOptions {
  /** Total time, in ms; progress does not renew it. @default 60000 */
  readonly timeoutMs?: number;
  /** Ends the request: it is cancelled upstream. */
  readonly signal?: AbortSignal;
  /** Gets progress until the answer comes; asks the server for it. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** The time that requests get when their caller gives none, in ms. */
export const DEFAULT_REQUEST_MS = 60_000;

interface Pending {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | undefined;
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
}

/** What {@link UpstreamRequests} needs of its connection. */
export interface RequestChannel {
  /** Name of the MCP server, for errors. */
  readonly server: string;
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  /** What a failure to send means. */
  readonly sendError: (error: unknown) => Error;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Gets what an `onProgress` callback threw. */
  readonly onListenerError: (error: unknown) => void;
}

/**
 * The requests that we make on one connection, with ids, timers and progress of our own. Timeout and cancel are told
 * apart because it is us who end the request; both tell the server, with the id that it knows.
 */
export class UpstreamRequests {
  readonly #channel: RequestChannel;
  readonly #pending = new Map<number, Pending>();
  #nextId = FIRST_ID;
  #ending: ConnectionEnding | undefined;

  constructor(channel: RequestChannel) {
    this.#channel = channel;
  }

  /**
   * Sends a request and waits for its result, which is the very object that the server sent.
   *
   * @throws UpstreamError when the server answers with an error or the connection ends, CallTimeoutError,
   * CallCancelledError, and what `sendError` makes of a failure to send.
   */
  request(method: string, params: JsonObject | undefined, options: RequestOptions = {}): Promise<JsonObject> {
    const { timeoutMs = DEFAULT_REQUEST_MS, signal, onProgress } = options;
    const { server } = this.#channel;
    if (signal?.aborted === true) return Promise.reject(new CallCancelledError(server));
    if (this.#ending !== undefined) return Promise.reject(this.#endedError(this.#ending, true));
    return new Promise((resolve, reject) => {
      const id = this.#takeId();
      const limit = Math.min(Math.max(Math.ceil(timeoutMs), 1), MAX_TIMER_MS);
      const timer = setTimeout(() => {
        this.#giveUp(id, new CallTimeoutError(server, limit));
      }, limit);
      const onAbort =
        signal &&
        (() => {
          this.#giveUp(id, new CallCancelledError(server));
        });
      signal?.addEventListener('abort', onAbort as () => void);
      this.#pending.set(id, { resolve, reject, timer, signal, onAbort, onProgress });
      const full = onProgress === undefined ? params : withProgressToken(params, id);
      this.#channel.send({ jsonrpc: '2.0', id, method, params: full }).catch((error: unknown) => {
        this.#take(id)?.reject(this.#channel.sendError(error));
      });
    });
  }

  /** Takes an answer or a progress notification that belongs to our requests. @returns whether it did. */
  accept(frame: Frame): boolean {
    if ('method' in frame) return frame.method === 'notifications/progress' && this.#progress(frame.params);
    const id = Number(frame.id);
    if (!(id >= FIRST_ID)) return false;
    // An answer that comes after the timeout is nobody's.
    const pending = this.#take(id);
    if (pending === undefined) return true;
    if ('result' in frame) {
      pending.resolve(frame.result);
    } else {
      const { code, message, data } = frame.error;
      pending.reject(new UpstreamError(this.#channel.server, this.#channel.redact(message), { code, data }));
    }
    return true;
  }

  /** Fails everything that waits, and everything that comes later. */
  end(ending: ConnectionEnding): void {
    this.#ending ??= ending;
    for (const id of [...this.#pending.keys()]) this.#take(id)?.reject(this.#endedError(ending, false));
  }

  #endedError(ending: ConnectionEnding, notExecuted: boolean): UpstreamError {
    return new UpstreamError(this.#channel.server, ending.reason, { ending, notExecuted });
  }

  #takeId(): number {
    const id = this.#nextId;
    this.#nextId = id === LAST_ID ? FIRST_ID : id + 1;
    return id;
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (pending.onAbort !== undefined) pending.signal?.removeEventListener('abort', pending.onAbort);
    return pending;
  }

  #giveUp(id: number, error: CallTimeoutError | CallCancelledError): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    const reason = error instanceof CallTimeoutError ? 'timeout' : 'cancelled by the caller';
    const params = { requestId: id, reason };
    this.#channel.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
    pending.reject(error);
  }

  #progress(params: JsonObject | undefined): boolean {
    if (params === undefined) return true;
    const { progressToken, ...progress } = params;
    try {
      this.#pending.get(Number(progressToken))?.onProgress?.(progress);
    } catch (error) {
      this.#channel.onListenerError(error);
    }
    return true;
  }
}

function withProgressToken(params: JsonObject | undefined, token: number): JsonObject {
  const meta = params?.['_meta'];
  return { ...params, _meta: { ...(isJsonObject(meta) ? meta : undefined), progressToken: token } };
}
