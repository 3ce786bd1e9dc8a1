import { lookup } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import * as undici from 'undici';
import { abortable, connectionProblem, describeCode, HttpWays, type NetworkSettings } from '../../client/index.js';
import { isPrivateAddress, isPrivateHost } from '../private-address.js';
import { bodyPieces } from './body-pieces.js';
import { UsedMemory } from './used-memory.js';

/** How many times an address may name another one. */
const MAX_REDIRECTS = 5;
/** How long the other side may keep silent, in ms. */
const SILENCE_MS = 30_000;
/** Limit for a TCP and TLS connection, in ms. */
const CONNECT_MS = 10_000;
const REFUSED = 'The address of the document is within this machine or its network, which is not allowed';

/** What is at an address, piece by piece. */
export interface FetchedReference extends AsyncDisposable {
  readonly mimeType: string | undefined;
  /** Each is good until the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Fetches a document from where an MCP server says that it is: from public addresses only, unless others are allowed,
 * whatever redirects and name servers say. Through a proxy, which looks names up on its own, the name servers here are
 * asked all the same; what they do not know is left to the proxy. Sends no credentials.
 *
 * @throws Error, without the address, when it may not be or cannot be fetched; the signal's reason.
 */
export async function fetchReference(uri: string, options: FetchReferenceOptions): Promise<FetchedReference> {
  const { signal, allowPrivate, network } = options;
  const ways = new HttpWays(undici, {
    network,
    connectTimeoutMs: CONNECT_MS,
    silenceMs: SILENCE_MS,
    lookup: allowPrivate ? undefined : publicLookup,
  });
  try {
    const response = await follow(uri, ways, options);
    return {
      mimeType: headerOf(response, 'content-type'),
      chunks: chunksOf(response.body),
      [Symbol.asyncDispose]: () => ways.close(),
    };
  } catch (error) {
    await ways.close();
    signal.throwIfAborted();
    throw error;
  }
}

/** How a document is fetched from where it is. */
export interface FetchReferenceOptions {
  readonly signal: AbortSignal;
  readonly allowPrivate: boolean;
  /** Absent: directly. */
  readonly network?: NetworkSettings | undefined;
}

type Response = undici.Dispatcher.ResponseData;

async function follow(uri: string, ways: HttpWays, options: FetchReferenceOptions): Promise<Response> {
  let url = uri;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const target = webAddress(url);
    await assertAllowed(target, options);
    const response = await ask(target, ways, options.signal);
    const { statusCode, body } = response;
    // What is not read to its end fails then, and nobody would hear of it.
    body.on('error', () => undefined);
    if (statusCode >= 200 && statusCode <= 299) return response;
    body.destroy();
    const location = headerOf(response, 'location');
    if (statusCode < 300 || statusCode > 399 || location === undefined) {
      throw new Error(`The address of the document answered HTTP ${statusCode}${ways.through(target)}`);
    }
    url = URL.canParse(location, target.href) ? new URL(location, target.href).href : location;
  }
  throw new Error(`The address of the document redirects more than ${MAX_REDIRECTS} times`);
}

async function assertAllowed(
  { hostname, href }: URL,
  { allowPrivate, network, signal }: FetchReferenceOptions,
): Promise<void> {
  if (allowPrivate) return;
  if (isPrivateHost(hostname)) throw new Error(REFUSED);
  // On the direct way this is looked at when the connection is made.
  if (network?.proxyFor(new URL(href)) === undefined) return;
  const known = await abortable(
    lookUp(hostname, { all: true }).catch(() => []),
    signal,
  );
  if (known.some(({ address }) => isPrivateAddress(address))) throw new Error(REFUSED);
}

async function ask(target: URL, ways: HttpWays, signal: AbortSignal): Promise<Response> {
  try {
    return await undici.request(target, { dispatcher: ways.to(target), signal });
  } catch (error) {
    throw plain(error, ways.through(target));
  }
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
function plain(error: unknown, through = ''): unknown {
  const problem = connectionProblem(error);
  // What is put into words already stays.
  if (!(error instanceof Error) || (problem === error.message && through === '')) return error;
  return new Error(`The document could not be fetched (${describeCode(problem)})${through}`);
}
