import type { ServerStartError, StartFailure } from './mcp-errors.js';

/** What an MCP server is doing. */
export type ServerState =
  /** Not wanted to run. */
  | 'stopped'
  /** Being started, or restarted. */
  | 'starting'
  | 'running'
  /** It runs, but something about it is not as it should be: its stream is being opened again, say. */
  | 'degraded'
  /** Could not be started, and trying again would not help. */
  | 'failed'
  /** It ended, or could not be reached, and will be started again shortly. */
  | 'backing-off'
  /** It ended too often: it waits for a manual start. */
  | 'crash-loop'
  /** `disabled` in its configuration. */
  | 'disabled'
  /** An input that its configuration wants has no value. */
  | 'needs-input'
  /** It refused us for want of a login, or of a better one: it waits for that. Protocol §6.5. */
  | 'needs-login';

/** The state of one MCP server, with why. */
export interface ServerStatus {
  readonly state: ServerState;
  /** When it came into this state, in ms since 1970. */
  readonly since: number;
  /** A sentence for a person, without secrets; with the last words of its standard error where it ended. */
  readonly reason?: string;
  /** What kind of failure it was. */
  readonly failure?: StartFailure;
  /** Of the last process that ended. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** The end of its standard error, without secrets. */
  readonly stderrTail?: string;
  /** Automatic restarts since the last manual start. */
  readonly restarts: number;
  /** How many tools it listed last. */
  readonly tools: number;
}

/** States in which the server's tools stay listed: it runs, or is expected back. */
export function keepsTools(state: ServerState): boolean {
  return isUp(state) || state === 'starting' || state === 'backing-off';
}

/** States in which there is a session. */
export function isUp(state: ServerState): boolean {
  return state === 'running' || state === 'degraded';
}

const FINAL: Partial<Record<StartFailure, ServerState>> = {
  'needs-input': 'needs-input',
  'command-not-found': 'failed',
  'bad-config': 'failed',
  'auth-required': 'needs-login',
  'auth-failed': 'needs-login',
  cancelled: 'stopped',
};

/** The state after a failed start that is not tried again; `undefined` when another attempt may help. */
export function finalStateAfter(error: ServerStartError): ServerState | undefined {
  return FINAL[error.failure];
}
