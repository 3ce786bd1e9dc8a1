import { abortable, linkedSignal } from '../../client/index.js';
import {
  DEFAULT_TIMEOUT_SECONDS,
  DpeUri,
  UriError,
  type GetDpeRequest,
  type JsonObject,
  type Logger,
} from '../../protocol/index.js';
import type { ReportDiagnostic, ResourceHost } from '../hosting.js';
import { invalidDpeUri, noResolver, resolutionFailed } from './dpe-failure.js';
import type { DpeResolver } from './dpe-resolver.js';
import type { HostIndex } from './host-index.js';
import type { Resolutions } from './resolutions.js';
import { DocumentFailure, type WantedDocument } from './resolve-document.js';

/** What happens to documents of a host that several MCP servers use. */
export type SharedHosts = 'warn' | 'refuse';

/** What resolving a document works with. */
export interface GetDpeContext {
  readonly host: ResourceHost;
  readonly index: HostIndex;
  readonly resolutions: Resolutions;
  readonly sharedHosts: SharedHosts;
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
}

/** Where a request wants to go. */
interface Target {
  /** As it goes up. */
  readonly uri: string;
  readonly host: string;
}

/**
 * Answers `client:get_dpe`: judges the URI, finds the MCP server, reads the document there and has the application's
 * resolver turn it into a URI that the Agent can fetch. The content itself is never judged. Protocol §8.3.
 *
 * @returns the acknowledgement.
 * @throws ProtocolError 4011, 4012 or 4013, with the URI as received.
 */
export async function getDpe(request: GetDpeRequest, context: GetDpeContext): Promise<JsonObject> {
  const target = judge(request, context.logger);
  const { resolver } = context.resolutions;
  if (resolver === undefined) throw noResolver(request.uri);
  try {
    return { ...(await resolve({ ...context, request }, target, resolver)), req_id: request.req_id };
  } catch (error) {
    throw error instanceof DocumentFailure ? resolutionFailed(request.uri, error.category, error.message) : error;
  }
}

async function resolve(run: Run, { uri, host }: Target, resolver: DpeResolver): Promise<JsonObject> {
  const { request, resolutions } = run;
  const wantedAt = (server: string): WantedDocument => ({ server, uri, agent: request.agent, reqId: request.req_id });
  const listed = chooseServer(run, host);
  const known = listed === undefined ? undefined : resolutions.known(wantedAt(listed), resolver);
  if (known !== undefined) return known;
  const { signal, release } = linkedSignal([run.signal], (request.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000);
  try {
    const server = listed ?? (await serverOnceListed(run, host, signal));
    return await resolutions.get(wantedAt(server), resolver, signal);
  } finally {
    release();
  }
}

function judge({ uri, req_id }: GetDpeRequest, logger: Logger): Target {
  let parsed: DpeUri;
  try {
    parsed = DpeUri.parse(uri);
  } catch (error) {
    throw invalidDpeUri(uri, error instanceof UriError ? error.reason : 'it cannot be read');
  }
  if (parsed.dropped.includes('fragment')) throw invalidDpeUri(uri, 'a fragment is not allowed');
  if (parsed.dropped.includes('query')) logger.warn({ req_id }, 'The query of a DPE URI is ignored');
  return { uri: uri.split('?', 1)[0] ?? uri, host: parsed.host };
}

/** A server that has just started may be about to tell of its documents; when the time is up, what is known has to do. */
async function serverOnceListed(run: Run, uriHost: string, signal: AbortSignal): Promise<string> {
  await abortable(run.listed(), signal).catch(() => undefined);
  const server = chooseServer(run, uriHost);
  if (server !== undefined) return server;
  throw new DocumentFailure('unknown_host', 'no MCP server of this Computer lists documents of this host');
}

function chooseServer(run: Run, uriHost: string): string | undefined {
  const { host, index, report, sharedHosts } = run;
  const found = index.find(uriHost, host.serverNames());
  const [server, ...others] = found;
  if (server !== undefined && sharedHosts === 'refuse') refuseShared(run, uriHost);
  if (server !== undefined && others.length > 0) {
    const problem = `MCP servers ${namesOf(found)} all have this host; the first registered one is asked`;
    report({ server, item: uriHost, problem });
  }
  return server;
}

function refuseShared({ host, index }: Run, uriHost: string): void {
  const sharing = index.sharing(uriHost, host.serverNames());
  if (sharing.length < 2) return;
  const reason = `MCP servers ${namesOf(sharing)} of this Computer all use this host, which it refuses; give one of them another host`;
  throw new DocumentFailure('unknown_host', reason);
}

function namesOf(servers: readonly string[]): string {
  return servers.map((name) => JSON.stringify(name)).join(', ');
}
