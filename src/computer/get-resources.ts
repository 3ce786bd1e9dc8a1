import {
  ErrorCode,
  isJsonObject,
  ProtocolError,
  type GetResourcesRequest,
  type JsonObject,
  type ProtocolProfile,
} from '../protocol/index.js';
import { messageOf, type UpstreamWait } from './hosting.js';
import {
  CallTimeoutError,
  CapabilityMissingError,
  ServerNotFoundError,
  ServerNotRunningError,
} from './mcp/mcp-errors.js';
import { nextCursorOf } from './mcp/pager.js';

/** How long an MCP server may take for one page: less than the Server waits for the answer. Protocol §5.2. */
const PAGE_TIMEOUT_MS = 25_000;

/** What answering `client:get_resources` works with. */
export interface GetResourcesContext {
  /** One page of a server's resources, as it sent it. Throws the errors of the MCP client layer. */
  readonly listResourcesPage: (
    server: string,
    cursor: string | null | undefined,
    wait: UpstreamWait,
  ) => Promise<JsonObject>;
  readonly profile: ProtocolProfile;
  readonly redact: (text: string) => string;
  readonly signal: AbortSignal;
}

/**
 * Answers `client:get_resources`: one page of `resources/list` of one MCP server, nothing filtered and nothing changed
 * but `mime_type` beside `mimeType`. Protocol §8.2.
 *
 * @throws ProtocolError 404, 4015, 408 or 500, each with `mcp_server_name`. Protocol §5.2.
 */
export async function getResources(request: GetResourcesRequest, context: GetResourcesContext): Promise<JsonObject> {
  const { mcp_server: server, cursor, req_id } = request;
  const wait = { timeoutMs: PAGE_TIMEOUT_MS, signal: context.signal };
  let page: JsonObject;
  try {
    page = await context.listResourcesPage(server, cursor, wait);
  } catch (error) {
    throw toProtocolError(server, error, context);
  }
  const { resources } = page;
  if (!Array.isArray(resources)) throw failed(ErrorCode.Internal, `MCP server "${server}" gave no list`, server);
  const next = nextCursorOf(page);
  const answer = { resources: resources.map(withBothMimeTypes), req_id };
  return next === undefined ? answer : { ...answer, next_cursor: next };
}

/** For peers that read snake_case. The resource itself is what the MCP server sent, broken metadata included. */
function withBothMimeTypes(resource: unknown): unknown {
  if (!isJsonObject(resource) || !('mimeType' in resource) || 'mime_type' in resource) return resource;
  return { ...resource, mime_type: resource['mimeType'] };
}

function failed(code: number, message: string, server: string, fields: JsonObject = {}): ProtocolError {
  return new ProtocolError(code, message, { mcp_server_name: server, ...fields });
}

function toProtocolError(server: string, error: unknown, { profile, redact }: GetResourcesContext): ProtocolError {
  const message = redact(messageOf(error));
  if (error instanceof ServerNotFoundError) return profile.mcpServerNotFound(server);
  if (error instanceof CapabilityMissingError) {
    return failed(ErrorCode.McpCapabilityNotSupported, message, server, { capability: error.capability });
  }
  if (error instanceof CallTimeoutError) return failed(ErrorCode.Timeout, message, server);
  if (error instanceof ServerNotRunningError)
    return failed(ErrorCode.Internal, message, server, { state: error.state });
  return failed(ErrorCode.Internal, `The resources could not be listed: ${message}`, server);
}
