import type { Transport } from '@modelcontextprotocol/client';
import type { ConnectionEnding } from './mcp-errors.js';

/** A transport that can say how its connection ended and what the server wrote to its standard error. */
export interface UpstreamTransport extends Transport {
  /** How the connection ended; `undefined` while it lives. */
  readonly ending: ConnectionEnding | undefined;
  /** The end of the server's standard error without secrets; empty where there is none. */
  stderrTail(): string;
}
