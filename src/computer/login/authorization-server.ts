import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  OAuthClientFlowError,
  OAuthError,
  resourceUrlFromServerUrl,
  type AuthorizationServerMetadata,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { LoginError } from './login-error.js';
import { assertTrusted } from './login-fetch.js';
import type { LoginClient, StoredLogin } from './token-store.js';

/** Where to log in at an MCP server. */
export interface AuthorizationServer {
  readonly url: string;
  /** Tells one authorization server from another: tokens of one go to no other. */
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** What the tokens are for, in the words of the MCP server. RFC 8707. */
  readonly resource: string | undefined;
}

/** The same, and what the MCP server says can be asked for. */
export interface OfferedLogin extends AuthorizationServer {
  readonly scopes: readonly string[];
}

/** What this Computer says of itself where it registers. */
const CLIENT = {
  client_name: 'A2C-SMCP Computer',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
};

const registeredSchema = z.object({
  client_id: z.string().min(1),
  client_secret: z.string().nullish(),
  token_endpoint_auth_method: z.string().nullish(),
});

/**
 * Asks an MCP server where to log in, and that place what it can do. RFC 9728, RFC 8414.
 *
 * @param resourceMetadataUrl - from the server's challenge, where it gave one.
 * @throws LoginError `not-offered`, `unreachable`.
 */
export async function findAuthorizationServer(
  server: URL,
  resourceMetadataUrl: string | undefined,
  fetch: FetchLike,
): Promise<OfferedLogin> {
  try {
    const info = await discoverOAuthServerInfo(server, {
      resourceMetadataUrl: resourceMetadataUrl === undefined ? undefined : new URL(resourceMetadataUrl),
      fetchFn: fetch,
    });
    const { authorizationServerUrl: url, authorizationServerMetadata: metadata, resourceMetadata } = info;
    assertTrusted(new URL(metadata?.authorization_endpoint ?? url), server);
    const resource = resourceMetadata?.resource;
    const requestedResource = resourceUrlFromServerUrl(server);
    if (resource !== undefined && !checkResourceAllowed({ requestedResource, configuredResource: resource })) {
      throw new LoginError('not-offered', 'The MCP server describes a login for another server than itself');
    }
    return {
      url,
      issuer: metadata?.issuer ?? url,
      metadata,
      resource,
      scopes: resourceMetadata?.scopes_supported ?? [],
    };
  } catch (error) {
    throw asLoginError(error, 'The MCP server does not say where to log in');
  }
}

/**
 * The authorization server of a login, as it is now. The MCP server is not asked: it may be down, or lie.
 *
 * @throws LoginError `unreachable`.
 */
export async function sameAuthorizationServer(login: StoredLogin, fetch: FetchLike): Promise<AuthorizationServer> {
  const { authorizationServer: url, resource } = login;
  try {
    const metadata = await discoverAuthorizationServerMetadata(url, { fetchFn: fetch });
    return { url, metadata, resource, issuer: metadata?.issuer ?? url };
  } catch (error) {
    throw asLoginError(error, 'The authorization server does not describe itself now', 'unreachable');
  }
}

/**
 * Registers this Computer. RFC 7591.
 *
 * @throws LoginError `not-registered`, `unreachable`.
 */
export async function register(
  server: AuthorizationServer,
  redirectUri: string,
  scope: string | undefined,
  fetch: FetchLike,
): Promise<LoginClient> {
  const { url, metadata } = server;
  const endpoint = metadata === undefined ? new URL('/register', url).href : metadata.registration_endpoint;
  if (endpoint === undefined) {
    const how = 'register this Computer there by hand, and write its id to "oauth": { "client_id": … }';
    throw new LoginError('not-registered', `The authorization server does not register clients by itself; ${how}`);
  }
  const failed = 'The authorization server did not register this Computer';
  try {
    const body = JSON.stringify({ ...CLIENT, redirect_uris: [redirectUri], scope });
    const response = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (!response.ok) throw new LoginError('not-registered', `${failed} (HTTP ${response.status})`);
    const made = registeredSchema.parse(await response.json());
    return {
      clientId: made.client_id,
      clientSecret: made.client_secret ?? undefined,
      authMethod: made.token_endpoint_auth_method ?? undefined,
      redirectUri,
    };
  } catch (error) {
    throw asLoginError(error, failed, 'not-registered');
  }
}

/** What a failure of the SDK's functions means. Its text may quote what a server wrote: only its kind is told. */
export function asLoginError(error: unknown, what: string, failure: LoginError['failure'] = 'not-offered'): LoginError {
  if (error instanceof LoginError) return error;
  if (error instanceof OAuthError) {
    return new LoginError('denied', `${what} (${/^[a-z_]{1,40}$/.test(error.code) ? error.code : 'error'})`);
  }
  if (error instanceof TypeError || (error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name))) {
    return new LoginError('unreachable', `${what}: the server could not be reached`, { cause: error });
  }
  if (error instanceof OAuthClientFlowError)
    return new LoginError(failure, `${what} (${error.name})`, { cause: error });
  return new LoginError(failure, what, { cause: error });
}
