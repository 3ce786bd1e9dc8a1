import { isJsonObject, type CallToolResult, type JsonObject, type ToolCallRequest } from '../../protocol/index.js';
import type { ToolRoute } from '../hosting.js';
import type { Redactor } from '../redactor.js';
import { jsonStart } from './json-start.js';
import type { CallOrigin } from './running-calls.js';

/** What is told of a tool call when it has ended: never its arguments, never its result. */
export interface ToolCallReport {
  readonly reqId: string;
  /**
   * The name of the Agent: the one under which it entered the office where this Computer saw that, which the Server
   * vouches for; else what the call itself says. `(owner)` for the owner's own calls, which are `local`.
   */
  readonly agent: string;
  /** The owner's own call, by `callTool`; absent: an Agent's. */
  readonly local?: true;
  /** The MCP server, also where the tool is forbidden; absent when no tool has that name. */
  readonly server: string | undefined;
  /** The name by which the Agent called it. */
  readonly tool: string;
  /** The same as `tool`. */
  readonly exposedName: string;
  /** The tool's own name on its MCP server; absent when no tool has that name. */
  readonly originalName: string | undefined;
  /** Whether the result is not an error. */
  readonly ok: boolean;
  /** The code of a failure that the Computer reported. */
  readonly code: number | undefined;
  /** In milliseconds. */
  readonly durationMs: number;
  readonly outcome: CallOutcome;
}

/**
 * How a call ended: `ok`; `tool-error`, the MCP server's own error result; `refused`, the Computer is paused, its access
 * rules forbid it, or the tool is forbidden; `declined`, nobody confirmed it; `timeout`; `cancelled`; `stopped` by the
 * owner; `failed`, any other failure that the Computer reported.
 */
export type CallOutcome = 'ok' | 'tool-error' | 'refused' | 'declined' | 'timeout' | 'cancelled' | 'stopped' | 'failed';

/** A call of the past: what its owner may want to know of it, without secrets. Long texts are cut. */
export interface CallHistoryEntry extends ToolCallReport {
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The beginning of the arguments, as JSON. */
  readonly args: string;
  /** The beginning of what the Agent got: the texts of the result, other content by its type. */
  readonly answer: string;
}

/** A call that has ended. */
export interface EndedCall {
  readonly request: ToolCallRequest;
  readonly origin: CallOrigin;
  readonly route: ToolRoute | undefined;
  /** See {@link ToolCallReport.server}. */
  readonly server: string | undefined;
  readonly result: CallToolResult;
  readonly outcome: CallOutcome;
  /** See {@link ToolCallReport.code}. */
  readonly code: number | undefined;
  readonly startedAt: Date;
  /** In milliseconds. */
  readonly durationMs: number;
}

/** What is told of a call that has ended. */
export function reportOf({ request, origin, route, server, result, ...rest }: EndedCall): ToolCallReport {
  const { code, durationMs, outcome } = rest;
  return {
    reqId: request.req_id,
    agent: origin.agent,
    ...(origin.local === true ? { local: true } : undefined),
    server,
    tool: request.tool_name,
    exposedName: request.tool_name,
    originalName: route?.tool,
    ok: result.isError !== true,
    code,
    durationMs: Math.round(durationMs),
    outcome,
  };
}

/** A name that came from elsewhere, without secrets and not longer than a name is. */
export function shownName(name: string, redactor: Redactor): string {
  return excerptOf(name, MAX_NAME, redactor);
}

const MAX_NAME = 256;
const MAX_EXCERPT = 1_000;

/** The last calls of one office, oldest first; the oldest make room. */
export class CallHistory {
  readonly #capacity: number;
  readonly #redactor: Redactor;
  readonly #entries: CallHistoryEntry[] = [];

  constructor(capacity: number, redactor: Redactor) {
    this.#capacity = capacity;
    this.#redactor = redactor;
  }

  /** A copy. */
  get entries(): readonly CallHistoryEntry[] {
    return [...this.#entries];
  }

  /** Adds the latest call. Keeps nothing of it but a few short texts. */
  add(call: EndedCall): void {
    if (this.#capacity < 1) return;
    this.#entries.push(this.#entryOf(call));
    if (this.#entries.length > this.#capacity) this.#entries.shift();
  }

  /** Nothing learnt in one office shows in the next one. */
  clear(): void {
    this.#entries.length = 0;
  }

  #entryOf(call: EndedCall): CallHistoryEntry {
    const { request, result, startedAt, durationMs } = call;
    const report = reportOf(call);
    const needed = this.#redactor.startNeeded(MAX_EXCERPT);
    return {
      ...report,
      reqId: this.#excerpt(report.reqId, MAX_NAME),
      agent: this.#excerpt(report.agent, MAX_NAME),
      tool: this.#excerpt(report.tool, MAX_NAME),
      exposedName: this.#excerpt(report.tool, MAX_NAME),
      startedAt,
      endedAt: new Date(startedAt.getTime() + durationMs),
      args: this.#excerpt(jsonStart(request.params, needed + 1), MAX_EXCERPT),
      answer: this.#excerpt(answerStart(result, needed + 1), MAX_EXCERPT),
    };
  }

  #excerpt(text: string, length: number): string {
    return excerptOf(text, length, this.#redactor);
  }
}

/** The beginning of a text, without secrets. */
export function excerptOf(text: string, length: number, redactor: Redactor): string {
  if (text.length <= length) return redactor.redact(text);
  // A copy: a part of a text keeps the whole of it in memory.
  return `${Buffer.from(redactor.redactStart(text, length)).toString()}…`;
}

/** The beginning of a result's texts, other blocks by their type; of one without content its structure. */
function answerStart({ content, structuredContent }: CallToolResult, length: number): string {
  if (content.length === 0 && structuredContent != null) return jsonStart(structuredContent, length);
  let text = '';
  // Blocks are the MCP server's, of whatever shape.
  for (const block of content as readonly unknown[]) {
    if (text.length >= length) break;
    if (text !== '') text += '\n';
    text += isJsonObject(block) ? blockStart(block, length) : '[no block]';
  }
  return text;
}

function blockStart({ text, type }: JsonObject, length: number): string {
  if (typeof text === 'string') return text.slice(0, length);
  return typeof type === 'string' ? `[${type.slice(0, MAX_NAME)}]` : '[no type]';
}
