import { packetBytes } from '../../client/index.js';
import {
  ErrorCode,
  failedCall,
  type CallToolResult,
  type JsonObject,
  type Logger,
  type ToolCallRequest,
} from '../../protocol/index.js';
import { messageOf, type ToolHost, type ToolRoute } from '../hosting.js';
import type { CallGate } from '../access/call-gate.js';
import { Coalescer } from '../coalesce.js';
import type { Cancellation } from '../mcp/cancellation.js';
import { CallTimeoutError, ToolForbiddenError, UpstreamAuthError } from '../mcp/mcp-errors.js';
import type { Redactor } from '../redactor.js';
import {
  cancelledResult,
  closingResult,
  failureResult,
  invalidArgumentsResult,
  stoppedResult,
  timedOutResult,
  unforeseenResult,
} from './call-failures.js';
import { shownName, type EndedCall } from './call-history.js';
import { readProgress, type CallProgress, type ToolProgressReport } from './call-progress.js';
import { askConfirmation, type ConfirmToolCall } from './confirmation.js';
import { codeOf, outcomeOf } from './call-outcome.js';
import { startedCall, type StartedCall, type ToolProgress } from './started-call.js';
import { OWNER, RunningCalls, stopCall, type Call, type RunningCall } from './running-calls.js';
import { sendable, toWireResult } from './wire-result.js';

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
  /** A call is really being sent. */
  readonly onStarted?: ((call: StartedCall) => void) | undefined;
  /** Whether `onStep` wants anything: servers are asked for progress then. */
  readonly watchesProgress?: (() => boolean) | undefined;
  /** Gets progress of running calls, ten times a second at most, never an old one last. */
  readonly onStep?: ((step: ToolProgress) => void) | undefined;
  /** What the owner lets through; absent: everything. */
  readonly gate?: Pick<CallGate, 'refusal'> | undefined;
  /** The name of the office's Agent as its Server gave it, where that is known, and the office. */
  readonly origin: () => { readonly agent?: string | undefined; readonly officeId?: string | undefined };
  /** What makes the result that the Agent gets of one of this server's; `undefined` where it is the same. */
  readonly transformOf: (server: string) => ((call: FinishedCall) => Promise<CallToolResult>) | undefined;
}

/** How the owner of a Computer makes a call. */
export interface OwnCallOptions {
  /** Ends the call; what it answers then is dropped. */
  readonly signal?: AbortSignal | undefined;
  /** Gets progress of the call; its MCP server is asked for it. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** Progress of a call is told at most so often, in ms. */
const PROGRESS_INTERVAL_MS = 100;

/**
 * Executes the tool calls of Agents: finds the tool, asks for confirmation, keeps the budget, cancels, and makes a
 * result of whatever happens. Calls run in parallel. Protocol §6.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #running = new RunningCalls();

  constructor(options: ToolCallsOptions) {
    this.#options = options;
  }

  /** Executes a call of an Agent. Never throws: a failure is a result with `isError`. */
  async execute(request: ToolCallRequest): Promise<CallToolResult> {
    const { agent, officeId } = this.#options.origin();
    return this.#execute(this.#running.begin(request, { agent: agent ?? request.agent, officeId }, undefined));
  }

