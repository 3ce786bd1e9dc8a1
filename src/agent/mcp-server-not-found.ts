import { ErrorCode, ProtocolError } from '../protocol/index.js';

/**
 * Whether `getResources` failed because the Computer has no such MCP server: 404 with the server's name, or the 4014
 * of newer peers. Protocol §5.1, §5.2.
 */
export function isMcpServerNotFound(error: unknown): error is ProtocolError {
  if (!(error instanceof ProtocolError)) return false;
  if (error.code === ErrorCode.McpServerNotFound) return true;
  return error.code === ErrorCode.NotFound && typeof error.fields['mcp_server_name'] === 'string';
}
