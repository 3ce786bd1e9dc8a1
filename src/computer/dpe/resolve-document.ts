import { isJsonObject, type DpeFailureCategory, type JsonObject, type Logger } from '../../protocol/index.js';
import { messageOf, type ResourceHost } from '../hosting.js';
import type { Redactor } from '../redactor.js';
import type { DpeResolver, DpeResolverHint, ResolvedResource } from './dpe-resolver.js';
import type { HostIndex } from './host-index.js';
import { readResolved } from './read-resolved.js';

/** Which document is wanted, where it is, and for whom. */
export interface WantedDocument {
  /** The MCP server that has it. */
  readonly server: string;
  /** As it goes up: as received, without a query. */
  readonly uri: string;
  /** The name that the request gives as its Agent's. */
  readonly agent: string;
  /** The id of the request. */
  readonly reqId: string;
}

/** How far a resolution has come. */
export type ResolutionStage = 'reading' | 'resolving';

/** What a document became. */
export interface Resolution {
  /** What the resolver returned. */
  readonly resolved: ResolvedResource;
  /** The same as fields of the acknowledgement. */
  readonly answer: JsonObject;
}

/** A document could not be resolved; whoever asked for it gets 4013 with its own URI. */
export class DocumentFailure extends Error {
  override readonly name = 'DocumentFailure';
  readonly category: DpeFailureCategory;

  /** @param reason - for the Agent: without secrets and addresses. */
  constructor(category: DpeFailureCategory, reason: string) {
    super(reason);
    this.category = category;
  }
}

/** What resolving works with. */
export interface ResolveContext {
  readonly host: ResourceHost;
  readonly index: HostIndex;
  readonly redactor: Redactor;
  readonly logger: Logger;
}

/** What one resolution works with. */
export interface ResolveRun extends ResolveContext {
  readonly resolver: DpeResolver;
  /** Ends it: nobody waits any more. */
  readonly signal: AbortSignal;
  readonly onStage: (stage: ResolutionStage) => void;
}

/** The time of those who wait is what limits a read. In ms: the longest timer that there is. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Reads a document at its MCP server and has the resolver turn it into a URI. The content itself is never judged.
 * Protocol §8.3 steps 4 and 5.
 *
 * @throws DocumentFailure.
 */
export async function resolveDocument(wanted: WantedDocument, run: ResolveRun): Promise<Resolution> {
  run.onStage('reading');
  const contents = await readDocument(wanted, run);
  run.onStage('resolving');
  const returned = await callResolver(wanted, contents, run);
  const answer = readResolved(returned);
  if (answer !== undefined) return { answer, resolved: returned as ResolvedResource };
  throw new DocumentFailure('resolver_returned_invalid', 'the resolver returned no absolute URI');
}

async function readDocument({ server, uri, reqId }: WantedDocument, run: ResolveRun): Promise<readonly JsonObject[]> {
  const { host, redactor, logger, signal } = run;
  if (!host.hasResources(server)) {
    throw new DocumentFailure('upstream_unavailable', `MCP server "${server}" is not running`);
  }
  let answer: JsonObject;
  try {
    answer = await host.readResource(server, uri, { timeoutMs: NO_LIMIT_MS, signal });
  } catch (error) {
    const problem = redactor.redact(messageOf(error));
    logger.warn({ server, req_id: reqId, problem }, 'A document could not be read');
    throw new DocumentFailure('upstream_unavailable', problem);
  }
  const { contents } = answer;
  const objects = Array.isArray(contents) ? (contents as unknown[]).filter(isJsonObject) : [];
  if (objects.length > 0) return objects;
  throw new DocumentFailure('invalid_content', `MCP server "${server}" gave no contents`);
}

async function callResolver(
  wanted: WantedDocument,
  contents: readonly JsonObject[],
  { resolver, index, logger, signal }: ResolveRun,
): Promise<unknown> {
  const { server, uri, agent, reqId } = wanted;
  const resource = index.resource(server, uri);
  const mimeTypes = [contents[0]?.['mimeType'], resource?.['mimeType']];
  const mimeType = mimeTypes.find((type) => typeof type === 'string');
  const hint: DpeResolverHint = { mcpServerName: server, mimeType, agent, reqId, resource };
  try {
    // It may ignore the signal: who waits for it does not wait beyond that.
    return await resolver.resolve(uri, contents, hint, { signal });
  } catch (error) {
    // What a resolver says may name addresses inside the Computer's network: it stays here.
    logger.warn({ server, req_id: reqId, problem: messageOf(error) }, 'The document resolver failed');
    throw new DocumentFailure('resolver_error', 'the resolver failed');
  }
}
