import {
  InsufficientScopeError,
  OAuthError,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {
  CallCancelledError,
  CallTimeoutError,
  HttpConnectionError,
  HttpStatusError,
  ServerStartError,
  UpstreamAuthError,
  UpstreamError,
  type AuthChallenge,
  type StartFailure,
} from './mcp-errors.js';

/** The HTTP status behind an error: from typed errors only, never from words. */
export function httpStatusOf(error: unknown): number | undefined {
  if (error instanceof HttpStatusError) return error.status;
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code;
  if (error instanceof InsufficientScopeError) return 403;
  return error instanceof UnauthorizedError ? 401 : undefined;
}

/**
 * Whether an error means that credentials are missing (`required`: 401) or were refused (`failed`: 403, a failed
 * refresh). Protocol §6.5.
 */
function authKindOf(error: unknown): 'required' | 'failed' | undefined {
  if (error instanceof UpstreamAuthError) return error.kind;
  if (error instanceof OAuthError) return 'failed';
  if (error instanceof HttpStatusError && error.loginRefused) return 'failed';
  const status = httpStatusOf(error);
  if (status === 401) return 'required';
  return status === 403 ? 'failed' : undefined;
}

/** What a failure to send a request means for its caller. */
export function toCallError(server: string, error: unknown, challenge: AuthChallenge | undefined): Error {
  const kind = authKindOf(error);
  if (kind !== undefined) return new UpstreamAuthError(kind, server, challenge);
  const notExecuted =
    (error instanceof HttpStatusError && error.sessionLost) ||
    (error instanceof HttpConnectionError && error.notConnected);
  return new UpstreamError(server, `MCP server "${server}" failed: ${messageOf(error)}`, { notExecuted, cause: error });
}

/** What an error during the start of a server means for its state. */
export function toStartError(error: unknown): ServerStartError {
  if (error instanceof ServerStartError) return error;
  if (error instanceof UpstreamError && error.ending !== undefined) {
    const { ending } = error;
    return new ServerStartError(ending.refused ?? 'exited', error.message, { ending, cause: error });
  }
  return new ServerStartError(failureOf(error), messageOf(error), { cause: error });
}

function failureOf(error: unknown): StartFailure {
  if (error instanceof CallTimeoutError) return 'timeout';
  if (error instanceof CallCancelledError) return 'cancelled';
  const kind = authKindOf(error);
  if (kind !== undefined) return kind === 'required' ? 'auth-required' : 'auth-failed';
  if (error instanceof HttpConnectionError || httpStatusOf(error) !== undefined) return 'unreachable';
  return 'protocol';
}

function messageOf(error: unknown): string {
  // The SDK puts the server's whole answer into this message.
  if (error instanceof SdkHttpError) return `The server answered HTTP ${error.status}`;
  return error instanceof Error ? error.message : String(error);
}
