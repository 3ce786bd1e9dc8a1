import type { FetchLike } from '@modelcontextprotocol/client';
import * as undici from 'undici';
import { HttpWays, linkedSignal, type NetworkSettings } from '../../client/index.js';
import { readBody } from '../mcp/http-body.js';
import { isLoopbackHost, isPrivateHost } from '../private-address.js';
import { LoginError } from './login-error.js';

const TIMEOUT_MS = 20_000;
const MAX_BODY_BYTES = 1024 * 1024;

/** A `fetch` for one login or refresh, and what came of it. */
export interface LoginFetch {
  readonly fetch: FetchLike;
  /** The status of the last answer. */
  readonly lastStatus: () => number | undefined;
}

/**
 * A `fetch` for the requests of a login: limited in time and size, and kept from addresses that the MCP server has no
 * business to send us to: a server on the net says where to log in, and could name a service of this machine.
 *
 * @param server - the MCP server.
 * @param how - `network`: proxies, and authorities to trust.
 */
export function loginFetch(
  server: URL,
  { signal, network }: { readonly signal?: AbortSignal; readonly network?: NetworkSettings | undefined } = {},
): LoginFetch {
  let lastStatus: number | undefined;
  const fetch = async (target: string | URL, init?: RequestInit): Promise<globalThis.Response> => {
    const url = new URL(target);
    assertTrusted(url, server);
    const link = linkedSignal([signal, init?.signal ?? undefined], TIMEOUT_MS);
    const ways = new HttpWays(undici, { network, connectTimeoutMs: TIMEOUT_MS });
    try {
      const answer = await undici.fetch(url, { ...(init as object), signal: link.signal, dispatcher: ways.to(url) });
      lastStatus = answer.status;
      const body = await readBody(answer, MAX_BODY_BYTES);
      const hasBody = ![204, 205, 304].includes(answer.status);
      const { status, statusText, headers } = answer;
      const copy: unknown = new undici.Response(hasBody ? body : null, { status, statusText, headers: [...headers] });
      return copy as globalThis.Response;
    } finally {
      link.release();
      await ways.close();
    }
  };
  return { fetch, lastStatus: () => lastStatus };
}

/**
 * @throws LoginError `not-offered` for an address that is neither https nor of the server's own kind.
 */
export function assertTrusted(url: URL, server: URL): void {
  const isPlain = url.protocol === 'http:' && (isLoopbackHost(url.hostname) || url.hostname === server.hostname);
  const isHidden = isPrivateHost(url.hostname) && !isPrivateHost(server.hostname);
  if ((url.protocol === 'https:' || isPlain) && !isHidden) return;
  const shown = `${url.protocol}//${url.host}`;
  throw new LoginError(
    'not-offered',
    `The MCP server wants the login at ${shown}, which is not trusted: https is needed`,
  );
}
