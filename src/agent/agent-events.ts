import type { ProtocolVersionError, SmcpTool } from '../protocol/index.js';

/** What an Agent tells the application. */
export interface AgentEvents {
  /** A Computer is in the office: it came, or, with a catalogue, it was there when the Agent joined (again). */
  computerJoined: [{ readonly computer: string }];
  /** A Computer left the office. Its tools are forgotten. */
  computerLeft: [{ readonly computer: string }];
  /** The tools of a Computer were fetched: after it came, and after each change. An empty list is news as well. */
  toolsChanged: [{ readonly computer: string; readonly tools: readonly SmcpTool[] }];
  /** The configuration of a Computer changed. */
  configChanged: [{ readonly computer: string }];
  /** The desktop of a Computer changed: an application that shows it fetches it again. */
  desktopChanged: [{ readonly computer: string }];
  /** The connection has gone, and the catalogue with it; it is being made again unless the Agent was closed. */
  disconnected: [{ readonly reason: string }];
  /** The Agent is in its office again; the catalogue is being filled anew. */
  rejoined: [{ readonly officeId: string; readonly name: string }];
  /** The office could not be joined again within `rejoinForMs`; the Agent stays connected, outside any office. */
  rejoinFailed: [{ readonly error: Error }];
  /** A reconnect met a Server of another protocol version; no more attempts are made. */
  refused: [{ readonly error: ProtocolVersionError }];
}
