import type { Transport } from '@modelcontextprotocol/client';
import type { ConnectionEnding } from './mcp-errors.js';
import type { HealthAspect } from './server-health.js';

/** A transport that can say how its connection ended and what the server wrote to its standard error. */
export interface UpstreamTransport extends Transport {
  /** How the connection ended; `undefined` while it lives. */
  readonly ending: ConnectionEnding | undefined;
  /** Something is wrong with the connection, although it lives; `undefined`: it is well again. */
  onhealth?: ((aspect: HealthAspect, problem: string | undefined) => void) | undefined;
  /** The end of the server's standard error without secrets; empty where there is none. */
  stderrTail(): string;
}
