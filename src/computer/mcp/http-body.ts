import type { Response } from 'undici';
import { SseParser, type SseHandlers } from './sse-parser.js';

/** The largest body, or event of a stream, that is taken, in bytes. */
const MAX_HTTP_MESSAGE = 32 * 1024 * 1024;

/** A body or an event is larger than {@link MAX_HTTP_MESSAGE}. */
class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';

  constructor() {
    super(`The answer is larger than the limit of ${MAX_HTTP_MESSAGE} bytes`);
  }
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) yield chunk;
}

/**
 * The whole body as text.
 *
 * @throws BodyTooLargeError, and what the connection throws when it breaks.
 */
export async function readBody(response: Response, limit = MAX_HTTP_MESSAGE): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response)) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLargeError();
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

/**
 * Reads an event stream to its end.
 *
 * @throws BodyTooLargeError for an event that is too large, and what the connection throws when it breaks.
 */
export async function readEventStream(
  response: Response,
  handlers: SseHandlers & {
    /** Something came, be it a comment that keeps the connection alive. */
    onChunk?(): void;
  },
): Promise<void> {
  const parser = new SseParser(handlers);
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(response)) {
    handlers.onChunk?.();
    parser.push(decoder.decode(chunk, { stream: true }));
    if (parser.pending > MAX_HTTP_MESSAGE) throw new BodyTooLargeError();
  }
}