  /**
   * Executes a call of the Computer's owner, which goes the same way, but for what the owner has said about Agents, and
   * for the limit of what can be sent.
   *
   * @throws the signal's reason when it ended the call.
   */
  async executeOwn(request: ToolCallRequest, { signal, onProgress }: OwnCallOptions): Promise<CallToolResult> {
    signal?.throwIfAborted();
    const { officeId } = this.#options.origin();
    const call = this.#running.begin(request, { agent: OWNER, officeId, local: true }, onProgress);
    const onAbort = (): void => {
      stopCall(call, 'cancelled');
    };
    signal?.addEventListener('abort', onAbort);
    try {
      const result = await this.#execute(call);
      if (call.ending === 'cancelled' && !call.isAnswered) signal?.throwIfAborted();
      return result;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** Ends every running call of this id; unknown ids do nothing. Protocol §6.3. */
  cancel(reqId: string): void {
    this.#running.cancel(reqId);
  }

  /** Ends every call, or those of this id, because the owner says so. @returns how many. */
  stop(reqId?: string): number {
    if (reqId === undefined) return this.#running.stop('stopped');
    // The owner knows it as it was shown.
    return this.#running.stop('stopped', (id) => id === reqId || shownName(id, this.#options.redactor) === reqId);
  }

  /** What runs now, oldest first, without secrets. */
  list(): readonly RunningCall[] {
    return this.#running.list((name) => shownName(name, this.#options.redactor));
  }

  /** The Computer is in another office now: what runs goes on, but its ids and its traces mean nothing there. */
  officeChanged(): void {
    this.#running.officeChanged();
  }

  /** Ends every call. */
  close(): void {
    this.#running.stop('closing');
  }

  async #execute(call: Call): Promise<CallToolResult> {
    const made = await this.#run(call);
    const result = this.#fitting(call, made);
    if (result !== made) call.isAnswered = false;
    this.#running.end(call);
    this.#report(call, result, performance.now() - call.began);
    return result;
  }

  async #run(call: Call): Promise<CallToolResult> {
    const { redactor, logger } = this.#options;
    try {
      return await this.#attempt(call);
    } catch (error) {
      if (call.ending === 'cancelled') return cancelledResult();
      if (call.ending === 'stopped') return stoppedResult();
      if (call.ending === 'closing') return closingResult();
      if (call.ending === 'timeout' || error instanceof CallTimeoutError) return timedOutResult(call.request.timeout);
      if (error instanceof ToolForbiddenError || error instanceof UpstreamAuthError) call.server = error.server;
      const known = failureResult(error, (text) => redactor.redact(text));
      if (known !== undefined) return known;
      logger.error({ req_id: call.request.req_id, problem: messageOf(error) }, 'A tool call failed unexpectedly');
      return unforeseenResult();
    }
  }

  async #attempt(call: Call): Promise<CallToolResult> {
    const { tool_name: tool } = call.request;
    const route = this.#options.host.route(tool);
    call.route = route;
    call.server = route?.server;
    const refusal = this.#refusal(call);
    if (refusal !== undefined) return refusal;
    const { checkArguments } = this.#options;
    const invalid = checkArguments && route && (await this.#invalid(call, route, checkArguments));
    if (invalid !== undefined) return invalid;
    // Its expiry is a refusal (4005) and not a timeout, so the budget's own timer starts only after it. Protocol §6.4.
    if (needsConfirmation(route)) {
      // Nobody is to be asked about a call that cannot be made now.
      this.#options.host.assertRunning(route.server);
      const declined = await this.#confirm(call, route);
      if (declined !== undefined) return declined;
    }
    // What was confirmed is this tool of this server, whatever the name leads to by now.
    if (!isSame(route, this.#options.host.route(tool)))
      return failedCall(MOVED, { error_code: ErrorCode.ToolNotFound });
    const answer = await this.#send(call, route);
    const result = toWireResult(answer);
    if (result !== undefined) {
      const transformed = await this.#transform(call, route, result);
      call.isAnswered = true;
      return transformed;
    }
    const message = `MCP server "${route?.server ?? '?'}" answered without content.`;
    return failedCall(message, { error_code: ErrorCode.ToolExecutionFailed });
  }

  async #invalid(call: Call, route: ToolRoute, check: CheckArguments): Promise<CallToolResult | undefined> {
    const { params } = call.request;
    const problems = await untilEnded(call.cancellation, () => check(route, params, remainingMs(call)));
    const { redactor } = this.#options;
    return problems.length === 0 ? undefined : invalidArgumentsResult(problems.map((text) => redactor.redact(text)));
  }

  /** What the owner of the Computer has to say about a call of an Agent. */
  #refusal({ origin, request, route }: Call): CallToolResult | undefined {
    if (origin.local === true) return undefined;
    const { gate, redactor } = this.#options;
    const call = { agent: origin.agent, exposedName: request.tool_name, route };
    return gate?.refusal(call, (text) => redactor.redact(text));
  }

  async #send(call: Call, route: ToolRoute | undefined): Promise<JsonObject> {
    const { host } = this.#options;
    const { tool_name: tool, params } = call.request;
    const { cancellation } = call;
    const timeoutMs = remainingMs(call);
    const timer = setTimeout(() => {
      stopCall(call, 'timeout');
    }, timeoutMs);
    try {
      if (route !== undefined && host.isRunning(route.server)) this.#sent(call, route);
      const wait = { timeoutMs, signal: cancellation, onProgress: this.#progressOf(call, route) };
      return await untilEnded(cancellation, () => host.callTool(tool, params, wait));
    } finally {
      clearTimeout(timer);
    }
  }

