import type { FetchLike } from '@modelcontextprotocol/client';
import { Headers, Response } from 'undici';
import { connectionProblem, type HttpWaysOptions } from '../../client/index.js';
import type { Authorizer } from './authorizer.js';
import { readFrames, type Frame, type FrameId } from './frames.js';
import { readBody, readEventStream } from './http-body.js';
import { mediaType, readReply } from './http-replies.js';
import {
  answerIn,
  emptyReply,
  forSdk,
  isRedirect,
  ownController,
  readOutgoing,
  resumeRequest,
  type HttpRequest,
  type OwnController,
} from './http-requests.js';
import { HttpSender } from './http-sender.js';
import { IdleWatch } from './idle-watch.js';
import { HttpStatusError, type AuthChallenge } from './mcp-errors.js';

/** After so many failed attempts in a row to open it again, the server's own stream counts as dead. */
export const MAX_STREAM_FAILURES = 3;
const ERROR_BODY_LIMIT = 65_536;

/** What {@link HttpFetch} tells its owner. */
export interface HttpFetchOptions extends HttpWaysOptions {
  readonly kind: 'streamable' | 'sse';
  /** Where the server is; a login goes nowhere else. */
  readonly origin: string;
  /** Gives the login, where the server may want one. */
  readonly authorizer?: Authorizer | undefined;
  /** How long the server's own stream may be silent, in ms. */
  readonly streamIdleMs: number;
  /** A message from the server. */
  deliver(frame: Frame): void;
  /** The server does not know the session any more. */
  onSessionLost(): void;
  /** The server refused our login, and there is no other one. */
  onLoginLost(): void;
  /** The server's own stream is open, or could not be opened again, with why. */
  onStream(problem: string | undefined): void;
  /** The server's own stream is gone for good. */
  onStreamLost(reason: string): void;
  /** Nothing came on the older transport's stream for a while: it may be dead. */
  onStreamIdle(): void;
  /** The server could not be reached, with why; `undefined`: it could. */
  onReached(problem: string | undefined): void;
}

/**
 * The `fetch` of the SDK's HTTP transports. The transports make the requests; the answers are read here, because the
 * SDK waits for ever when an answer ends early or never comes, drops frames that are a little odd, cuts streams after
 * 300 s, and leaves the HTTP request of a cancelled call open.
 */
export class HttpFetch {
  readonly #options: HttpFetchOptions;
  readonly #sender: HttpSender;
  readonly #inFlight = new Map<FrameId, AbortController>();
  #streamOpened = false;
  #streamFailures = 0;

  constructor(options: HttpFetchOptions) {
    this.#options = options;
    this.#sender = new HttpSender(options);
  }

  /** What the server last said when it refused the credentials. */
  get challenge(): AuthChallenge | undefined {
    return this.#sender.challenge;
  }

