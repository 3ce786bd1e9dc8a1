import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch, type Response } from 'undici';
import { isPrivateAddress, isPrivateHost } from '../private-address.js';

/** How many times an address may name another one. */
const MAX_REDIRECTS = 5;
/** How long the other side may keep silent, in ms. */
const SILENCE_MS = 30_000;
const REFUSED = 'The address of the document is within this machine or its network, which is not allowed';

/** What is at an address, piece by piece. */
export interface FetchedReference extends AsyncDisposable {
  readonly mimeType: string | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Fetches a document from where an MCP server says that it is: from public addresses only, unless others are allowed,
 * whatever redirects and name servers say. Sends no credentials.
 *
 * @throws Error, without the address, when it may not be or cannot be fetched; the signal's reason.
 */
export async function fetchReference(
  uri: string,
  { signal, allowPrivate }: { readonly signal: AbortSignal; readonly allowPrivate: boolean },
): Promise<FetchedReference> {
  const connect = allowPrivate ? {} : { lookup: publicLookup };
  const agent = new Agent({ connect, headersTimeout: SILENCE_MS, bodyTimeout: SILENCE_MS, connections: 1 });
  const close = (): Promise<void> => agent.destroy();
  try {
    const response = await follow(uri, { agent, signal, allowPrivate });
    return {
      mimeType: response.headers.get('content-type') ?? undefined,
      chunks: chunksOf(response),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    signal.throwIfAborted();
    throw plain(error);
  }
}

interface Fetching {
  readonly agent: Agent;
  readonly signal: AbortSignal;
  readonly allowPrivate: boolean;
}

async function follow(uri: string, { agent, signal, allowPrivate }: Fetching): Promise<Response> {
  let url = uri;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const target = webAddress(url);
    if (!allowPrivate && isPrivateHost(target.hostname)) throw new Error(REFUSED);
    const response = await fetch(target, { redirect: 'manual', dispatcher: agent, signal });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      if (response.ok) return response;
      throw new Error(`The address of the document answered HTTP ${response.status}`);
    }
    await response.body?.cancel();
    url = URL.canParse(location, target.href) ? new URL(location, target.href).href : location;
  }
  throw new Error(`The address of the document redirects more than ${MAX_REDIRECTS} times`);
}

function webAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new Error('The address of the document is, or redirects to, one that is not http(s)');
  }
  return parsed;
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) yield chunk;
  } catch (error) {
    throw plain(error);
  }
}

/** A name may lead to an address that its own looks do not tell, another one each time. */
const publicLookup: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      done(error, '', 0);
      return;
    }
    const refused = addresses.some(({ address }) => isPrivateAddress(address));
    const [first] = addresses;
    if (refused || first === undefined) done(new Error(REFUSED), '', 0);
    else if (options.all === true) done(null, addresses);
    else done(null, first.address, first.family);
  });
};

/** `fetch` hides the reason in the cause. */
function plain(error: unknown): unknown {
  if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return error;
  const { message } = error.cause;
  return message === REFUSED ? error.cause : new Error(`The document could not be fetched: ${message}`);
}
