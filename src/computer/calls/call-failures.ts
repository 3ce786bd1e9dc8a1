import { ErrorCode, failedCall, type CallToolResult, type JsonObject } from '../../protocol/index.js';
import { messageOf } from '../hosting.js';
import {
  CallTimeoutError,
  ServerNotRunningError,
  ToolForbiddenError,
  ToolNotFoundError,
  UpstreamAuthError,
  UpstreamError,
} from '../mcp/mcp-errors.js';

/** Who is told what when an MCP server wants other credentials: fixed texts, never anything it said. Protocol §6.5. */
const AUTH = {
  required: {
    code: ErrorCode.ToolAuthorizationRequired,
    hint: {
      action: 'configure_credentials',
      message: 'Log in to this MCP server, or configure its credentials, on the Computer.',
    },
  },
  failed: {
    code: ErrorCode.ToolAuthorizationFailed,
    hint: {
      action: 'renew_credentials',
      message: 'The MCP server refused the credentials it was given: renew or extend them on the Computer.',
    },
  },
} as const;

/** The call was cancelled by its req_id. Protocol §6.3. */
export function cancelledResult(): CallToolResult {
  return failedCall('The tool call was cancelled.', { a2c_cancelled: true });
}

/** The call's budget ran out. Protocol §6.2. */
export function timedOutResult(timeoutSeconds: number): CallToolResult {
  const meta = { error_code: ErrorCode.ToolTimedOut, a2c_timeout: true };
  return failedCall(`The tool did not finish within ${timeoutSeconds} s and was stopped.`, meta);
}

/** The arguments do not fit the tool's schema; `problems` names each field. Protocol §5.1 has no code of its own for it. */
export function invalidArgumentsResult(problems: readonly string[]): CallToolResult {
  const lines = problems.map((problem) => `\n- ${problem}`);
  const message = `The arguments do not fit the tool's input schema, so it was not called:${lines.join('')}`;
  return failedCall(message, { error_code: ErrorCode.ToolExecutionFailed });
}

/** The call was ended by the owner of the Computer: no cancel of the Agent's, and no failure of the tool's. Protocol §6.1. */
export function stoppedResult(): CallToolResult {
  const meta = { error_code: ErrorCode.ToolExecutionFailed };
  return failedCall('The owner of this Computer stopped the tool call while it ran.', meta);
}

/** The call was ended because the Computer closes. */
export function closingResult(): CallToolResult {
  return failedCall('The Computer is closing.', { error_code: ErrorCode.ToolExecutionFailed });
}

/**
 * What the Agent gets for a failure of ours: always a result, with the code of the failure. Protocol §5.1, §6.1, §6.5.
 *
 * @param redact - takes secrets out of what an MCP server said.
 * @returns `undefined` for what was not foreseen.
 */
export function failureResult(error: unknown, redact: (text: string) => string): CallToolResult | undefined {
  if (error instanceof UpstreamAuthError) return authResult(error);
  const code = codeOf(error);
  return code === undefined ? undefined : failedCall(redact(messageOf(error)), { error_code: code });
}

/** 4003 for what was not foreseen; the log has the cause. */
export function unforeseenResult(): CallToolResult {
  return failedCall('The Computer could not execute the tool call.', { error_code: ErrorCode.ToolExecutionFailed });
}

function authResult(error: UpstreamAuthError): CallToolResult {
  const { code, hint } = AUTH[error.kind];
  const meta: JsonObject = { error_code: code, mcp_server: error.server, auth_hint: { ...hint } };
  return failedCall(`${error.message}. ${hint.message}`, meta);
}

function codeOf(error: unknown): number | undefined {
  if (error instanceof ToolNotFoundError) return ErrorCode.ToolNotFound;
  if (error instanceof ToolForbiddenError) return ErrorCode.ToolDisabled;
  if (error instanceof CallTimeoutError) return ErrorCode.ToolTimedOut;
  if (error instanceof ServerNotRunningError || error instanceof UpstreamError) return ErrorCode.ToolExecutionFailed;
  return undefined;
}
