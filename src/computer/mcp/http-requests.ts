import { setMaxListeners } from 'node:events';
import { Headers, Response, type RequestInit } from 'undici';
import { isJsonObject } from '../../protocol/index.js';
import { readFrames, type Frame, type FrameId } from './frames.js';

/** One HTTP request of the SDK's transport. */
export interface HttpRequest {
  readonly url: string | URL;
  readonly init: RequestInit | undefined;
}

/** What a POSTed message is about. */
export interface Outgoing {
  /** Id of the request in the body, if it is one. */
  readonly requestId?: FrameId;
  /** Id of the request that the body cancels. */
  readonly cancels?: FrameId;
}

/** A controller for one request, and how to let it go. */
export interface OwnController {
  readonly controller: AbortController;
  /** Forgets the signal that the controller follows. */
  readonly unlink: () => void;
}

/** A controller for one request: undici keeps listeners on a shared signal until the garbage collector comes. */
export function ownController(signal: RequestInit['signal']): OwnController {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  if (signal?.aborted === true) abort();
  if (signal != null) {
    // One for each request under way: many at a time are no leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
  }
  return {
    controller,
    unlink: () => signal?.removeEventListener('abort', abort),
  };
}

/** Reads what the transport is about to send. */
export function readOutgoing(body: unknown): Outgoing {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return {};
  if (message['id'] !== undefined) return { requestId: message['id'] as FrameId };
  if (message['method'] !== 'notifications/cancelled' || !isJsonObject(message['params'])) return {};
  return { cancels: message['params']['requestId'] as FrameId };
}

/** The JSON-RPC error for a request within the body of a refusal. */
export function answerIn(body: string, requestId: FrameId | undefined): Frame | undefined {
  if (requestId === undefined) return undefined;
  try {
    const frames = readFrames(JSON.parse(body));
    return frames.find((frame) => 'error' in frame && String(frame.id) === String(requestId));
  } catch {
    return undefined;
  }
}

/** What the SDK's transport gets in the place of an answer that is read here. */
export function emptyReply(response: Response): Response {
  const headers = new Headers();
  const session = response.headers.get('mcp-session-id');
  if (session !== null) headers.set('mcp-session-id', session);
  return new Response(null, { status: 202, headers: [...headers] });
}

/** The request that goes on with the answer to another one. */
export function resumeRequest(request: HttpRequest, lastEventId: string): HttpRequest {
  const headers = new Headers(request.init?.headers);
  headers.delete('content-type');
  headers.set('accept', 'text/event-stream');
  headers.set('last-event-id', lastEventId);
  return { url: request.url, init: { method: 'GET', headers: [...headers] } };
}

/** The transport itself follows redirects within the origin and reports the others. */
export function isRedirect(response: Response): boolean {
  return response.status >= 300 && response.status < 400;
}

/** The SDK reads status, headers, text() and body, which both Response classes have alike. */
export function forSdk(response: unknown): globalThis.Response {
  return response as globalThis.Response;
}
