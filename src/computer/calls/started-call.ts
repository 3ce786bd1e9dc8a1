import type { ToolRoute } from '../hosting.js';
import type { Redactor } from '../redactor.js';
import { shownName } from './call-history.js';
import type { CallProgress } from './call-progress.js';
import type { Call } from './running-calls.js';

/** A call that is being sent to its MCP server, or was. */
export interface StartedCall {
  readonly reqId: string;
  /** See {@link CallOrigin.agent}. */
  readonly agent: string;
  /** The owner's own call. */
  readonly local?: true;
  readonly server: string;
  /** The tool's own name. */
  readonly tool: string;
  /** The name by which it was called. */
  readonly exposedName: string;
}

/** How far a call is. */
export type ToolProgress = StartedCall & CallProgress;

/** What is told of a call that is sent to its MCP server. */
export function startedCall({ request, origin }: Call, { server, tool }: ToolRoute, redactor: Redactor): StartedCall {
  return {
    reqId: shownName(request.req_id, redactor),
    agent: shownName(origin.agent, redactor),
    ...(origin.local === true ? { local: true } : undefined),
    server,
    tool,
    exposedName: shownName(request.tool_name, redactor),
  };
}
