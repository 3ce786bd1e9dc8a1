import { extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import * as undici from 'undici';
import type { RequestInit, Response } from 'undici';
import { connectionProblem, HttpWays, type HttpWaysOptions } from '../../client/index.js';
import type { Authorizer } from './authorizer.js';
import { forSdk, type HttpRequest } from './http-requests.js';
import { HttpConnectionError, type AuthChallenge } from './mcp-errors.js';

/** What an {@link HttpSender} works with. */
export interface HttpSenderOptions extends HttpWaysOptions {
  /** Where a login may be sent to. */
  readonly origin: string;
  /** Gives the login; absent: the configured headers are all there is. */
  readonly authorizer?: Authorizer | undefined;
  /** The server could not be reached, with why; `undefined`: it could. */
  onReached(problem: string | undefined): void;
}

/** Sends the requests to one HTTP server, without a time limit on answers, with the login where there is one. */
export class HttpSender {
  readonly #options: HttpSenderOptions;
  readonly #ways: HttpWays;
  #challenge: AuthChallenge | undefined;
  #loginRefused = false;

  constructor(options: HttpSenderOptions) {
    this.#options = options;
    this.#ways = new HttpWays(undici, options);
  }

  /** What the server last said when it refused the credentials. */
  get challenge(): AuthChallenge | undefined {
    return this.#challenge;
  }

  /** The server refused the login that it was sent, and there is no other one. */
  get loginRefused(): boolean {
    return this.#loginRefused;
  }

  /**
   * Sends a request; one that is refused with 401 is sent once more when there is another login for it: it was surely
   * not executed.
   *
   * @throws HttpConnectionError when no answer comes about; what `fetch` throws for an aborted signal.
   */
  async send(request: HttpRequest, signal: AbortSignal | undefined): Promise<Response> {
    const { authorizer } = this.#options;
    const isOurs = authorizer !== undefined && new URL(request.url).origin === this.#options.origin;
    const header = isOurs ? await authorizer.header() : undefined;
    const response = this.#noted(await this.#sendOnce(request, signal, header));
    if (response.status !== 401 || !isOurs) return response;
    const other = await authorizer.renew(header);
    if (other === undefined) {
      this.#loginRefused = header !== undefined;
      return response;
    }
    await response.body?.cancel();
    const again = this.#noted(await this.#sendOnce(request, signal, other));
    this.#loginRefused = again.status === 401;
    return again;
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await this.#ways.close();
  }

  async #sendOnce(request: HttpRequest, signal: AbortSignal | undefined, login: string | undefined): Promise<Response> {
    const { url, init } = request;
    try {
      const full: RequestInit = { ...init, ...withLogin(init, login), signal: signal ?? init?.signal };
      const response = await undici.fetch(url, { ...full, dispatcher: this.#ways.to(url) });
      this.#options.onReached(undefined);
      return response;
    } catch (error) {
      if (signal?.aborted ?? init?.signal?.aborted) throw error;
      const problem = connectionProblem(error);
      const through = this.#ways.through(url);
      this.#options.onReached(problem + through);
      throw new HttpConnectionError(problem, error, through);
    }
  }

  #noted(response: Response): Response {
    if (response.status !== 401 && response.status !== 403) return response;
    const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(forSdk(response));
    this.#challenge = { error, scope, resourceMetadataUrl: resourceMetadataUrl?.href };
    this.#options.authorizer?.note(this.#challenge);
    return response;
  }
}

function withLogin(init: RequestInit | undefined, login: string | undefined): Pick<RequestInit, 'headers'> {
  if (login === undefined) return {};
  const headers = new undici.Headers(init?.headers);
  headers.set('authorization', login);
  return { headers: [...headers] };
}
