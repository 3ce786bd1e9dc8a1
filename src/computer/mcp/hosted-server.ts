import type { McpServerConfig } from '../../protocol/index.js';
import type { Root } from './server-requests.js';

/** One MCP server to host, as the configuration has it: unresolved. */
export interface HostedServer {
  readonly config: McpServerConfig;
  /** `url` without a type: streamable HTTP is tried first, then SSE. Protocol §7.1. @default false */
  readonly sseFallback?: boolean;
  /** Its roots. @default those of the Computer */
  readonly roots?: readonly Root[] | undefined;
}
