import { describeCode } from '../../client/index.js';

/** Why an MCP server could not be started. */
export type StartFailure =
  | 'command-not-found'
  | 'bad-config'
  | 'needs-input'
  | 'exited'
  | 'timeout'
  | 'unreachable'
  | 'auth-required'
  | 'auth-failed'
  | 'cancelled'
  | 'protocol';

/** How a connection with an MCP server ended. */
export interface ConnectionEnding {
  /** A sentence for a person. */
  readonly reason: string;
  /** The session is unknown to the server (HTTP); the server itself lives. */
  readonly sessionLost?: boolean;
  /** The server refused our credentials, and there are no better ones: a login is needed. */
  readonly refused?: 'auth-required' | 'auth-failed';
  /** We closed it. */
  readonly closedByUs?: boolean;
  /** Exit code of the child process. */
  readonly exitCode?: number | null;
  /** Signal that ended the child process. */
  readonly signal?: string | null;
  /** The end of its standard error, without secrets. */
  readonly stderrTail?: string;
}

/** What is known of a failed start beside its sentence. */
export interface StartErrorDetails {
  readonly ending?: ConnectionEnding;
  readonly cause?: unknown;
}

/** An MCP server could not be started. The injected `render` throws it too, to say `needs-input` or `bad-config`. */
export class ServerStartError extends Error {
  override readonly name = 'ServerStartError';
  readonly failure: StartFailure;
  readonly ending: ConnectionEnding | undefined;

  constructor(failure: StartFailure, message: string, details: StartErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.failure = failure;
    this.ending = details.ending;
  }
}

/** No tool has this exposed name: code 4001. */
export class ToolNotFoundError extends Error {
  override readonly name = 'ToolNotFoundError';
  readonly tool: string;
  /** Servers that wait for a login and may have the tool. Protocol §6.5. */
  readonly waitingForLogin: readonly string[];

  constructor(tool: string, waitingForLogin: readonly string[] = []) {
    const hint =
      waitingForLogin.length === 0 ? '' : `. These MCP servers wait for a login: ${waitingForLogin.join(', ')}`;
    super(`No tool is named "${tool}" on this Computer${hint}`);
    this.tool = tool;
    this.waitingForLogin = waitingForLogin;
  }
}

/** The tool stands in `forbidden_tools`: code 4002. */
export class ToolForbiddenError extends Error {
  override readonly name = 'ToolForbiddenError';
  readonly tool: string;
  readonly server: string;

  constructor(tool: string, server: string) {
    super(`Tool "${tool}" is disabled by the configuration of MCP server "${server}" (forbidden_tools)`);
    this.tool = tool;
    this.server = server;
  }
}

/** No MCP server has this name in the configuration. */
export class ServerNotFoundError extends Error {
  override readonly name = 'ServerNotFoundError';
  readonly server: string;

  constructor(server: string) {
    super(`No MCP server is named "${server}" on this Computer`);
    this.server = server;
  }
}

/** The MCP server does not run now, so nothing was sent: code 4003. Its message may be shown to Agents. */
export class ServerNotRunningError extends Error {
  override readonly name = 'ServerNotRunningError';
  readonly server: string;
  readonly state: string;
  /** Why, for the Computer's own user: it may name local paths. */
  readonly reason: string | undefined;

  constructor(server: string, state: string, reason?: string) {
    super(`MCP server "${server}" is not running (${state})`);
    this.server = server;
    this.state = state;
    this.reason = reason;
  }
}

/** The MCP server lacks a capability that the request needs: code 4015 for `resources`. */
export class CapabilityMissingError extends Error {
  override readonly name = 'CapabilityMissingError';
  readonly server: string;
  readonly capability: string;

  constructor(server: string, capability: string) {
    super(`MCP server "${server}" does not support ${capability}`);
    this.server = server;
    this.capability = capability;
  }
}

