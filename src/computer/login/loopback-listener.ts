import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LoginError } from './login-error.js';

const HOST = '127.0.0.1';
const PATH = '/callback';

/** What the authorization server sent the browser back with. */
export interface AuthorizationResponse {
  readonly code: string;
  /** The authorization server that it comes from, where it says so. */
  readonly issuer: string | undefined;
}

/** Receives the redirect at the end of a login, on this machine only. RFC 8252 §7.3. */
export class LoopbackListener implements AsyncDisposable {
  readonly redirectUri: string;
  /** Settled by the one redirect that belongs to the login. */
  readonly response: Promise<AuthorizationResponse>;

  readonly #server: Server;
  readonly #state: string;
  readonly #port: number;
  #settle: { resolve(response: AuthorizationResponse): void; reject(error: Error): void } | undefined;

  private constructor(server: Server, state: string) {
    this.#server = server;
    this.#state = state;
    this.#port = (server.address() as AddressInfo).port;
    this.redirectUri = `http://${HOST}:${this.#port}${PATH}`;
    this.response = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Whoever gave up does not listen any more.
    this.response.catch(() => undefined);
    server.on('request', (request, response) => {
      this.#receive(request, response);
    });
  }

  /**
   * @param state - what the redirect must bring back.
   * @param port - 0 for any free one.
   * @throws Error with a `code`, such as EADDRINUSE.
   */
  static async open(state: string, port: number): Promise<LoopbackListener> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, HOST, resolve);
    });
    return new LoopbackListener(server, state);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    // The browser may keep its connection open; the page has been written by then.
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => {
      this.#server.closeAllConnections();
    }, 1_000);
    await closed;
    clearTimeout(timer);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const url = this.#redirectOf(request);
    if (url === undefined) {
      page(response, 404, 'Nothing here', 'This address only receives the end of a login.');
      return;
    }
    // Whoever does not know the state did not come from our authorization request, and must not end it either.
    if (!isSame(url.searchParams.get('state') ?? '', this.#state)) {
      page(response, 400, 'Not this login', 'This page does not belong to the login that is under way.');
      return;
    }
    this.#end(url, response);
  }

  #redirectOf(request: IncomingMessage): URL | undefined {
    // Another host name that leads here is another site's page that wants in.
    if (request.method !== 'GET' || request.headers.host !== `${HOST}:${this.#port}`) return undefined;
    const target = request.url ?? '/';
    const url = URL.canParse(target, this.redirectUri) ? new URL(target, this.redirectUri) : undefined;
    return url?.pathname === PATH ? url : undefined;
  }

  #end(url: URL, response: ServerResponse): void {
    const code = url.searchParams.get('code');
    if (code === null || code === '') {
      page(response, 400, 'Not logged in', 'The login was refused. You can close this page.');
      this.#settle?.reject(new LoginError('denied', `The login was refused${reasonIn(url)}`));
      return;
    }
    page(response, 200, 'Logged in', 'You can close this page and go back to the Computer.');
    this.#settle?.resolve({ code, issuer: url.searchParams.get('iss') ?? undefined });
  }
}

/** The error code of the standard, which is no secret; its description may hold anything. */
function reasonIn(url: URL): string {
  const error = url.searchParams.get('error') ?? '';
  return /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : '';
}

function isSame(one: string, two: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(two)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function page(response: ServerResponse, status: number, title: string, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // The address holds the code: it must not reach another site.
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    connection: 'close',
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>` +
      `<body style="font:16px system-ui;margin:20vh auto;max-width:30em"><h1>${title}</h1><p>${text}</p></body></html>`,
  );
}
