import type { ProtocolVersionError } from '../protocol/index.js';
import type { ToolCallReport } from './calls/call-history.js';
import type { Diagnostic } from './hosting.js';
import type { ServerStatus } from './mcp/index.js';

/** The state of one hosted MCP server, with its name. */
export interface HostedServerStatus extends ServerStatus {
  readonly server: string;
}

/** What a Computer tells the application: never arguments, results or secrets. */
export interface ComputerEvents {
  /** An MCP server is in another state. */
  serverState: [HostedServerStatus];
  /** The tools that Agents see are others now. */
  toolsChanged: [];
  /** The configuration that Agents see is another one now. */
  configChanged: [];
  /** The desktop is another one now; bursts come as one. */
  desktopChanged: [];
  /** A connection to the Server is up; the Computer is in no office yet. */
  connected: [];
  /** The Computer is in the office, for the first time or again. */
  joined: [{ readonly officeId: string; readonly name: string; readonly rejoined: boolean }];
  /** The Computer left the office, or moved to another. */
  left: [{ readonly officeId: string; readonly name: string }];
  /** The connection has gone; it is being made again unless the application closed it. */
  disconnected: [{ readonly reason: string }];
  /** The office could not be joined again in time; the Computer stays connected, outside any office. */
  rejoinFailed: [{ readonly error: Error }];
  /** A reconnect met a Server of another protocol version; no more attempts are made. */
  refused: [{ readonly error: ProtocolVersionError }];
  /** A tool call has ended. */
  toolCall: [ToolCallReport];
  /** Something that a user can mend. */
  diagnostic: [Diagnostic];
}
