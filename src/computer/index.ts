export { Computer } from './computer.js';
export { type AccessRule, type AccessRules } from './access/access-rules.js';
export { type PausedState } from './access/call-gate.js';
export { type AuditOptions } from './audit/audit-log.js';
export { type AuditRecord } from './audit/audit-record.js';
export { type ComputerEvents, type HostedServerStatus, type ServerLogLine } from './computer-events.js';
export { type ComputerConnectionOptions, type ComputerOptions, type HostingOptions } from './computer-options.js';
export { type Diagnostic } from './hosting.js';
export { ConfigError, type ConfigErrorPlace, type TextPosition } from './config/config-error.js';
export {
  EMPTY_CONFIG,
  mergeConfigs,
  parseConfig,
  readConfig,
  type ComputerConfig,
  type ComputerConfigInput,
} from './config/parse-config.js';
export type { ConfigWarning } from './config/config-warning.js';
export { editConfigFile, type ConfigEdits } from './config/edit-config-file.js';
export { editJsonText, type ConfigEdit } from './config/edit-json-text.js';
export { readConfigFiles } from './config/read-config-files.js';
export { pathOfServer } from './config/server-path.js';
export { type ConfiguredServer } from './config/read-server.js';
export { ConfigWatcher, type ConfigWatcherEvents, type ConfigWatcherOptions } from './config/watch-config.js';
export { configText, type WrittenConfig } from './config/write-config.js';
export {
  explainConfig,
  type ConfigExplanation,
  type ExplainOptions,
  type InputExplanation,
  type ServerExplanation,
} from './config/explain-config.js';
export { checkVrlScripts, type VrlFinding } from './config/check-vrl-scripts.js';
export { findCommand, type CommandSearch } from './mcp/find-command.js';
export { literalSecretsOf, replaceLiteralSecrets, type LiteralSecret } from './config/literal-secrets.js';
export { readJson, type JsonText, type KeysOf } from './config/read-json.js';
export { maskServerConfig } from './config/mask-config.js';
export { maskInput } from './config/mask-input.js';
export { environmentName } from './inputs/environment-name.js';
export { InputError } from './inputs/input-error.js';
export { type PromptInput } from './inputs/find-value.js';
export { type InputSource } from './inputs/input-definitions.js';
export { type InputValueStatus } from './inputs/input-resolver.js';
export {
  FileTokenStore,
  LoginError,
  MemoryTokenStore,
  type LoginClient,
  type LoginFailure,
  type LoginTokens,
  type StopWatching,
  type StoredLogin,
  type TokenStore,
} from './login/index.js';
export { type ServerLoginOptions } from './server-logins.js';
export { MASK, Redactor } from './redactor.js';
export { type CallHistoryEntry, type CallOutcome, type ToolCallReport } from './calls/call-history.js';
export { type CallToConfirm, type ConfirmToolCall } from './calls/confirmation.js';
export { type CallProgress, type ToolProgressReport } from './calls/call-progress.js';
export { type OwnToolCall } from './calls/own-call.js';
export { OWNER, type RunningCall } from './calls/running-calls.js';
export { type StartedCall, type ToolProgress } from './calls/started-call.js';
export { type OwnCallOptions } from './calls/tool-calls.js';
export { type DesktopQuery, type DesktopSettings } from './desktop/desktop.js';
export { type DesktopServerStatus, type DesktopStatus } from './desktop/desktop-status.js';
export { type DpeResolver, type DpeResolverHint, type ResolvedResource } from './dpe/dpe-resolver.js';
export { type CorsOrigins } from './dpe/cors.js';
export { type DocumentStoreOptions } from './dpe/document-store.js';
export { type DocumentsStatus } from './dpe/documents.js';
export { FileDpeResolver, type FileDpeResolverOptions } from './dpe/file-dpe-resolver.js';
export { type SharedHosts } from './dpe/get-dpe.js';
export { type DocumentHost, type ListedDocument } from './dpe/host-index.js';
export { type HttpDpeResolverOptions } from './dpe/http-dpe-options.js';
export { HttpDpeResolver } from './dpe/http-dpe-resolver.js';
export { type ReferenceOptions } from './dpe/references.js';
export { S3DpeResolver, type S3DpeResolverOptions } from './dpe/s3-dpe-resolver.js';
export { type S3ClientLike, type S3Credentials } from './dpe/s3-store.js';
export {
  ServerNotFoundError,
  ServerStartError,
  type ConnectionEnding,
  type RestartPolicy,
  type ServerLogSource,
  type ServerState,
  type ServerStatus,
  type StartFailure,
  type ToolDetails,
  type ToolExplanation,
} from './mcp/index.js';
export { type AnswerServerRequest, type Root, type ServerRequest } from './mcp/server-requests.js';
export { ConnectionError, JoinRefusedError, RequestTimeoutError, type Membership } from '../client/index.js';
