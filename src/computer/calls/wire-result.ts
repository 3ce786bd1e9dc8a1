import {
  ErrorCode,
  failedCall,
  isDeeperThan,
  isJsonObject,
  MAX_PAYLOAD_DEPTH,
  type CallToolResult,
  type JsonObject,
} from '../../protocol/index.js';

/**
 * An MCP server's result as it goes over the wire: its result-level `_meta` is called `meta` there, everything else is
 * the same object it was. Protocol §6.1.
 *
 * @returns `undefined` when it has no `content`: then it is no result but a failure.
 */
export function toWireResult(result: JsonObject): CallToolResult | undefined {
  if (!Array.isArray(result['content'])) return undefined;
  const { _meta: underscored, meta, isError, ...rest } = result;
  const parts = [meta, underscored].filter(isJsonObject);
  const wire: JsonObject = { ...rest, isError: isError ?? false };
  if (parts.length === 1) wire['meta'] = parts[0];
  else if (parts.length > 1) wire['meta'] = { ...parts[0], ...parts[1] };
  return wire as CallToolResult;
}

/**
 * Makes sure that a result can be sent: one above the packet limit would end the connection, one that nests too deep
 * would be refused on its way. Protocol §5.2, §6.1.
 *
 * @param sizeOf - the size of an answer on the wire, in bytes.
 * @param limit - the largest answer, in bytes.
 * @returns the result itself, or a failure (4003) that says why, with both sizes.
 */
export function sendable(result: CallToolResult, sizeOf: (answer: object) => number, limit: number): CallToolResult {
  if (isDeeperThan(result, MAX_PAYLOAD_DEPTH)) {
    return failure(`The tool's result nests deeper than ${MAX_PAYLOAD_DEPTH} levels and cannot be sent.`);
  }
  const size = sizeOf(result);
  if (size <= limit) return result;
  return failure(
    `The tool's result is ${size} bytes, more than the ${limit} bytes that can be sent. Ask for less, or for a reference to it.`,
  );
}

function failure(message: string): CallToolResult {
  return failedCall(message, { error_code: ErrorCode.ToolExecutionFailed });
}
