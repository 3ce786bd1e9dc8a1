import { abortable, linkedSignal } from '../../client/index.js';
import { ErrorCode, failedCall, type CallToolResult, type JsonObject, type ToolMeta } from '../../protocol/index.js';

/** A tool call that waits for a person's word. */
export interface CallToConfirm {
  readonly reqId: string;
  /** The name of the Agent: see `ToolCallReport`. */
  readonly agent: string;
  /** The owner's own call, by `callTool`; absent: an Agent's. */
  readonly local?: true | undefined;
  /** The MCP server. */
  readonly server: string;
  /** The tool's own name there. */
  readonly tool: string;
  /** The name by which the Agent calls it. */
  readonly exposedName: string;
  /** The arguments, as they came. */
  readonly params: JsonObject;
  /** Its merged metadata; absent when nothing is configured. */
  readonly meta: ToolMeta | undefined;
}

/**
 * Decides whether a tool runs that is not configured with `auto_apply: true`. Only `true` lets it run. Protocol §6.4.
 *
 * @param options - `signal` is aborted when the answer is not wanted any more: the time is up or the call was cancelled.
 *   `timeoutMs`: how long there is to think about it, in milliseconds.
 */
export type ConfirmToolCall = (
  call: CallToConfirm,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
) => boolean | Promise<boolean>;

/** How a confirmation is asked for. */
export interface ConfirmationOptions {
  /** Absent: nobody can be asked. */
  readonly confirm: ConfirmToolCall | undefined;
  /** How long there may be thought about it, in milliseconds; absent: as long as the call's budget lasts. */
  readonly timeoutMs: number | undefined;
  /** What is left of the call's budget, in milliseconds. */
  readonly remainingMs: number;
  /** The call was cancelled. */
  readonly signal: AbortSignal;
  /** Gets what the callback threw, for the log. */
  readonly onFailure: (error: unknown) => void;
}

/** Word for word: users search for this text. Protocol §6.1. */
const NO_CALLBACK = '当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法';

/**
 * Asks whether a call may run. Protocol §6.4.
 *
 * @returns `undefined` when it may, else the result to answer with: 4005, its text telling refusal, expiry, failure and
 *   a missing callback apart.
 * @throws the reason of `signal` when the call was cancelled meanwhile.
 */
export async function askConfirmation(
  call: CallToConfirm,
  { confirm, timeoutMs, remainingMs, signal, onFailure }: ConfirmationOptions,
): Promise<CallToolResult | undefined> {
  if (confirm === undefined) return refused(`${NO_CALLBACK} (tool: ${call.exposedName})`);
  const limitMs = Math.max(1, Math.min(timeoutMs ?? remainingMs, remainingMs));
  const wait = linkedSignal([signal], limitMs);
  try {
    // `async`, so that a callback that throws at once is treated like one that rejects.
    const allowed: unknown = await abortable(
      (async () => confirm(call, { signal: wait.signal, timeoutMs: limitMs }))(),
      wait.signal,
    );
    return allowed === true ? undefined : refused(`The call of "${call.exposedName}" was refused on the Computer.`);
  } catch (error) {
    signal.throwIfAborted();
    if (wait.signal.aborted) {
      const seconds = Math.round(limitMs / 100) / 10;
      return refused(`The call of "${call.exposedName}" was not confirmed within ${seconds} s.`);
    }
    onFailure(error);
    return refused(`The call of "${call.exposedName}" could not be confirmed: the confirmation callback failed.`);
  } finally {
    wait.release();
  }
}

function refused(message: string): CallToolResult {
  return failedCall(message, { error_code: ErrorCode.ToolRequiresConfirmation });
}
