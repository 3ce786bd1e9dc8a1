import { ServerStartError } from './mcp-errors.js';

/**
 * Address and headers, checked; userinfo of the URL becomes a header, because `fetch` refuses it.
 *
 * @throws ServerStartError `bad-config`.
 */
export function readTarget(options: {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | null;
}): { url: URL; headers: Headers } {
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ServerStartError('bad-config', 'url is no http or https URL (url)');
  }
  const headers = new Headers();
  if (url.username !== '' || url.password !== '') {
    const userinfo = `${decoded(url.username)}:${decoded(url.password)}`;
    headers.set('authorization', `Basic ${Buffer.from(userinfo).toString('base64')}`);
    url.username = '';
    url.password = '';
  }
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    try {
      headers.set(name, value);
    } catch {
      // The platform's error quotes the value, which may be a secret.
      throw new ServerStartError('bad-config', `Not a valid HTTP header: ${JSON.stringify(name)} (headers)`);
    }
  }
  return { url, headers };
}

/** A password may hold a bare `%`, which `URL` lets stand: then it is meant as it is written. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
