export { Cancellation, type CancelSignal } from './cancellation.js';
export { type CatalogTool, type Route, type ToolCatalog } from './tool-catalog.js';
export { type HostedServer } from './hosted-server.js';
export { type ListDiagnostic } from './lenient-lists.js';
export { McpClient } from './mcp-client.js';
export {
  CallCancelledError,
  CallTimeoutError,
  CapabilityMissingError,
  ServerNotFoundError,
  ServerNotRunningError,
  ServerStartError,
  ToolForbiddenError,
  ToolNotFoundError,
  UpstreamAuthError,
  UpstreamError,
  type AuthChallenge,
  type ConnectionEnding,
  type StartFailure,
} from './mcp-errors.js';
export { McpServerManager, type McpServerManagerEvents, type McpServerManagerOptions } from './mcp-server-manager.js';
export { type ServerState, type ServerStatus } from './server-state.js';
export { type StartThrottleOptions } from './start-throttle.js';
export { type RestartPolicy } from './supervisor.js';
export { type CallProgress, type RequestOptions } from './upstream-requests.js';
