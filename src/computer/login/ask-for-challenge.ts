import { extractWWWAuthenticateParams, LATEST_PROTOCOL_VERSION, type FetchLike } from '@modelcontextprotocol/client';
import type { AuthChallenge } from '../mcp/mcp-errors.js';

/** What an MCP server says that it wants from somebody without a login. Nothing, when it cannot be asked. */
export async function askForChallenge(server: URL, fetch: FetchLike): Promise<AuthChallenge> {
  const clientInfo = { name: 'a2c-smcp', version: '0' };
  const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo };
  try {
    const response = await fetch(server, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
    });
    const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    return { error, scope, resourceMetadataUrl: resourceMetadataUrl?.href };
  } catch {
    return {};
  }
}
