/** The tokens of a login. */
export interface LoginTokens {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** When the access token ends, in ms since 1970; absent when the server did not say. */
  readonly expiresAt?: number | undefined;
  /** What was granted, as the authorization server wrote it. */
  readonly scope?: string | undefined;
}

/** This Computer as the authorization server knows it. */
export interface LoginClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** How it proves itself at the token endpoint, when it was registered for one way. */
  readonly authMethod?: string | undefined;
  /** Where it was registered to be redirected to. */
  readonly redirectUri: string;
}

/** What is kept of a login at one MCP server. All of it is for this Computer only: it never goes over the wire. */
export interface StoredLogin {
  /** The MCP server. */
  readonly serverUrl: string;
  /** The authorization server that gave the tokens; they go to no other one. */
  readonly issuer: string;
  /** Where that one is. */
  readonly authorizationServer: string;
  /** What the tokens are for, in the words of the MCP server. RFC 8707. */
  readonly resource?: string | undefined;
  readonly client: LoginClient;
  /** Absent when the login has ended; the client can be used again. */
  readonly tokens?: LoginTokens | undefined;
}

/** Takes back what `watch` began. */
export type StopWatching = () => void;

/** Where logins are kept. Give your own to keep them in a keychain. */
export interface TokenStore {
  /** @returns what is kept under a key; `undefined` when there is nothing, or nothing that can be read. */
  load(key: string): Promise<StoredLogin | undefined>;
  /**
   * Changes what is kept under a key, alone: whoever else wants to change it waits, in other processes too. A refresh
   * token can be used only once.
   *
   * @param change - gets what is kept now, gives what is to be kept; `undefined` removes it. What it throws is thrown.
   */
  update(
    key: string,
    change: (current: StoredLogin | undefined) => Promise<StoredLogin | undefined>,
  ): Promise<StoredLogin | undefined>;
  /** Tells when somebody else has changed something. Absent: nobody else does. */
  watch?(onChanged: () => void): StopWatching;
}

/** Keeps logins as long as it lives itself. */
export class MemoryTokenStore implements TokenStore {
  readonly #logins = new Map<string, StoredLogin>();
  readonly #busy = new Map<string, Promise<unknown>>();

  load(key: string): Promise<StoredLogin | undefined> {
    return Promise.resolve(this.#logins.get(key));
  }

  update(
    key: string,
    change: (current: StoredLogin | undefined) => Promise<StoredLogin | undefined>,
  ): Promise<StoredLogin | undefined> {
    const before = this.#busy.get(key) ?? Promise.resolve();
    const changing = before.then(async () => {
      const login = await change(this.#logins.get(key));
      if (login === undefined) this.#logins.delete(key);
      else this.#logins.set(key, login);
      return login;
    });
    this.#busy.set(
      key,
      changing.catch(() => undefined),
    );
    return changing;
  }
}
