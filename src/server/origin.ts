import type { IncomingHttpHeaders } from 'node:http';

/** Origins whose pages may connect; `'*'`, alone or in the list, for any. */
export type AllowedOrigins = '*' | readonly string[];

/** Whether pages of any origin may connect. */
export function allowsAny(allowed: AllowedOrigins): boolean {
  return allowed.includes('*');
}

/**
 * Whether a connection may come from where it comes. Browsers guard HTTP requests by CORS but open a WebSocket to any
 * address, so that every page could use a Server on its visitor's machine. Programs that are no browsers send no
 * `Origin`, or the Server's own address.
 */
export function isOriginAllowed(allowed: AllowedOrigins, headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin === undefined || allowsAny(allowed) || allowed.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
