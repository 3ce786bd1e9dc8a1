import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import type { CancelSignal } from './cancellation.js';
import type { Frame } from './frames.js';
import { CallCancelledError, CallTimeoutError, UpstreamError, type ConnectionEnding } from './mcp-errors.js';

/**
 * Our ids start here, far above those that the SDK gives to its own requests on the same connection, and stay within
 * 31 bits for servers that read ids into small integers.
 */
const FIRST_ID = 2 ** 30;
const LAST_ID = 2 ** 31 - 1;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The one kind of request of which only so many run at a time. */
const LIMITED_METHOD = 'tools/call';

/** What a server reported about a running call. */
interface CallProgress {
  readonly progress?: unknown;
  readonly total?: unknown;
  readonly message?: unknown;
}

/** How to make one request. */
export interface RequestOptions {
  /** Total time, in ms, the wait for a free place included; progress does not renew it. @default 60000 */
  readonly timeoutMs?: number;
  /** Ends the request: it is cancelled upstream. */
  readonly signal?: CancelSignal;
  /** Gets progress until the answer comes; asks the server for it. */
  readonly onProgress?: (progress: CallProgress) => void;
}

/** The time that requests get when their caller gives none, in ms. */
export const DEFAULT_REQUEST_MS = 60_000;

interface Pending {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
  readonly options: RequestOptions;
  readonly onAbort: (() => void) | undefined;
  /** Counts against the limit of parallel calls. */
  readonly limited: boolean;
  /** What waits for a free place. */
  unsent: JSONRPCMessage | undefined;
}

/** What {@link UpstreamRequests} needs of its connection. */
export interface RequestChannel {
  /** Name of the MCP server, for errors. */
  readonly server: string;
  /** How many tool calls run at a time; more wait in order. */
  readonly callsInParallel: number;
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
  readonly #queue: number[] = [];
  #running = 0;
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
    const { server } = this.#channel;
    if (options.signal?.aborted === true) return Promise.reject(new CallCancelledError(server));
    if (this.#ending !== undefined) return Promise.reject(this.#endedError(this.#ending, true));
    return new Promise((resolve, reject) => {
      const id = this.#nextId;
      this.#nextId = id === LAST_ID ? FIRST_ID : id + 1;
      const full = options.onProgress === undefined ? params : withProgressToken(params, id);
      const unsent = { jsonrpc: '2.0', id, method, params: full } as JSONRPCMessage;
      const limited = method === LIMITED_METHOD;
      const pending = { resolve, reject, options, limited, unsent, ...this.#limits(id, options) };
      this.#pending.set(id, pending);
      if (limited && this.#running >= this.#channel.callsInParallel) this.#queue.push(id);
      else this.#send(id, pending);
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
    this.#queue.length = 0;
    for (const [id, { unsent }] of [...this.#pending]) {
      this.#take(id)?.reject(this.#endedError(ending, unsent !== undefined));
    }
  }

  /** What ends a request that gets no answer. */
  #limits(id: number, { timeoutMs = DEFAULT_REQUEST_MS, signal }: RequestOptions): Pick<Pending, 'timer' | 'onAbort'> {
    const { server } = this.#channel;
    const limit = Math.min(Math.max(Math.ceil(timeoutMs), 1), MAX_TIMER_MS);
    const timer = setTimeout(() => {
      this.#giveUp(id, new CallTimeoutError(server, limit));
    }, limit);
    if (signal === undefined) return { timer, onAbort: undefined };
    const onAbort = (): void => {
      this.#giveUp(id, new CallCancelledError(server));
    };
    signal.addEventListener('abort', onAbort);
    return { timer, onAbort };
  }

  #send(id: number, pending: Pending): void {
    const message = pending.unsent;
    if (message === undefined) return;
    pending.unsent = undefined;
    if (pending.limited) this.#running += 1;
    this.#channel.send(message).catch((error: unknown) => {
      this.#take(id)?.reject(this.#channel.sendError(error));
    });
  }

  #sendNext(): void {
    for (let id = this.#queue.shift(); id !== undefined; id = this.#queue.shift()) {
      const pending = this.#pending.get(id);
      // Those that gave up while they waited are gone.
      if (pending === undefined) continue;
      this.#send(id, pending);
      return;
    }
  }

  #endedError(ending: ConnectionEnding, notExecuted: boolean): UpstreamError {
    return new UpstreamError(this.#channel.server, ending.reason, { ending, notExecuted });
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    clearTimeout(pending.timer);
    if (pending.onAbort !== undefined) pending.options.signal?.removeEventListener('abort', pending.onAbort);
    if (pending.limited && pending.unsent === undefined) {
      this.#running -= 1;
      this.#sendNext();
    }
    return pending;
  }

  #giveUp(id: number, error: CallTimeoutError | CallCancelledError): void {
    const pending = this.#take(id);
    if (pending === undefined) return;
    if (pending.unsent === undefined) {
      const reason = error instanceof CallTimeoutError ? 'timeout' : 'cancelled by the caller';
      const params = { requestId: id, reason };
      this.#channel.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
    }
    pending.reject(error);
  }

  #progress(params: JsonObject | undefined): boolean {
    if (params === undefined) return true;
    const { progressToken, ...progress } = params;
    try {
      this.#pending.get(Number(progressToken))?.options.onProgress?.(progress);
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