  #sent(call: Call, route: ToolRoute): void {
    // What the owner calls is not what the Agent works with: its desktop keeps its order.
    const isOfOffice = call.origin.local !== true && this.#running.isOfThisOffice(call);
    if (isOfOffice) this.#options.onSent(route.server);
    this.#options.onStarted?.(startedCall(call, route, this.#options.redactor));
  }

  /** What takes the progress of a call; `undefined` when nobody wants it: then the server is not asked for it. */
  #progressOf(call: Call, route: ToolRoute | undefined): ((progress: object) => void) | undefined {
    const { onProgress, watchesProgress, onStep, redactor } = this.#options;
    const isWatched = watchesProgress?.() === true;
    if (route === undefined || ((onProgress ?? call.onProgress) === undefined && !isWatched)) return undefined;
    const started = startedCall(call, route, redactor);
    if (isWatched) {
      call.telling = new Coalescer(() => {
        if (call.progress !== undefined) onStep?.({ ...started, ...call.progress });
      }, PROGRESS_INTERVAL_MS);
    }
    const { req_id: reqId, tool_name: tool } = call.request;
    return (sent) => {
      const progress = redactor.redactValue({ ...sent }) as JsonObject;
      call.progress = readProgress(progress) ?? call.progress;
      onProgress?.({ reqId, server: route.server, tool, progress });
      if (call.progress !== undefined) call.onProgress?.(call.progress);
      call.telling?.request();
    };
  }

  /** Its own limit is what is left of the budget: a script that is late leaves the result as it is. */
  async #transform(call: Call, route: ToolRoute | undefined, result: CallToolResult): Promise<CallToolResult> {
    const transform = route && this.#options.transformOf(route.server);
    if (transform === undefined) return result;
    const { params } = call.request;
    const isSendable = (made: CallToolResult): boolean => this.#sendable(call, made) === made;
    const done = { result, toolName: route?.tool ?? '', params, timeoutMs: remainingMs(call), isSendable };
    return untilEnded(call.cancellation, () => transform(done));
  }

  async #confirm(call: Call, route: ToolRoute): Promise<CallToolResult | undefined> {
    const { confirm, confirmTimeoutMs, logger, redactor } = this.#options;
    const { req_id: reqId, tool_name: exposedName, params } = call.request;
    const { agent, local } = call.origin;
    const remainingMs = call.deadline - performance.now();
    const abort = new AbortController();
    const { signal } = abort;
    call.cancellation.addEventListener('abort', () => {
      abort.abort();
    });
    const about = {
      reqId,
      agent,
      server: route.server,
      tool: route.tool,
      exposedName,
      params,
      meta: route.meta,
      local,
    };
    const onFailure = (error: unknown): void => {
      logger.error({ req_id: reqId, problem: redactor.redact(messageOf(error)) }, 'The confirmation callback failed');
    };
    call.state = 'confirming';
    try {
      return await askConfirmation(about, { confirm, timeoutMs: confirmTimeoutMs, remainingMs, signal, onFailure });
    } finally {
      call.state = 'running';
    }
  }

  #fitting(call: Call, result: CallToolResult): CallToolResult {
    try {
      return this.#sendable(call, result);
    } catch (error) {
      this.#options.logger.error({ problem: messageOf(error) }, 'A tool result has no form on the wire');
      return unforeseenResult();
    }
  }

  #sendable({ origin }: Call, result: CallToolResult): CallToolResult {
    const limit = origin.local === true ? Number.POSITIVE_INFINITY : this.#options.maxAnswerBytes();
    return sendable(result, (answer) => packetBytes('', answer), limit);
  }

  #report(call: Call, result: CallToolResult, durationMs: number): void {
    const { request, origin, route, server, isAnswered, startedAt } = call;
    const code = isAnswered ? undefined : codeOf(result);
    const outcome = outcomeOf(call, result);
    this.#options.onEnded(
      { request, origin, route, server, result, outcome, code, startedAt, durationMs },
      this.#running.isOfThisOffice(call),
    );
  }
}

/** Why it was ended is the call's own state. */
const ENDED = 'The call was ended';

const MOVED = 'The tool was taken away, or given another place, while its call was being confirmed.';

function remainingMs({ deadline }: Call): number {
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
