import {
  ErrorCode,
  failedCall,
  isJsonObject,
  ProtocolError,
  readCallToolResult,
  type CallToolResult,
  type JsonObject,
  type Logger,
} from '../protocol/index.js';
import { abortable, reasonOf, RequestTimeoutError } from '../client/index.js';
import { DEFAULT_CALL_MS } from './agent-options.js';
import { budgetSeconds } from './budget.js';
import { malformed, throwIfError, type Requester } from './requester.js';

/** What a tool call takes. */
export interface CallToolOptions {
  /**
   * The call's budget in milliseconds, rounded up to whole seconds; at most an hour.
   * @default 60_000
   */
  readonly timeoutMs?: number;
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** The call's id, for {@link Agent.cancel}. @default a fresh one */
  readonly reqId?: string;
  /** Gets the acknowledgement as it came, an error acknowledgement too, before it is read. */
  readonly onAck?: (ack: unknown) => void;
}

/** Which tool, with what. */
export interface ToolCall {
  readonly computer: string;
  readonly tool: string;
  readonly params: JsonObject;
}

/** What the caller needs. */
export interface ToolCallerParts {
  readonly requester: Requester;
  readonly answerGraceMs: number;
  readonly cancelGraceMs: number;
  readonly logger: Logger;
}

/** Calls tools within their time, and cancels them. Protocol §6.2, §6.3. */
export class ToolCaller {
  readonly #parts: ToolCallerParts;

  constructor(parts: ToolCallerParts) {
    this.#parts = parts;
  }

  /** See {@link Agent.callTool}. */
  async call({ computer, tool, params }: ToolCall, options: CallToolOptions): Promise<CallToolResult> {
    const timeout = budgetSeconds(options.timeoutMs ?? DEFAULT_CALL_MS);
    if (!isJsonObject(params)) throw new TypeError('params must be an object');
    const { signal, onAck } = options;
    if (signal?.aborted === true) throw reasonOf(signal);
    const { requester, answerGraceMs } = this.#parts;
    const reqId = options.reqId ?? requester.newId();
    const timeoutMs = timeout * 1_000 + answerGraceMs;
    const outcome = requester
      .ask('client:tool_call', { computer, tool_name: tool, params, timeout }, { timeoutMs, reqId, onAck })
      .then(readOutcome)
      .catch((error: unknown) => this.#timedOut(error, { reqId, timeout }));
    return signal === undefined ? outcome : this.#untilAborted(outcome, reqId, signal);
  }

  /** See {@link Agent.cancel}. */
  cancel(reqId: string): void {
    this.#parts.requester.cancel(reqId);
  }

  /** The Server's 408 and the end of the Agent's own wait are one and the same to the application. */
  #timedOut(error: unknown, call: { readonly reqId: string; readonly timeout: number }): CallToolResult {
    const late = error instanceof ProtocolError && error.code === ErrorCode.Timeout;
    if (!late && !(error instanceof RequestTimeoutError)) throw error;
    this.#cancelQuietly(call.reqId);
    return failedCall(`The tool call was not answered within its time (${call.timeout} s)`, {
      timeout: true,
      a2c_timeout: true,
    });
  }

  async #untilAborted(outcome: Promise<CallToolResult>, reqId: string, signal: AbortSignal): Promise<CallToolResult> {
    try {
      return await abortable(outcome, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    this.#cancelQuietly(reqId);
    const { promise: graceOver, stop } = after(this.#parts.cancelGraceMs);
    try {
      return await Promise.race([outcome, graceOver]);
    } catch {
      throw reasonOf(signal);
    } finally {
      stop();
    }
  }

  #cancelQuietly(reqId: string): void {
    try {
      this.cancel(reqId);
    } catch (error) {
      // Without a connection there is nobody to tell; the Computer's own limit ends the call.
      this.#parts.logger.debug({ req_id: reqId, error: String(error) }, 'A call could not be cancelled');
    }
  }
}

function readOutcome(ack: unknown): CallToolResult {
  throwIfError('client:tool_call', ack);
  const result = readCallToolResult(ack);
  if (result === undefined) throw malformed('client:tool_call', 'no list of content');
  return result;
}

/** A promise that is rejected after a while, and a function that takes it back. */
function after(ms: number): { promise: Promise<never>; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error('The cancelled call was not answered'));
    }, ms);
  });
  return {
    promise,
    stop: () => {
      clearTimeout(timer);
    },
  };
}
