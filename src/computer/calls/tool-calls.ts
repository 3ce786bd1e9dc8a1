import { packetBytes } from '../../client/index.js';
import {
  ErrorCode,
  failedCall,
  isJsonObject,
  type CallToolResult,
  type JsonObject,
  type Logger,
  type ToolCallRequest,
} from '../../protocol/index.js';
import { messageOf, type ToolHost, type ToolRoute } from '../hosting.js';
import { Cancellation } from '../mcp/cancellation.js';
import { CallTimeoutError } from '../mcp/mcp-errors.js';
import type { Redactor } from '../redactor.js';
import {
  cancelledResult,
  closingResult,
  failureResult,
  invalidArgumentsResult,
  timedOutResult,
  unforeseenResult,
} from './call-failures.js';
import type { CallOutcome, EndedCall } from './call-history.js';
import { askConfirmation, type ConfirmToolCall } from './confirmation.js';
import { sendable, toWireResult } from './wire-result.js';

/** What an MCP server told of a running call. */
export interface ToolProgressReport {
  readonly reqId: string;
  readonly server: string;
  /** The name by which the Agent called it. */
  readonly tool: string;
  /** As the MCP server sent it. */
  readonly progress: JsonObject;
}

/** A result that an MCP server gave, and what it was asked for. */
export interface FinishedCall {
  /** In its wire form. */
  readonly result: CallToolResult;
  /** The tool's own name. */
  readonly toolName: string;
  readonly params: JsonObject;
  /** What is left of the call's budget, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether a result is small enough to be sent. */
  readonly isSendable: (result: CallToolResult) => boolean;
}

/** Finds out what is wrong with arguments: sentences that name a field and no value. Never rejects. */
type CheckArguments = (route: ToolRoute, args: JsonObject, timeoutMs: number) => Promise<readonly string[]>;

/** What {@link ToolCalls} works with. */
export interface ToolCallsOptions {
  readonly host: ToolHost;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Absent: the MCP servers alone judge arguments. */
  readonly checkArguments?: CheckArguments | undefined;
  readonly confirm: ConfirmToolCall | undefined;
  readonly confirmTimeoutMs: number | undefined;
  /** The largest answer that can be sent now, in bytes. */
  readonly maxAnswerBytes: () => number;
  /** A call is really being sent to this server. */
  readonly onSent: (server: string) => void;
  /** Gets each call when it has ended, and whether the Computer is in the office still that it came from. */
  readonly onEnded: (call: EndedCall, sameOffice: boolean) => void;
  /** Gets progress of running calls; absent: servers are not asked for it. */
  readonly onProgress: ((report: ToolProgressReport) => void) | undefined;
  /** What makes the result that the Agent gets of one of this server's; `undefined` where it is the same. */
  readonly transformOf: (server: string) => ((call: FinishedCall) => Promise<CallToolResult>) | undefined;
}

type Ending = 'cancelled' | 'timeout' | 'closing';

/** One call under way. Why it ended is its own state, not read from an error. */
interface Running {
  readonly request: ToolCallRequest;
  readonly cancellation: Cancellation;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  readonly startedAt: Date;
  /** Counts the offices: what was asked for in an earlier one must not show in the present one. */
  readonly office: number;
  ending: Ending | undefined;
  route: ToolRoute | undefined;
  /** Its result is the MCP server's, not one of ours. */
  isAnswered: boolean;
}

