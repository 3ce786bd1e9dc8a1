import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request, type Dispatcher } from 'undici';
import { isPrivateAddress, isPrivateHost } from '../private-address.js';
import { bodyPieces } from './body-pieces.js';
import { UsedMemory } from './used-memory.js';

/** How many times an address may name another one. */
const MAX_REDIRECTS = 5;
/** How long the other side may keep silent, in ms. */
const SILENCE_MS = 30_000;
const REFUSED = 'The address of the document is within this machine or its network, which is not allowed';

/** What is at an address, piece by piece. */
export interface FetchedReference extends AsyncDisposable {
  readonly mimeType: string | undefined;
  /** Each is good until the next one is asked for. */
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
      mimeType: headerOf(response, 'content-type'),
      chunks: chunksOf(response.body),
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

type Response = Dispatcher.ResponseData;

async function follow(uri: string, { agent, signal, allowPrivate }: Fetching): Promise<Response> {
  let url = uri;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const target = webAddress(url);
    if (!allowPrivate && isPrivateHost(target.hostname)) throw new Error(REFUSED);
    const response = await request(target, { dispatcher: agent, signal });
    const { statusCode, body } = response;
    // What is not read to its end fails then, and nobody would hear of it.
    body.on('error', () => undefined);
    if (statusCode >= 200 && statusCode <= 299) return response;
    body.destroy();
    const location = headerOf(response, 'location');
    if (statusCode < 300 || statusCode > 399 || location === undefined) {
      throw new Error(`The address of the document answered HTTP ${statusCode}`);
    }
    url = URL.canParse(location, target.href) ? new URL(location, target.href).href : location;
  }
  throw new Error(`The address of the document redirects more than ${MAX_REDIRECTS} times`);
}

function headerOf({ headers }: Response, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function webAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new Error('The address of the document is, or redirects to, one that is not http(s)');
  }
  return parsed;
}

async function* chunksOf(body: Readable): AsyncGenerator<Uint8Array> {
  const used = new UsedMemory();
  let last: ArrayBufferLike | undefined;
  try {
    for await (const chunk of bodyPieces(body)) {
      // Pieces come in order: those before this one were in the memory of an earlier read.
      if (last !== undefined && last !== chunk.buffer) used.free(last);
      last = chunk.buffer;
      yield chunk;
    }
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

/** Says what is said of the other side, without its address. */
function plain(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new Error(`The document could not be fetched (${String(error.code)})`);
}
