import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { corsHeaders, type CorsOrigins } from './cors.js';
import { answerDocument } from './document-answer.js';
import type { DocumentStore } from './document-store.js';
import type { SignedUrls } from './signed-urls.js';

const REFUSALS = {
  unknown: [404, 'There is no document here'],
  expired: [410, 'The address has expired: ask for the document again'],
  method: [405, 'Documents can only be read'],
  gone: [410, 'The document is not kept any more: ask for it again'],
} as const;

/** What a {@link DocumentServer} works with. */
export interface DocumentServerOptions {
  readonly store: DocumentStore;
  readonly urls: SignedUrls;
  readonly corsOrigins: CorsOrigins;
  readonly maxConnections: number;
  readonly minBytesPerSecond: number;
  /**
   * How long a request may take to come, and a connection keep silent, in ms.
   *
   * @default 10000
   */
  readonly patienceMs?: number;
  readonly now: () => number;
}

const PATIENCE_MS = 10_000;
/** How long those that are reading are waited for at the end, in ms. */
const CLOSE_MS = 1_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Serves the documents of a store under signed URLs, and nothing else. The document goes out as it is read: no more of it
 * is in memory than what the connection takes.
 */
export class DocumentServer {
  readonly #options: Required<DocumentServerOptions>;
  readonly #server: Server;
  /** The answers under way. */
  readonly #answers = new Set<Promise<void>>();
  #closed: Promise<void> | undefined;

  private constructor(options: DocumentServerOptions) {
    const { patienceMs = PATIENCE_MS } = options;
    this.#options = { ...options, patienceMs };
    this.#server = createServer({
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      keepAliveTimeout: patienceMs / 2,
      connectionsCheckingInterval: patienceMs / 4,
    });
    this.#server.maxConnections = options.maxConnections;
    this.#server.on('request', (request, response) => {
      const answer = this.#answer(request, response).finally(() => this.#answers.delete(answer));
      this.#answers.add(answer);
    });
  }

  /**
   * @param place - `port` 0 is any free one.
   * @throws Error with a `code`, such as EADDRINUSE.
   */
  static async listen(
    options: DocumentServerOptions,
    { host, port }: { readonly host: string; readonly port: number },
  ): Promise<DocumentServer> {
    const server = new DocumentServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(port, host, () => {
        server.#server.off('error', reject);
        resolve();
      });
    });
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more requests, and waits a moment for those who are reading. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      this.#server.closeAllConnections();
    }, CLOSE_MS);
    await closed;
    clearTimeout(timer);
    await Promise.all(this.#answers);
  }

  /** Never rejects. */
  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      for (const [name, value] of Object.entries(corsHeaders(request, this.#options.corsOrigins))) {
        if (value !== undefined) response.setHeader(name, value);
      }
      if (this.#closed !== undefined) response.setHeader('connection', 'close');
      if (request.method === 'OPTIONS') response.writeHead(204, { allow: 'GET, HEAD' }).end();
      else if (request.method === 'GET' || request.method === 'HEAD') await this.#serve(request, response);
      else refuse(response, REFUSALS.method, { allow: 'GET, HEAD' });
    } catch {
      // The other side has gone, or the document cannot be read on: half an answer must not look like a whole one.
      response.destroy();
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { store, urls, now, minBytesPerSecond, patienceMs } = this.#options;
    const wanted = urls.check(request.url ?? '');
    if (typeof wanted === 'string') {
      refuse(response, REFUSALS[wanted]);
      return;
    }
    const file = await store.read(wanted.name);
    if (file === undefined) {
      refuse(response, REFUSALS.gone);
      return;
    }
    try {
      const maxAge = Math.floor((wanted.expiresAt - now()) / 1000);
      const { status, headers, range } = answerDocument(request, { ...wanted, size: file.size, maxAge });
      response.writeHead(status, headers);
      if (range === undefined) {
        response.end();
        return;
      }
      const length = range.end - range.start + 1;
      const stop = endAfter(response, patienceMs + (length / minBytesPerSecond) * 1000);
      try {
        await pipeline(file.handle.createReadStream({ ...range, autoClose: false }), response);
      } finally {
        stop();
      }
    } finally {
      await file.close();
    }
  }
}

/** A reader that takes its time on purpose holds a connection and a file. @returns what calls it off. */
function endAfter(response: ServerResponse, ms: number): () => void {
  const timer = setTimeout(
    () => {
      response.destroy();
    },
    Math.min(ms, LONGEST_TIMER_MS),
  );
  return () => {
    clearTimeout(timer);
  };
}

function refuse(
  response: ServerResponse,
  [status, text]: readonly [number, string],
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : `${text}\n`);
}
