import type { IncomingHttpHeaders } from 'node:http';

/** Origins whose pages may connect; `'*'`, alone or in the list, for any. */
export type AllowedOrigins = '*' | readonly string[];

/** Whether pages of any origin may connect. */
export function allowsAny(allowed: AllowedOrigins): boolean {
  return allowed.includes('*');
}

/**
 * Browsers send an origin without a path, also without a slash at its end: anything else would match nothing.
 *
 * @throws TypeError naming the origin and how to write it.
 */
export function checkOrigins(allowed: AllowedOrigins): void {
  for (const origin of allowed === '*' ? [] : allowed) {
    if (origin === '*' || origin === 'null') continue;
    const parsed = URL.canParse(origin) ? new URL(origin) : undefined;
    // Schemes of browser extensions and desktop shells have no origin in the eyes of `URL`.
    const written = parsed?.origin === 'null' ? `${parsed.protocol}//${parsed.host}` : parsed?.origin;
    if (written !== origin) {
      throw new TypeError(`corsOrigins: "${origin}" is not an origin; write ${written ?? 'https://app.example'}`);
    }
  }
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