  /** The function to hand to the SDK's transport. */
  readonly fetch: FetchLike = async (url, init) => {
    const method = init?.method ?? 'GET';
    const request = { url, init };
    if (method === 'POST') return forSdk(await this.#post(request));
    if (method === 'GET') return forSdk(await this.#get(request));
    return forSdk(await this.#sender.send(request, undefined));
  };

  /** Ends every connection. */
  async close(): Promise<void> {
    for (const controller of this.#inFlight.values()) controller.abort();
    this.#inFlight.clear();
    await this.#sender.close();
  }

  async #post(request: HttpRequest): Promise<Response> {
    const { requestId, cancels } = readOutgoing(request.init?.body);
    if (cancels !== undefined) this.#inFlight.get(cancels)?.abort();
    const own = ownController(request.init?.signal);
    if (requestId !== undefined) this.#inFlight.set(requestId, own.controller);
    const finish = (): void => {
      own.unlink();
      if (requestId !== undefined && this.#inFlight.get(requestId) === own.controller) this.#inFlight.delete(requestId);
    };
    let reading: Promise<void> | undefined;
    try {
      const response = await this.#sender.send(request, own.controller.signal);
      if (isRedirect(response)) return response;
      if (!response.ok) await this.#refused(request, response, requestId);
      else if (requestId === undefined || this.#options.kind === 'sse') return response;
      else reading = this.#read(request, response, { id: requestId, signal: own.controller.signal });
      return emptyReply(response);
    } finally {
      if (reading === undefined) finish();
      else void reading.finally(finish);
    }
  }

  async #read(request: HttpRequest, response: Response, call: { id: FrameId; signal: AbortSignal }): Promise<void> {
    // After the transport has taken the session id from the headers: the answer to `initialize` makes use of it.
    await new Promise((resolve) => setImmediate(resolve));
    await readReply(response, {
      ...call,
      deliver: (frame) => {
        this.#options.deliver(frame);
      },
      resume: (lastEventId) => this.#sender.send(resumeRequest(request, lastEventId), call.signal),
    });
  }

  /** Throws what a refusal means, unless its body holds the JSON-RPC error for the request: then delivers that. */
  async #refused(request: HttpRequest, response: Response, requestId: FrameId | undefined): Promise<void> {
    const { status } = response;
    const body = await readBody(response, ERROR_BODY_LIMIT).catch(() => '');
    if (this.#isSessionLost(request, status, body)) {
      // After this call has failed in its own way: it was surely not executed, which the others cannot say.
      setImmediate(() => {
        this.#options.onSessionLost();
      });
      throw new HttpStatusError(status, { sessionLost: true });
    }
    const answer = status === 401 || status === 403 ? undefined : answerIn(body, requestId);
    if (answer === undefined) throw this.#statusError(status);
    setImmediate(() => {
      this.#options.deliver(answer);
    });
  }

  #isSessionLost(request: HttpRequest, status: number, body: string): boolean {
    if (this.#options.kind === 'sse') return status === 404;
    const hasSession = new Headers(request.init?.headers).has('mcp-session-id');
    // Some servers answer 400 instead of the 404 that the specification asks for.
    return hasSession && (status === 404 || (status === 400 && /session/i.test(body)));
  }

  #statusError(status: number): HttpStatusError {
    const { challenge, loginRefused } = this.#sender;
    if (status !== 401 || !loginRefused) return new HttpStatusError(status, { challenge });
    // After this request has failed in its own way.
    setImmediate(() => {
      this.#options.onLoginLost();
    });
    return new HttpStatusError(status, { challenge, loginRefused });
  }

  async #get(request: HttpRequest): Promise<Response> {
    const { controller, unlink } = ownController(request.init?.signal);
    let response: Response;
    try {
      response = await this.#sender.send(request, controller.signal);
    } catch (error) {
      unlink();
      this.#streamFailed(connectionProblem(error));
      throw error;
    }
    if (!response.ok || mediaType(response) !== 'text/event-stream') {
      unlink();
      this.#streamRefused(request, response);
      return response;
    }
    this.#streamOpened = true;
    this.#streamFailures = 0;
    this.#options.onStream(undefined);
    const body = this.#filterStream(response, { controller, unlink });
    return new Response(body, { status: response.status, headers: response.headers });
  }

  #streamRefused(request: HttpRequest, response: Response): void {
    if (response.status === 401 && this.#sender.loginRefused) this.#options.onLoginLost();
    // 405 says that there is no such stream, which is allowed.
    if (response.ok || response.status === 405) return;
    if (this.#streamOpened && this.#isSessionLost(request, response.status, '')) this.#options.onSessionLost();
    else this.#streamFailed(`HTTP ${response.status}`);
  }

  #streamFailed(reason: string): void {
    if (!this.#streamOpened) return;
    this.#streamFailures += 1;
    this.#options.onStream(reason);
    if (this.#streamFailures >= MAX_STREAM_FAILURES) this.#options.onStreamLost(reason);
  }

  /** Takes the messages out of the server's own stream and leaves what the SDK's transport needs: ids and endpoint. */
  #filterStream(response: Response, own: OwnController): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      start: (sink) => {
        const leave = (text: string): void => {
          if (!own.controller.signal.aborted) sink.enqueue(encoder.encode(text));
        };
        const end = (): void => {
          idle.close();
          if (own.controller.signal.aborted) return;
          own.controller.abort();
          sink.close();
        };
        const idle = new IdleWatch(this.#options.streamIdleMs, () => {
          // The older transport has this one stream only; the newer one opens another, from where this one was.
          if (this.#options.kind === 'sse') this.#options.onStreamIdle();
          else end();
        });
        const reading = readEventStream(response, {
          onChunk: () => {
            idle.touch();
          },
          onEvent: ({ event, data }) => {
            if (event === 'message') this.#takeEvent(data);
            else leave(`event: ${event}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`);
          },
          onId: (id) => {
            leave(`id: ${id}\ndata:\n\n`);
          },
          onRetry: (ms) => {
            leave(`retry: ${ms}\n\n`);
          },
        });
        void this.#whenStreamEnds(reading, own).then(end);
      },
      cancel: () => {
        own.controller.abort();
      },
    });
  }

  async #whenStreamEnds(reading: Promise<void>, own: OwnController): Promise<void> {
    const reason = await reading.then(() => 'it was closed', connectionProblem);
    own.unlink();
    // The older transport would open a new session by itself and never initialise it.
    if (!own.controller.signal.aborted && this.#options.kind === 'sse') this.#options.onStreamLost(reason);
  }

  #takeEvent(data: string): void {
    let value: unknown;
    try {
      value = JSON.parse(data);
    } catch {
      return;
    }
    for (const frame of readFrames(value)) this.#options.deliver(frame);
  }
}
