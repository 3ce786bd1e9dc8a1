import { randomBytes } from 'node:crypto';
import { computeScopeUnion, startAuthorization } from '@modelcontextprotocol/client';
import { abortable, linkedSignal, reasonOf } from '../../client/index.js';
import {
  asLoginError,
  findAuthorizationServer,
  register,
  type AuthorizationServer,
  type OfferedLogin,
} from './authorization-server.js';
import { askForChallenge } from './ask-for-challenge.js';
import type { Credential } from './credential.js';
import { LoginError } from './login-error.js';
import { assertTrusted, loginFetch, type LoginFetch } from './login-fetch.js';
import { LoopbackListener } from './loopback-listener.js';
import { redeem } from './token-requests.js';
import type { LoginClient, StoredLogin } from './token-store.js';

/** A person has five minutes, unless told otherwise. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** How a person logs in. */
export interface LoginOptions {
  /** Opens the page of the authorization server on this machine. When it fails the address is shown all the same. */
  readonly openBrowser: (url: string) => Promise<void> | void;
  /** Gets the address, to show it to the person at this machine and to nobody else. */
  readonly onUrl?: ((url: string) => void) | undefined;
  /** Gives up. */
  readonly signal?: AbortSignal | undefined;
  /** How long the person has, in ms. @default 300000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Logs in: finds the authorization server, registers this Computer where nobody did, sends the person there, and turns
 * what comes back into tokens. OAuth 2.1: authorization code with PKCE, redirect to this machine.
 *
 * @throws LoginError; the signal's reason.
 */
export async function runLogin(credential: Credential, options: LoginOptions): Promise<void> {
  const { signal, release } = linkedSignal([options.signal], options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  try {
    await logIn(credential, options, signal);
  } catch (error) {
    if (options.signal?.aborted === true) throw reasonOf(options.signal);
    if (signal.aborted) throw new LoginError('timeout', 'Nobody finished the login in time');
    throw error;
  } finally {
    release();
  }
}

async function logIn(credential: Credential, options: LoginOptions, signal: AbortSignal): Promise<void> {
  const { server, network } = credential.options;
  const net = loginFetch(server, { signal, network });
  if (credential.challenge === undefined) credential.note(await askForChallenge(server, net.fetch));
  const authorization = await findAuthorizationServer(server, credential.challenge?.resourceMetadataUrl, net.fetch);
  const scope = await scopeOf(credential, authorization);
  const state = randomBytes(32).toString('base64url');
  await using listener = await listen(credential, authorization, state);
  const client = await clientFor(credential, authorization, { redirectUri: listener.redirectUri, scope, net });
  try {
    const { url, codeVerifier } = await authorizationRequest(authorization, client, { scope, state });
    credential.hide([state, codeVerifier]);
    assertTrusted(url, server);
    options.onUrl?.(url.href);
    await Promise.resolve(options.openBrowser(url.href)).catch(() => undefined);
    const response = await abortable(listener.response, signal);
    credential.hide([state, codeVerifier, response.code]);
    const tokens = await redeem(authorization, client, { ...response, codeVerifier }, net);
    // A secret that somebody typed in stays where it came from.
    const kept = credential.options.settings.clientId === undefined ? client : { ...client, clientSecret: undefined };
    await credential.keep({ ...aboutLogin(server, authorization), client: kept, tokens });
  } catch (error) {
    await credential.forgetClient();
    throw error;
  }
}

function aboutLogin(server: URL, authorization: AuthorizationServer): Omit<StoredLogin, 'client' | 'tokens'> {
  const { url: authorizationServer, issuer, resource } = authorization;
  return { serverUrl: server.href, authorizationServer, issuer, resource };
}

/** What the configuration says; else what the server wants now, and what was granted before, lest it be lost. */
async function scopeOf(credential: Credential, { scopes, metadata }: OfferedLogin): Promise<string | undefined> {
  const { challenge, options } = credential;
  const offered = scopes.length === 0 ? undefined : scopes.join(' ');
  const scope = computeScopeUnion(
    options.settings.scope ?? challenge?.scope ?? offered,
    ...(challenge?.error === 'insufficient_scope' ? await widened(credential, challenge.scope) : []),
  );
  // Without it some servers give no refresh token, and the person has to come back every hour.
  const offline = scope !== undefined && metadata?.scopes_supported?.includes('offline_access') === true;
  return offline ? computeScopeUnion(scope, 'offline_access') : scope;
}

/** What the server wants now, and what was granted before, lest it be lost. */
async function widened(credential: Credential, wanted: string | undefined): Promise<(string | undefined)[]> {
  return [wanted, (await credential.login())?.tokens?.scope];
}

async function listen(
  credential: Credential,
  authorization: AuthorizationServer,
  state: string,
): Promise<LoopbackListener> {
  const { settings } = credential.options;
  if (settings.redirectPort !== undefined) {
    try {
      return await LoopbackListener.open(state, settings.redirectPort);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      const port = settings.redirectPort;
      throw new LoginError('not-possible', `Port ${port} for the redirect (oauth.redirect_port) is not free (${code})`);
    }
  }
  // Some servers take only the very redirect that was registered.
  const known = await credential.login();
  const port = known?.issuer === authorization.issuer ? Number(new URL(known.client.redirectUri).port) : 0;
  return LoopbackListener.open(state, port).catch(() => LoopbackListener.open(state, 0));
}

interface ClientNeeds {
  readonly redirectUri: string;
  readonly scope: string | undefined;
  readonly net: LoginFetch;
}

async function clientFor(
  credential: Credential,
  authorization: AuthorizationServer,
  { redirectUri, scope, net }: ClientNeeds,
): Promise<LoginClient> {
  const { clientId, clientSecret } = credential.options.settings;
  if (clientId !== undefined) return { clientId, clientSecret, redirectUri };
  const known = await credential.login();
  const isUsable = known?.issuer === authorization.issuer && known.client.redirectUri === redirectUri;
  if (isUsable) return known.client;
  const client = await register(authorization, redirectUri, scope, net.fetch);
  await credential.keepClient({ ...aboutLogin(credential.options.server, authorization), client });
  return client;
}

async function authorizationRequest(
  { url, metadata, resource }: AuthorizationServer,
  client: LoginClient,
  { scope, state }: { readonly scope: string | undefined; readonly state: string },
): Promise<{ url: URL; codeVerifier: string }> {
  try {
    const { authorizationUrl, codeVerifier } = await startAuthorization(url, {
      metadata,
      clientInformation: { client_id: client.clientId, client_secret: client.clientSecret },
      redirectUrl: client.redirectUri,
      scope,
      state,
      resource,
    });
    return { url: authorizationUrl, codeVerifier };
  } catch (error) {
    throw asLoginError(error, 'The authorization server does not offer a login that this Computer can use');
  }
}
