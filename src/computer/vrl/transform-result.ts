import { isJsonObject, type CallToolResult, type JsonObject, type Logger } from '../../protocol/index.js';
import { VrlError } from './vrl-error.js';
import type { VrlRunner } from './vrl-runner.js';

/** What {@link transformResult} works with. */
export interface ResultToTransform {
  readonly runner: Pick<VrlRunner, 'runToJson'>;
  /** The script of the tool's MCP server. */
  readonly source: string;
  /** In its wire form, so that metadata stands under `meta`. */
  readonly result: CallToolResult;
  /** The tool's own name. */
  readonly toolName: string;
  /** What the tool was called with. */
  readonly params: JsonObject;
  readonly logger: Logger;
  /** The MCP server, for the log. */
  readonly server?: string;
  /** What is left for the call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Whether a result is small enough to be sent: the outcome of a script must not cost the Agent the result itself. */
  readonly isSendable?: (result: CallToolResult) => boolean;
}

/**
 * Runs the script of an MCP server on a result. The event is the result with `tool_name` and `parameters` added; the
 * event after the script goes as a JSON string into `meta.a2c_vrl_transformed`, everything else stays. Protocol §7.4.
 *
 * @returns a new result; or the same one, after a warning in the log, when the script gave nothing. Never throws.
 */
export async function transformResult(options: ResultToTransform): Promise<CallToolResult> {
  const { runner, source, result, toolName, params, logger, server, timeoutMs, isSendable = () => true } = options;
  if (source.trim() === '') return result;
  const fields = { server, tool: toolName };
  try {
    const event = { ...result, tool_name: toolName, parameters: params };
    const outcome = await runner.runToJson(source, event, timeoutMs === undefined ? {} : { timeoutMs });
    const meta = isJsonObject(result.meta) ? result.meta : {};
    const transformed = { ...result, meta: { ...meta, a2c_vrl_transformed: outcome } };
    if (isSendable(transformed)) return transformed;
    logger.warn(fields, 'The outcome of a VRL script makes the result too large: it is left out');
  } catch (error) {
    const { kind, message } = error instanceof VrlError ? error : { kind: 'crash', message: 'Unexpected failure' };
    logger.warn({ ...fields, kind, problem: message }, 'A VRL script failed: the result goes on without its outcome');
  }
  return result;
}
