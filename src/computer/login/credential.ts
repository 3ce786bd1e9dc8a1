import type { NetworkSettings } from '../../client/index.js';
import type { Logger } from '../../protocol/index.js';
import type { Authorizer } from '../mcp/authorizer.js';
import { HttpConnectionError, type AuthChallenge } from '../mcp/mcp-errors.js';
import type { Redactor } from '../redactor.js';
import { sameAuthorizationServer, type AuthorizationServer } from './authorization-server.js';
import { loginFetch } from './login-fetch.js';
import type { OAuthSettings } from './oauth-settings.js';
import { LoginEndedError, refresh } from './token-requests.js';
import type { LoginClient, LoginTokens, StoredLogin, TokenStore } from './token-store.js';

/** A token that ends so soon is renewed before it is sent, in ms. */
const EXPIRY_MARGIN_MS = 30_000;

/** What a {@link Credential} is for and works with. */
export interface CredentialOptions {
  /** The MCP server, without query and fragment. */
  readonly server: URL;
  readonly settings: OAuthSettings;
  readonly store: TokenStore;
  /** Learns every token. */
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Proxies, and authorities to trust; absent: neither. */
  readonly network?: NetworkSettings | undefined;
  /** Ends what is being asked for. */
  readonly signal: AbortSignal;
}

/**
 * The login at one MCP server, shared by everyone here who talks with that server. Renews its token, once for all who
 * wait for it, and here or in another process, whichever comes first.
 */
export class Credential implements Authorizer {
  readonly key: string;
  readonly #options: CredentialOptions;
  #challenge: AuthChallenge | undefined;
  #known: Promise<StoredLogin | undefined> | undefined;
  #renewing: Promise<string | undefined> | undefined;
  #server: AuthorizationServer | undefined;

  constructor(options: CredentialOptions) {
    this.#options = options;
    this.key = credentialKey(options.server, options.settings);
  }

  get options(): CredentialOptions {
    return this.#options;
  }

  /** What the server said when it refused us last. */
  get challenge(): AuthChallenge | undefined {
    return this.#challenge;
  }

  async header(): Promise<string | undefined> {
    const tokens = (await this.login())?.tokens;
    if (tokens === undefined) return undefined;
    const isEnding = tokens.expiresAt !== undefined && tokens.expiresAt - Date.now() < EXPIRY_MARGIN_MS;
    if (!isEnding || tokens.refreshToken === undefined) return headerOf(tokens);
    // What has ended for good is sent all the same: the server's refusal is the proof of it.
    return (await this.renew(headerOf(tokens))) ?? headerOf(tokens);
  }

  renew(refused: string | undefined): Promise<string | undefined> {
    const renewing = (this.#renewing ??= this.#renew(refused).finally(() => {
      this.#renewing = undefined;
    }));
    return renewing;
  }

  note(challenge: AuthChallenge): void {
    this.#challenge = challenge;
  }

  /** What is kept of the login. */
  login(): Promise<StoredLogin | undefined> {
    this.#known ??= this.#load();
    return this.#known;
  }

  /** Reads what is kept anew: somebody else may have changed it. @returns whether there is another token now. */
  async reload(): Promise<boolean> {
    const before = (await this.login())?.tokens?.accessToken;
    this.#known = undefined;
    const now = (await this.login())?.tokens?.accessToken;
    return now !== undefined && now !== before;
  }

  /** Keeps a login that was made just now; `undefined` ends it. */
  async keep(login: StoredLogin | undefined): Promise<void> {
    await this.#change(() => login);
    this.#challenge = undefined;
  }

  /** Keeps a client that was registered for a login that is not made yet. */
  async keepClient(login: Omit<StoredLogin, 'tokens'>): Promise<void> {
    await this.#change((current) => ({
      ...login,
      tokens: current?.issuer === login.issuer ? current.tokens : undefined,
    }));
  }

  /** Forgets the client of a login that does not come about: the authorization server may have forgotten it too. */
  async forgetClient(): Promise<void> {
    await this.#change((current) => (current?.tokens === undefined ? undefined : current));
  }

  /** Takes secrets of a login that is being made out of every text. */
  hide(secrets: readonly string[]): void {
    this.#options.redactor.rotate(`${this.key} login`, secrets);
  }

  async #change(change: (current: StoredLogin | undefined) => StoredLogin | undefined): Promise<void> {
    this.#known = this.#options.store.update(this.key, (current) => Promise.resolve(change(current)));
    this.#learn(await this.#known);
  }

  async #renew(refused: string | undefined): Promise<string | undefined> {
    await this.reload();
    const tokens = (await this.login())?.tokens;
    if (tokens === undefined) return undefined;
    // Somebody else was faster.
    if (headerOf(tokens) !== refused) return headerOf(tokens);
    if (tokens.refreshToken === undefined) return undefined;
    const { store } = this.#options;
    try {
      this.#known = store.update(this.key, (current) => this.#refreshed(current, refused));
      const login = await this.#known;
      this.#learn(login);
      return login?.tokens === undefined ? undefined : headerOf(login.tokens);
    } catch (error) {
      this.#known = undefined;
      throw new HttpConnectionError('the login could not be renewed now', error);
    }
  }

  async #refreshed(current: StoredLogin | undefined, refused: string | undefined): Promise<StoredLogin | undefined> {
    const { logger, server, settings, signal, network } = this.#options;
    const tokens = current?.tokens;
    if (current === undefined || tokens?.refreshToken === undefined || headerOf(tokens) !== refused) return current;
    const fetch = loginFetch(server, { signal, network });
    try {
      this.#server ??= await sameAuthorizationServer(current, fetch.fetch);
      // The refresh token of one authorization server is nothing that another one may see.
      if (this.#server.issuer !== current.issuer) throw new LoginEndedError('another_issuer');
      const client = withSettings(current.client, settings);
      const fresh = await refresh(this.#server, client, { ...tokens, refreshToken: tokens.refreshToken }, fetch);
      this.#learn({ ...current, tokens: fresh });
      return { ...current, tokens: fresh };
    } catch (error) {
      // What is cached of the authorization server may be why.
      this.#server = undefined;
      if (!(error instanceof LoginEndedError)) throw error;
      logger.warn({ server: server.href, problem: error.message }, 'A login has ended');
      return error.clientUnknown && settings.clientId === undefined ? undefined : { ...current, tokens: undefined };
    }
  }

  async #load(): Promise<StoredLogin | undefined> {
    const { store, server, logger } = this.#options;
    try {
      const login = await store.load(this.key);
      this.#learn(login);
      return login;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      logger.warn({ server: server.href, problem }, 'The login at an MCP server could not be read');
      return undefined;
    }
  }

  #learn(login: StoredLogin | undefined): void {
    const { redactor } = this.#options;
    const secrets = [login?.client.clientSecret, login?.tokens?.accessToken, login?.tokens?.refreshToken];
    redactor.rotate(
      this.key,
      secrets.filter((secret) => secret !== undefined),
    );
  }
}

/** Logins at one server through one client are one: they share their tokens. */
export function credentialKey(server: URL, settings: OAuthSettings): string {
  return JSON.stringify([server.href, settings.clientId ?? null]);
}

/** A client from the configuration has its secret there. */
function withSettings(client: LoginClient, { clientId, clientSecret }: OAuthSettings): LoginClient {
  return clientId === undefined ? client : { ...client, clientId, clientSecret };
}

function headerOf(tokens: LoginTokens): string {
  return `Bearer ${tokens.accessToken}`;
}
