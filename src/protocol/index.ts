export { DEFAULT_PATH, isName, MAX_NAME_LENGTH, MAX_TIMEOUT_SECONDS } from './basics.js';
export {
  CALL_EVENTS,
  COMMAND_EVENTS,
  EVENTS,
  GET_WAIT_SECONDS,
  isCallEvent,
  isCommandEvent,
  isNoticeEvent,
  NAMESPACE,
  NOTICE_EVENTS,
  SERVER_GRACE_SECONDS,
  type Answer,
  type CallEvent,
  type CommandEvent,
  type EventName,
  type NoticeEvent,
  type Payload,
} from './events.js';
export {
  DPE_FAILURE_CATEGORIES,
  ErrorCode,
  ProtocolError,
  ProtocolVersionError,
  readErrorAck,
  type DpeFailureCategory,
  type ErrorPayload,
  type VersionRefusal,
} from './errors.js';
export {
  checkPayload,
  describeIssues,
  handleCall,
  readIncoming,
  sendAck,
  toErrorPayload,
  type Ack,
  type Incoming,
} from './exchange.js';
export { checkHttpPath } from './http-path.js';
export { isDeeperThan, isJsonObject, jsonByteLength, MAX_PAYLOAD_DEPTH, type JsonObject } from './json.js';
export { silentLogger, type Logger } from './logger.js';
export { nameSchema } from './names.js';
export { readWithNonNumbers } from './non-numbers.js';
export { PROFILE_0_2, profileVersion, type Outcome, type ProtocolProfile } from './profile.js';
export {
  isCompatible,
  parseVersion,
  PROTOCOL_VERSION,
  supportedRange,
  VERSION_QUERY_PARAMETER,
  type ProtocolVersion,
  type VersionRange,
} from './version.js';
export { parseDuration } from './duration.js';
export { lintHost, UriError, type DroppedPart } from './identifier-uri.js';
export { WindowUri } from './window-uri.js';
export { DpeUri } from './dpe-uri.js';
export { mergeToolMeta, type ToolMeta } from './tool-meta.js';
export {
  dpeDocumentSchema,
  dpeElementSchema,
  dpeOutlineSchema,
  dpePageSchema,
  ELEMENT_CATEGORIES,
  standardCategory,
  type DpeDocumentContent,
  type DpeElement,
  type DpePage,
  type ElementCategory,
} from './dpe-document.js';
export {
  callToolResultSchema,
  DEFAULT_TIMEOUT_SECONDS,
  failedCall,
  jsonObjectSchema,
  readCallToolResult,
  timeoutSchema,
  toolCallCancelSchema,
  toolCallRequestSchema,
  type CallToolResult,
  type ContentBlock,
  type ToolCallCancel,
  type ToolCallRequest,
} from './schemas/call.js';
export {
  getConfigAnswerSchema,
  getConfigRequestSchema,
  type GetConfigAnswer,
  type GetConfigRequest,
} from './schemas/config.js';
export {
  getDesktopAnswerSchema,
  getDesktopRequestSchema,
  type GetDesktopAnswer,
  type GetDesktopRequest,
} from './schemas/desktop.js';
export { getDpeAnswerSchema, getDpeRequestSchema, type GetDpeAnswer, type GetDpeRequest } from './schemas/dpe.js';
export { mcpServerInputSchema, type McpServerInput } from './schemas/inputs.js';
export {
  mcpServerConfigSchema,
  sseServerConfigSchema,
  stdioServerConfigSchema,
  streamableServerConfigSchema,
  type McpServerConfig,
  type McpServerConfigInput,
  type SseServerConfig,
  type StdioServerConfig,
  type StreamableServerConfig,
} from './schemas/mcp-server-config.js';
export {
  computerUpdateSchema,
  joinOfficeRequestSchema,
  leaveOfficeRequestSchema,
  listRoomAnswerSchema,
  listRoomRequestSchema,
  memberNoticeSchema,
  roleSchema,
  sessionInfoSchema,
  type ComputerUpdate,
  type JoinOfficeRequest,
  type LeaveOfficeRequest,
  type ListRoomAnswer,
  type ListRoomRequest,
  type MemberNotice,
  type Role,
  type SessionInfo,
} from './schemas/office.js';
export {
  getResourcesAnswerSchema,
  getResourcesRequestSchema,
  type GetResourcesAnswer,
  type GetResourcesRequest,
  type Resource,
} from './schemas/resources.js';
export {
  getToolsAnswerSchema,
  getToolsRequestSchema,
  smcpToolSchema,
  toolMetaValueSchema,
  type GetToolsAnswer,
  type GetToolsRequest,
  type SmcpTool,
  type ToolMetaValue,
} from './schemas/tools.js';
