import { abortable, linkedSignal } from '../../client/index.js';
import {
  DEFAULT_TIMEOUT_SECONDS,
  DpeUri,
  isJsonObject,
  UriError,
  type GetDpeRequest,
  type JsonObject,
  type Logger,
} from '../../protocol/index.js';
import { messageOf, type ReportDiagnostic, type ResourceHost } from '../hosting.js';
import type { Redactor } from '../redactor.js';
import { invalidDpeUri, noResolver, resolutionFailed } from './dpe-failure.js';
import type { DpeResolver } from './dpe-resolver.js';
import type { HostIndex } from './host-index.js';
import { readResolved } from './read-resolved.js';

/** What resolving a document works with. */
export interface GetDpeContext {
  readonly host: ResourceHost;
  readonly index: HostIndex;
  readonly resolver: DpeResolver | undefined;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly report: ReportDiagnostic;
  /** Settled when the lists that are under way now are known. */
  readonly listed: () => Promise<void>;
  /** Ends it when the Computer closes. */
  readonly signal: AbortSignal;
}

/** One request on its way. */
interface Run extends GetDpeContext {
  readonly request: GetDpeRequest;
  /** When the time is up, on the clock of `performance.now()`. */
  readonly deadline: number;
}

/**
 * Answers `client:get_dpe`: judges the URI, finds the MCP server, reads the document there and has the application's
 * resolver turn it into a URI that the Agent can fetch. The content itself is never judged. Protocol §8.3.
 *
 * @returns the acknowledgement.
 * @throws ProtocolError 4011, 4012 or 4013, with the URI as received.
 */
export async function getDpe(request: GetDpeRequest, context: GetDpeContext): Promise<JsonObject> {
  const budgetMs = (request.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  const run: Run = { ...context, request, deadline: performance.now() + budgetMs };
  const { uri, host } = judge(run);
  const { resolver } = run;
  if (resolver === undefined) throw noResolver(request.uri);
  const server = await findServer(run, host);
  const contents = await read(run, server, uri);
  const resolved = await resolve(run, resolver, { server, uri, contents });
  return { ...resolved, req_id: request.req_id };
}

function judge({ request, logger }: Run): { readonly uri: string; readonly host: string } {
  const { uri } = request;
  let parsed: DpeUri;
  try {
    parsed = DpeUri.parse(uri);
  } catch (error) {
    throw invalidDpeUri(uri, error instanceof UriError ? error.reason : 'it cannot be read');
  }
  if (parsed.dropped.includes('fragment')) throw invalidDpeUri(uri, 'a fragment is not allowed');
  if (parsed.dropped.includes('query')) logger.warn({ req_id: request.req_id }, 'The query of a DPE URI is ignored');
  return { uri: uri.split('?', 1)[0] ?? uri, host: parsed.host };
}

async function findServer(run: Run, uriHost: string): Promise<string> {
  const { request, host, index, report } = run;
  let found = index.find(uriHost, host.serverNames());
  if (found.length === 0) {
    // A server that has just started may be about to tell of its documents.
    await untilListed(run);
    found = index.find(uriHost, host.serverNames());
  }
  const [server, ...others] = found;
  if (server === undefined) {
    throw resolutionFailed(request.uri, 'unknown_host', `no MCP server of this Computer lists documents of this host`);
  }
  if (others.length > 0) {
    const problem = `MCP servers ${[server, ...others].map((name) => JSON.stringify(name)).join(', ')} all have this host; the first registered one is asked`;
    report({ server, item: uriHost, problem });
  }
  return server;
}

/** Waits for lists under way, no longer than the request may take. */
async function untilListed(run: Run): Promise<void> {
  const { signal, release } = linkedSignal([run.signal], remainingMs(run));
  try {
    await abortable(run.listed(), signal);
  } catch {
    // Time is up: what is known now has to do.
  } finally {
    release();
  }
}

async function read(run: Run, server: string, uri: string): Promise<readonly JsonObject[]> {
  const { host, request, redactor, logger, signal } = run;
  const fail = (reason: string): never => {
    throw resolutionFailed(request.uri, 'upstream_unavailable', reason);
  };
  if (!host.hasResources(server)) fail(`MCP server "${server}" is not running`);
  const timeoutMs = remainingMs(run);
  let answer: JsonObject = {};
  try {
    answer = await host.readResource(server, uri, { timeoutMs, signal });
  } catch (error) {
    const problem = redactor.redact(messageOf(error));
    logger.warn({ server, req_id: request.req_id, problem }, 'A document could not be read');
    fail(performance.now() >= run.deadline ? `MCP server "${server}" did not answer in time` : problem);
  }
  const { contents } = answer;
  const objects = Array.isArray(contents) ? (contents as unknown[]).filter(isJsonObject) : [];
  if (objects.length > 0) return objects;
  throw resolutionFailed(request.uri, 'invalid_content', `MCP server "${server}" gave no contents`);
}

interface ReadDocument {
  readonly server: string;
  readonly uri: string;
  readonly contents: readonly JsonObject[];
}

async function resolve(run: Run, resolver: DpeResolver, document: ReadDocument): Promise<JsonObject> {
  const { request, logger, index } = run;
  const { server, uri, contents } = document;
  const resource = index.resource(server, request.uri) ?? index.resource(server, uri);
  const mimeTypes = [contents[0]?.['mimeType'], resource?.['mimeType']];
  const mimeType = mimeTypes.find((type) => typeof type === 'string');
  const hint = { mcpServerName: server, mimeType, agent: request.agent, reqId: request.req_id, resource };
  const { signal, release } = linkedSignal([run.signal], remainingMs(run));
  let returned: unknown;
  try {
    // `async`, so that a resolver that throws at once is treated like one that rejects; raced, as it may ignore the signal.
    returned = await abortable((async () => resolver.resolve(uri, contents, hint, { signal }))(), signal);
  } catch (error) {
    // What a resolver says may name addresses inside the Computer's network: it stays here.
    logger.warn({ server, req_id: request.req_id, problem: messageOf(error) }, 'The document resolver failed');
    const reason = signal.aborted ? 'the resolver did not finish in time' : 'the resolver failed';
    throw resolutionFailed(request.uri, 'resolver_error', reason);
  } finally {
    release();
  }
  const resolved = readResolved(returned);
  if (resolved !== undefined) return resolved;
  throw resolutionFailed(request.uri, 'resolver_returned_invalid', 'the resolver returned no absolute URI');
}

function remainingMs({ deadline }: Run): number {
  return Math.max(1, Math.round(deadline - performance.now()));
}
