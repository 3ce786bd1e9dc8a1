import type { JsonObject } from '../../protocol/index.js';
import { HttpStatusError, UpstreamError } from './mcp-errors.js';
import type { ServerHost } from './server-host.js';
import { DEFAULT_REQUEST_MS, type RequestOptions } from './upstream-requests.js';

/** A tool as its own server knows it, with the arguments as the Agent gave them. */
export interface ToolCall {
  readonly originalName: string;
  readonly args: JsonObject;
}

/**
 * Calls a tool on one server. A call that surely was not executed, because the server had forgotten the session, is made
 * once more in the new session; nothing else is ever repeated. Waiting counts as call time.
 *
 * @throws ServerNotRunningError, UpstreamAuthError, CallTimeoutError, CallCancelledError, UpstreamError.
 */
export async function callTool(host: ServerHost, call: ToolCall, options: RequestOptions): Promise<JsonObject> {
  const began = performance.now();
  const client = host.runningClient();
  try {
    return withContent(host, await client.callTool(call.originalName, call.args, options));
  } catch (error) {
    if (!isSessionLost(error)) throw error;
    const left = (): number => (options.timeoutMs ?? DEFAULT_REQUEST_MS) - (performance.now() - began);
    await host.whenBack(client, left(), options.signal);
    const again = { ...options, timeoutMs: left() };
    return withContent(host, await host.runningClient().callTool(call.originalName, call.args, again));
  }
}

function withContent(host: ServerHost, result: JsonObject): JsonObject {
  if (Array.isArray(result['content'])) return result;
  throw new UpstreamError(host.name, `MCP server "${host.name}" answered without content`);
}

function isSessionLost(error: unknown): boolean {
  return error instanceof UpstreamError && error.cause instanceof HttpStatusError && error.cause.sessionLost;
}
