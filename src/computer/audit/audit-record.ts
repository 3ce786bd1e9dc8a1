import type { EndedCall } from '../calls/call-history.js';
import { excerptOf, shownName } from '../calls/call-history.js';
import { jsonStart } from '../calls/json-start.js';
import type { Redactor } from '../redactor.js';

/** The most of a call's arguments that is written, in UTF-16 units of their JSON. */
const MAX_ARGUMENTS = 4_000;

/** One line of an audit file: who called what, and what came of it. */
export interface AuditRecord {
  /** When the call came, ISO 8601. */
  readonly time: string;
  readonly req_id: string;
  /** The office that the Computer was in; null outside one. */
  readonly office: string | null;
  /** See `ToolCallReport.agent`. */
  readonly agent: string;
  /** The owner's own call; absent: an Agent's. */
  readonly local?: true;
  /** The MCP server; null when the name that was called leads to none. */
  readonly server: string | null;
  /** The name that was called. */
  readonly tool: string;
  /** The tool's own name, where it is another one. */
  readonly original_name?: string;
  /** See `CallOutcome`. */
  readonly outcome: string;
  /** The code of a failure that the Computer reported; absent: none. */
  readonly code?: number;
  readonly duration_ms: number;
  /** The beginning of the arguments' JSON, without secrets; only where that was asked for. */
  readonly arguments?: string;
}

/** What is written of a call. Nothing in it is a known secret, and nothing is longer than it needs to be. */
export function auditRecordOf(call: EndedCall, redactor: Redactor, withArguments: boolean): AuditRecord {
  const { request, origin, route, server = null, outcome, code, startedAt, durationMs } = call;
  const tool = shownName(request.tool_name, redactor);
  return {
    time: startedAt.toISOString(),
    req_id: shownName(request.req_id, redactor),
    office: origin.officeId ?? null,
    agent: shownName(origin.agent, redactor),
    ...(origin.local === true ? { local: true } : undefined),
    server,
    tool,
    ...(route === undefined || route.tool === tool ? undefined : { original_name: route.tool }),
    outcome,
    ...(code === undefined ? undefined : { code }),
    duration_ms: Math.round(durationMs),
    ...(withArguments ? { arguments: argumentsOf(call, redactor) } : undefined),
  };
}

function argumentsOf({ request }: EndedCall, redactor: Redactor): string {
  const needed = redactor.startNeeded(MAX_ARGUMENTS);
  return excerptOf(jsonStart(request.params, needed + 1), MAX_ARGUMENTS, redactor);
}