/**
 * Executes the tool calls of Agents: finds the tool, asks for confirmation, keeps the budget, cancels, and makes a
 * result of whatever happens. Calls run in parallel. Protocol §6.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #running = new Set<Running>();
  /** By req_id; ids that were taken in another office are forgotten. */
  readonly #cancellable = new Map<string, Set<Running>>();
  #office = 0;

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** Executes one call. Never throws: a failure is a result with `isError`. */
  async execute(request: ToolCallRequest): Promise<CallToolResult> {
    const began = performance.now();
    const call: Running = {
      request,
      cancellation: new Cancellation(),
      deadline: began + request.timeout * 1000,
      startedAt: new Date(),
      office: this.#office,
      ending: undefined,
      route: undefined,
      isAnswered: false,
    };
    this.#register(call);
    const made = await this.#run(call);
    const result = this.#fitting(made);
    if (result !== made) call.isAnswered = false;
    this.#unregister(call);
    this.#report(call, result, performance.now() - began);
    return result;
  }

  /** Ends every running call of this id; unknown ids do nothing. Protocol §6.3. */
  cancel(reqId: string): void {
    for (const call of this.#cancellable.get(reqId) ?? []) this.#end(call, 'cancelled');
  }

  /** The Computer is in another office now: what runs goes on, but its ids and its traces mean nothing there. */
  officeChanged(): void {
    this.#office += 1;
    this.#cancellable.clear();
  }

  /** Ends every call. */
  close(): void {
    for (const call of this.#running) this.#end(call, 'closing');
  }

  async #run(call: Running): Promise<CallToolResult> {
    const { redactor, logger } = this.#options;
    try {
      return await this.#attempt(call);
    } catch (error) {
      if (call.ending === 'cancelled') return cancelledResult();
      if (call.ending === 'closing') return closingResult();
      if (call.ending === 'timeout' || error instanceof CallTimeoutError) return timedOutResult(call.request.timeout);
      const known = failureResult(error, (text) => redactor.redact(text));
      if (known !== undefined) return known;
      logger.error({ req_id: call.request.req_id, problem: messageOf(error) }, 'A tool call failed unexpectedly');
      return unforeseenResult();
    }
  }

  async #attempt(call: Running): Promise<CallToolResult> {
    const { tool_name: tool } = call.request;
    const route = this.#options.host.route(tool);
    call.route = route;
    const { checkArguments } = this.#options;
    const invalid = checkArguments && route && (await this.#invalid(call, route, checkArguments));
    if (invalid !== undefined) return invalid;
    // Its expiry is a refusal (4005) and not a timeout, so the budget's own timer starts only after it. Protocol §6.4.
    if (needsConfirmation(route)) {
      // Nobody is to be asked about a call that cannot be made now.
      this.#options.host.assertRunning(route.server);
      const refusal = await this.#confirm(call, route);
      if (refusal !== undefined) return refusal;
    }
    // What was confirmed is this tool of this server, whatever the name leads to by now.
    if (!isSame(route, this.#options.host.route(tool)))
      return failedCall(MOVED, { error_code: ErrorCode.ToolNotFound });
    const answer = await this.#send(call, route?.server);
    const result = toWireResult(answer);
    if (result !== undefined) {
      const transformed = await this.#transform(call, route, result);
      call.isAnswered = true;
      return transformed;
    }
    const message = `MCP server "${route?.server ?? '?'}" answered without content.`;
    return failedCall(message, { error_code: ErrorCode.ToolExecutionFailed });
  }

  async #invalid(call: Running, route: ToolRoute, check: CheckArguments): Promise<CallToolResult | undefined> {
    const { params } = call.request;
    const problems = await untilEnded(call.cancellation, () => check(route, params, remainingMs(call)));
    const { redactor } = this.#options;
    return problems.length === 0 ? undefined : invalidArgumentsResult(problems.map((text) => redactor.redact(text)));
  }

  async #send(call: Running, server: string | undefined): Promise<JsonObject> {
    const { host, onSent, onProgress } = this.#options;
    const { req_id: reqId, tool_name: tool, params } = call.request;
    const { cancellation } = call;
    const timeoutMs = remainingMs(call);
    const timer = setTimeout(() => {
      this.#end(call, 'timeout');
    }, timeoutMs);
    const report = (progress: object): void => {
      onProgress?.({ reqId, server: server ?? '', tool, progress: { ...progress } });
    };
    try {
      if (server !== undefined && call.office === this.#office && host.isRunning(server)) onSent(server);
      const wait = { timeoutMs, signal: cancellation, onProgress: onProgress === undefined ? undefined : report };
      return await untilEnded(cancellation, () => host.callTool(tool, params, wait));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Its own limit is what is left of the budget: a script that is late leaves the result as it is. */
  async #transform(call: Running, route: ToolRoute | undefined, result: CallToolResult): Promise<CallToolResult> {
    const transform = route && this.#options.transformOf(route.server);
    if (transform === undefined) return result;
    const { params } = call.request;
    const isSendable = (made: CallToolResult): boolean => this.#sendable(made) === made;
    const done = { result, toolName: route?.tool ?? '', params, timeoutMs: remainingMs(call), isSendable };
    return untilEnded(call.cancellation, () => transform(done));
  }

  async #confirm(call: Running, route: ToolRoute): Promise<CallToolResult | undefined> {
    const { confirm, confirmTimeoutMs, logger, redactor } = this.#options;
    const { req_id: reqId, agent, tool_name: exposedName, params } = call.request;
    const remainingMs = call.deadline - performance.now();
    const abort = new AbortController();
    const { signal } = abort;
    call.cancellation.addEventListener('abort', () => {
      abort.abort();
    });
    const about = { reqId, agent, server: route.server, tool: route.tool, exposedName, params, meta: route.meta };
    const onFailure = (error: unknown): void => {
      logger.error({ req_id: reqId, problem: redactor.redact(messageOf(error)) }, 'The confirmation callback failed');
    };
    return askConfirmation(about, { confirm, timeoutMs: confirmTimeoutMs, remainingMs, signal, onFailure });
  }

  #fitting(result: CallToolResult): CallToolResult {
    try {
      return this.#sendable(result);
    } catch (error) {
      this.#options.logger.error({ problem: messageOf(error) }, 'A tool result has no form on the wire');
      return unforeseenResult();
    }
  }

  #sendable(result: CallToolResult): CallToolResult {
    return sendable(result, (answer) => packetBytes('', answer), this.#options.maxAnswerBytes());
  }

  #end(call: Running, ending: Ending): void {
    if (call.ending !== undefined) return;
    call.ending = ending;
    call.cancellation.cancel();
  }

  #register(call: Running): void {
    this.#running.add(call);
    const { req_id: reqId } = call.request;
    const same = this.#cancellable.get(reqId) ?? new Set();
    this.#cancellable.set(reqId, same.add(call));
  }

  #unregister(call: Running): void {
    this.#running.delete(call);
    const { req_id: reqId } = call.request;
    const same = this.#cancellable.get(reqId);
    same?.delete(call);
    if (same?.size === 0) this.#cancellable.delete(reqId);
  }

  #report(call: Running, result: CallToolResult, durationMs: number): void {
    const { request, route, isAnswered, startedAt } = call;
    const code = isAnswered ? undefined : codeOf(result);
    const outcome = outcomeOf(call, result);
    this.#options.onEnded(
      { request, route, result, outcome, code, startedAt, durationMs },
      call.office === this.#office,
    );
  }
}

