import type { JsonObject } from '../../protocol/index.js';

/** What an MCP server told of a running call. */
export interface ToolProgressReport {
  readonly reqId: string;
  readonly server: string;
  /** The name by which the Agent called it. */
  readonly tool: string;
  /** As the MCP server sent it, without secrets. */
  readonly progress: JsonObject;
}

/** How far a call is, as its MCP server says. */
export interface CallProgress {
  /** Grows; of `total` where there is one. */
  readonly progress: number;
  readonly total?: number;
  /** Without secrets; the beginning of a long one. */
  readonly message?: string;
}

const MAX_MESSAGE = 500;

/** Reads MCP's progress, whatever the server put there; `undefined` when it says nothing. */
export function readProgress({ progress, total, message }: JsonObject): CallProgress | undefined {
  if (typeof progress !== 'number') return undefined;
  return {
    progress,
    ...(typeof total === 'number' ? { total } : undefined),
    ...(typeof message === 'string' ? { message: message.slice(0, MAX_MESSAGE) } : undefined),
  };
}
