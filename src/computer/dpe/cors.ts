import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** The pages that may read documents: any, or those of these origins. */
export type CorsOrigins = '*' | readonly string[];

const EXPOSED = 'ETag, Content-Range, Content-Length, Accept-Ranges';

/**
 * The headers that let a page read an answer, or, to `OPTIONS`, ask for it. Credentials play no part: the URL is all that
 * is needed.
 */
export function corsHeaders({ method, headers }: IncomingMessage, origins: CorsOrigins): OutgoingHttpHeaders {
  const { origin } = headers;
  const varies = origins === '*' ? undefined : { vary: 'Origin' };
  if (origins !== '*' && (origin === undefined || !origins.includes(origin))) return { ...varies };
  const allowed = {
    'access-control-allow-origin': origins === '*' ? '*' : origin,
    'access-control-expose-headers': EXPOSED,
    'cross-origin-resource-policy': 'cross-origin',
    ...varies,
  };
  if (method !== 'OPTIONS') return allowed;
  return {
    ...allowed,
    'access-control-allow-methods': 'GET, HEAD',
    'access-control-allow-headers': 'Range, If-Range, If-None-Match',
    'access-control-max-age': '600',
    // A page of the net asks a machine of the local network.
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  };
}
