export { explainTool, toolDetails, type ToolDetails, type ToolExplanation } from './explain-tool.js';
export { ServerNotFoundError, ServerStartError, type ConnectionEnding, type StartFailure } from './mcp-errors.js';
export { McpServerManager } from './mcp-server-manager.js';
export { type ServerLogSource } from './server-log.js';
export { isUp, type ServerState, type ServerStatus } from './server-state.js';
export { type RestartPolicy } from './supervisor.js';