/** What an HTTP server said when it refused the credentials, from its `WWW-Authenticate` header. */
export interface AuthChallenge {
  readonly error?: string;
  readonly scope?: string;
  readonly resourceMetadataUrl?: string;
}

/** The MCP server wants other credentials: `required` is code 4006, `failed` is 4007. Protocol §6.5. */
export class UpstreamAuthError extends Error {
  override readonly name = 'UpstreamAuthError';
  readonly kind: 'required' | 'failed';
  readonly server: string;
  readonly challenge: AuthChallenge | undefined;

  constructor(kind: 'required' | 'failed', server: string, challenge?: AuthChallenge) {
    super(
      kind === 'required'
        ? `MCP server "${server}" requires authorization`
        : `MCP server "${server}" refused the authorization it was given`,
    );
    this.kind = kind;
    this.server = server;
    this.challenge = challenge;
  }
}

/** The time for a request ran out; the upstream was told: code 4004. */
export class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError';
  readonly timeoutMs: number;

  constructor(server: string, timeoutMs: number) {
    super(`MCP server "${server}" did not answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** The caller's signal ended the request; the upstream was told. */
export class CallCancelledError extends Error {
  override readonly name = 'CallCancelledError';

  constructor(server: string) {
    super(`The request to MCP server "${server}" was cancelled`);
  }
}

/** What is known of a failed request beside its sentence. */
export interface UpstreamErrorDetails {
  /** The JSON-RPC error code, when the server sent one. */
  readonly code?: number;
  /** The JSON-RPC error data, as the server sent it. */
  readonly data?: unknown;
  /** How the connection ended, when that is why. */
  readonly ending?: ConnectionEnding;
  /** The request surely never reached the server's code. */
  readonly notExecuted?: boolean;
  readonly cause?: unknown;
}

/** The MCP server answered with an error, or its connection broke during the request: code 4003. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly server: string;
  readonly code: number | undefined;
  readonly data: unknown;
  readonly ending: ConnectionEnding | undefined;
  readonly notExecuted: boolean;

  constructor(server: string, message: string, details: UpstreamErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.server = server;
    this.code = details.code;
    this.data = details.data;
    this.ending = details.ending;
    this.notExecuted = details.notExecuted ?? false;
  }
}

/** An HTTP server refused a message. The body is not part of it: it may hold anything. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError';
  readonly status: number;
  readonly challenge: AuthChallenge | undefined;
  /** The server does not know the session (any more): the message was surely not executed. */
  readonly sessionLost: boolean;
  /** The server refused a login that it was sent, and there is no other one. */
  readonly loginRefused: boolean;

  constructor(
    status: number,
    details: { challenge?: AuthChallenge; sessionLost?: boolean; loginRefused?: boolean } = {},
  ) {
    super(describeStatus(status, details));
    this.status = status;
    this.challenge = details.challenge;
    this.sessionLost = details.sessionLost ?? false;
    this.loginRefused = details.loginRefused ?? false;
  }
}

function describeStatus(status: number, { sessionLost, loginRefused }: Partial<HttpStatusError>): string {
  if (sessionLost === true) return `The session is lost (HTTP ${status})`;
  if (loginRefused === true) return `The login has expired or was revoked (HTTP ${status}); log in again`;
  if (status === 401) return 'The server wants a login, or other credentials (HTTP 401)';
  return status === 403 ? 'The credentials do not suffice (HTTP 403)' : `The server answered HTTP ${status}`;
}

/** An HTTP server could not be reached, or the connection broke before an answer. */
export class HttpConnectionError extends Error {
  override readonly name = 'HttpConnectionError';
  /** No connection came about: the message was surely not executed. */
  readonly notConnected: boolean;

  constructor(code: string, cause: unknown, through = '') {
    super(`Cannot reach the server: ${describeCode(code)}${through}`, { cause });
    this.notConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH'].includes(
      code,
    );
  }
}
