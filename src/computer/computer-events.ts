import type { ProtocolVersionError } from '../protocol/index.js';
import type { PausedState } from './access/call-gate.js';
import type { ToolCallReport } from './calls/call-history.js';
import type { StartedCall, ToolProgress } from './calls/started-call.js';
import type { Diagnostic } from './hosting.js';
import type { ServerLogSource, ServerStatus } from './mcp/index.js';

/** The state of one hosted MCP server, with its name. */
export interface HostedServerStatus extends ServerStatus {
  readonly server: string;
}

/** A line that an MCP server wrote for a person. */
export interface ServerLogLine {
  readonly server: string;
  /** Without secrets; a long one is cut. */
  readonly line: string;
  readonly source: ServerLogSource;
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
  /** A tool call is being sent to its MCP server: it was let through, and confirmed where that was needed. */
  toolStarted: [StartedCall];
  /**
   * A running call has come further; ten times a second at most for each. Where somebody listens when a call begins,
   * its MCP server is asked for progress.
   */
  toolProgress: [ToolProgress];
  /** A tool call has ended, whatever came of it. */
  toolCall: [ToolCallReport];
  /** The owner paused the Computer, or gave another reason. */
  paused: [PausedState];
  /** The owner lets calls through again. */
  resumed: [];
  /** An MCP server wrote a line for a person; some 20 a second of each at most, without secrets. */
  serverLog: [ServerLogLine];
  /** Something that a user can mend. */
  diagnostic: [Diagnostic];
}