function codeOf({ meta }: CallToolResult): number | undefined {
  const code = isJsonObject(meta) ? meta['error_code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

function outcomeOf({ isAnswered }: Running, result: CallToolResult): CallOutcome {
  if (result.isError !== true) return 'ok';
  if (isAnswered) return 'tool-error';
  if (isJsonObject(result.meta) && result.meta['a2c_cancelled'] === true) return 'cancelled';
  const code = codeOf(result);
  if (code === ErrorCode.ToolTimedOut) return 'timeout';
  return code === ErrorCode.ToolRequiresConfirmation ? 'declined' : 'failed';
}

/** Why it was ended is the call's own state. */
const ENDED = 'The call was ended';

const MOVED = 'The tool was taken away, or given another place, while its call was being confirmed.';

function remainingMs({ deadline }: Running): number {
  return Math.max(1, Math.round(deadline - performance.now()));
}

/** What ends the call ends the wait here and now, whatever is busy with it. */
function untilEnded<T>(cancellation: Cancellation, act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (cancellation.aborted) throw new Error(ENDED);
    cancellation.addEventListener('abort', () => {
      reject(new Error(ENDED));
    });
    act().then(resolve, reject);
  });
}

function needsConfirmation(route: ToolRoute | undefined): route is ToolRoute {
  return route !== undefined && route.meta?.auto_apply !== true;
}

function isSame(one: ToolRoute | undefined, two: ToolRoute | undefined): boolean {
  return one?.server === two?.server && one?.tool === two?.tool;
}
