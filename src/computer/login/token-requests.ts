import {
  exchangeAuthorization,
  OAuthError,
  refreshAuthorization,
  type OAuthClientInformationMixed,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { asLoginError, type AuthorizationServer } from './authorization-server.js';
import type { AuthorizationResponse } from './loopback-listener.js';
import type { LoginFetch } from './login-fetch.js';
import type { LoginClient, LoginTokens } from './token-store.js';

/** The refresh token is good for nothing any more: the login has ended. */
export class LoginEndedError extends Error {
  override readonly name = 'LoginEndedError';
  /** The authorization server does not know this Computer any more either. */
  readonly clientUnknown: boolean;

  constructor(code: string) {
    super(`The login cannot be renewed (${code})`);
    this.clientUnknown = code === 'invalid_client' || code === 'unauthorized_client';
  }
}

/**
 * Turns the code of a login into tokens.
 *
 * @throws LoginError.
 */
export async function redeem(
  server: AuthorizationServer,
  client: LoginClient,
  response: AuthorizationResponse & { readonly codeVerifier: string },
  { fetch }: LoginFetch,
): Promise<LoginTokens> {
  const { url, metadata, resource } = server;
  try {
    const tokens = await exchangeAuthorization(url, {
      metadata,
      resource,
      clientInformation: informationOf(client),
      authorizationCode: response.code,
      iss: response.issuer,
      codeVerifier: response.codeVerifier,
      redirectUri: client.redirectUri,
      fetchFn: fetch,
    });
    return tokensOf(tokens);
  } catch (error) {
    throw asLoginError(error, 'The authorization server gave no token for the login', 'denied');
  }
}

/**
 * Gets another access token.
 *
 * @throws LoginEndedError when the authorization server says no; LoginError `unreachable` when it says nothing clear.
 */
export async function refresh(
  server: AuthorizationServer,
  client: LoginClient,
  tokens: LoginTokens & { readonly refreshToken: string },
  { fetch, lastStatus }: LoginFetch,
): Promise<LoginTokens> {
  const { url, metadata, resource } = server;
  try {
    const fresh = await refreshAuthorization(url, {
      metadata,
      resource,
      clientInformation: informationOf(client),
      refreshToken: tokens.refreshToken,
      fetchFn: fetch,
    });
    return { ...tokensOf(fresh), scope: fresh.scope ?? tokens.scope };
  } catch (error) {
    const status = lastStatus() ?? 0;
    const isRefusal = error instanceof OAuthError && status >= 400 && status < 500 && status !== 408 && status !== 429;
    if (isRefusal) throw new LoginEndedError(/^[a-z_]{1,40}$/.test(error.code) ? error.code : 'error');
    throw asLoginError(error, 'The login could not be renewed now', 'unreachable');
  }
}

function informationOf({ clientId, clientSecret, authMethod }: LoginClient): OAuthClientInformationMixed {
  const information = { client_id: clientId, client_secret: clientSecret };
  // Registered for one way, it may not use another.
  if (authMethod === undefined) return information;
  return { ...information, redirect_uris: [], token_endpoint_auth_method: authMethod };
}

function tokensOf(tokens: OAuthTokens): LoginTokens {
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = tokens;
  const expiresAt = seconds === undefined ? undefined : Date.now() + seconds * 1_000;
  return { accessToken, refreshToken, expiresAt, scope };
}
