import type { AuthChallenge } from './mcp-errors.js';

/** Gives the `Authorization` header of requests to one HTTP server. One serves every transport of the server. */
export interface Authorizer {
  /** The header to send; `undefined` while there is no login. May renew what is known to have expired. */
  header(): Promise<string | undefined>;
  /**
   * The server answered 401.
   *
   * @param refused - the header that it refused; `undefined` when none was sent.
   * @returns another one to try; `undefined` when there is none.
   * @throws HttpConnectionError when there may be one, but it cannot be fetched now.
   */
  renew(refused: string | undefined): Promise<string | undefined>;
  /** What the server says it wants, for the next login. */
  note(challenge: AuthChallenge): void;
}
