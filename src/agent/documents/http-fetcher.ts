import { connectionProblem, describeCode, nodeProcess } from '../../client/index.js';
import { DocumentError } from './document-error.js';
import type { DocumentSettings } from './document-options.js';
import type { DocumentWays } from './document-ways.js';
import type { DocumentFetcher, FetchedContent, FetchRequest } from './fetcher.js';
import { isPrivateHost } from './private-address.js';

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const ANY_JSON = 'application/json, */*;q=0.5';

/**
 * Fetches `http:` and `https:` URIs. Each address on the way is looked at before it is asked: an MCP server that writes
 * documents must not reach, through the Agent, what only the Agent's machine can reach. Protocol §8.4.
 *
 * A name that stands for another address a moment after it was looked up is not noticed. Through a proxy, which looks
 * names up on its own, the same is asked here first: a name that is unknown here is left to the proxy.
 *
 * @param ways - absent: as Node or the browser does it.
 */
export function httpFetcher(
  settings: Pick<DocumentSettings, 'privateOrigins' | 'maxRedirects'>,
  ways?: DocumentWays,
): DocumentFetcher {
  // A browser shows nothing of a redirect that it does not follow, and keeps pages from private addresses by itself.
  const byHand = nodeProcess() !== undefined;
  return async (uri, request) => {
    let url = new URL(uri);
    for (let redirects = 0; ; redirects += 1) {
      await assertAllowed(url, request, settings);
      const response = await ask(url, request, { redirect: byHand ? 'manual' : 'follow', ways });
      const next = byHand ? redirectOf(response) : undefined;
      if (next === undefined) return await readAnswer(response, { url, ways }, request);
      await discard(response);
      if (redirects >= settings.maxRedirects) {
        throw new DocumentError('refused', request.place, `more than ${settings.maxRedirects} redirects`);
      }
      url = targetOf(next, url, request);
    }
  };
}

/** Fetches `data:` URIs. */
export const dataFetcher: DocumentFetcher = async (uri, request) =>
  readAnswer(await ask(uri, request, { redirect: 'error' }), {}, request);

/** Where an answer comes from. */
interface Origin {
  readonly url?: URL;
  readonly ways?: DocumentWays | undefined;
}

async function assertAllowed(
  url: URL,
  { accessUri, place, signal }: FetchRequest,
  { privateOrigins }: Pick<DocumentSettings, 'privateOrigins'>,
): Promise<void> {
  if (url.username !== '' || url.password !== '') {
    throw new DocumentError('refused', place, 'its URI holds credentials, which are not sent');
  }
  if (isWithin(accessUri, url.origin)) return;
  if (privateOrigins === 'all' || privateOrigins.includes(url.origin)) return;
  if (!(await isPrivateHost(url.hostname, signal))) return;
  const hint = 'allow it by the option documents.privateOrigins';
  throw new DocumentError('refused', place, `it leads to ${url.origin}, in a private network; ${hint}`);
}

/** Mostly the text shows it: what stands before the first slash of a path holds nothing else. */
function isWithin(uri: string, origin: string): boolean {
  return uri.startsWith(`${origin}/`) || (URL.canParse(uri) && new URL(uri).origin === origin);
}

async function ask(
  url: URL | string,
  { signal, place }: FetchRequest,
  { redirect, ways }: { readonly redirect: 'error' | 'follow' | 'manual'; readonly ways?: DocumentWays | undefined },
): Promise<Response> {
  const headers = { accept: ANY_JSON };
  const init = { redirect, signal, headers, credentials: 'omit', referrerPolicy: 'no-referrer' } as const;
  try {
    return await (ways === undefined ? fetch(url, init) : ways.fetch(new URL(url), init));
  } catch (error) {
    if (signal.aborted) throw error;
    const what = `${shown(url)} cannot be fetched: ${causeOf(error)}${ways?.through(url) ?? ''}`;
    throw new DocumentError('unreachable', place, what, { cause: error });
  }
}

async function readAnswer(response: Response, { url, ways }: Origin, request: FetchRequest): Promise<FetchedContent> {
  const { status, headers, body } = response;
  if (!response.ok) {
    await discard(response);
    const at = url ?? response.url;
    const what = `${shown(at)} answered ${status}${ways?.through(at) ?? ''}`;
    throw new DocumentError('unreachable', request.place, what, { status });
  }
  const length = headers.get('content-encoding') === null ? Number(headers.get('content-length')) : 0;
  if (length > request.maxBytes) {
    await discard(response);
    throw new DocumentError('too-large', request.place, `${length} bytes, the limit is ${request.maxBytes}`);
  }
  const mimeType = headers.get('content-type') ?? undefined;
  return { body: chunksOf(body), mimeType, uri: url === undefined || response.url === '' ? undefined : response.url };
}

/** Where a redirect leads; `undefined` for any other answer. */
function redirectOf({ status, headers }: Response): string | undefined {
  return REDIRECTS.includes(status) ? (headers.get('location') ?? undefined) : undefined;
}

function targetOf(location: string, from: URL, { place }: FetchRequest): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (target !== undefined && ['http:', 'https:'].includes(target.protocol)) return target;
  const what = target === undefined ? 'something that is no URI' : `a "${target.protocol}" URI`;
  throw new DocumentError('refused', place, `${from.origin} redirects to ${what}`);
}

/** Lets go of a connection whose answer is not wanted. */
async function discard({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}

/** Not every browser iterates streams; and a generator around the reader would wait twice for each piece. */
function chunksOf(stream: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> | Uint8Array {
  if (stream === null) return new Uint8Array();
  return {
    [Symbol.asyncIterator]: () => {
      const reader = stream.getReader();
      return {
        next: () => reader.read() as Promise<IteratorResult<Uint8Array, undefined>>,
        return: async () => {
          await reader.cancel().catch(() => undefined);
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** The origin alone: the rest of an access URI may be a key. */
function shown(url: URL | string): string {
  const { protocol, origin } = typeof url === 'string' ? new URL(url) : url;
  return protocol === 'data:' ? 'the data: URI' : origin;
}

/** `fetch` hides the reason in the cause. */
function causeOf(error: unknown): string {
  const problem = connectionProblem(error);
  const { cause } = error as Error;
  // Its own codes say less than its messages.
  return problem.startsWith('UND_ERR_') && cause instanceof Error ? cause.message : describeCode(problem);
}
