import type { HttpDpeResolver } from '../../computer/index.js';
import { CommandError, UsageError } from '../failure.js';
import { usableCacheFolder } from '../places.js';

/** How documents on HTTP are asked for. */
export const HTTP_FORM = 'http[:HOST:PORT]';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;
const WILDCARD = /^(0\.0\.0\.0|::)$/;

/**
 * Serves documents on HTTP: by default on loopback, at a free port.
 *
 * @param place - such as `127.0.0.1:8090` or `[::1]:8090`.
 * @throws UsageError when it is no such place; CommandError when it cannot be listened on.
 */
export async function openHttpDocuments(
  place: string | undefined,
  { insecure = false }: { readonly insecure?: boolean },
): Promise<HttpDpeResolver> {
  const { host, port } = placeOf(place ?? '127.0.0.1:0');
  if (WILDCARD.test(host)) throw new UsageError(`expected an address that Agents reach, not ${host}`);
  if (!insecure && !LOOPBACK.test(host)) {
    throw new UsageError(`${host} is reachable from other machines, which may see what Agents fetch: say --insecure`);
  }
  const { HttpDpeResolver } = await import('../../computer/index.js');
  try {
    return await HttpDpeResolver.listen({ host, port, insecure, parent: usableCacheFolder() });
  } catch (error) {
    throw new CommandError(`--documents http: ${(error as Error).message}`);
  }
}

function placeOf(place: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(place) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535) throw new UsageError(`expected ${HTTP_FORM} with a port up to 65535`);
  return { host, port };
}
