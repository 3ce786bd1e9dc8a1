import { ErrorCode, isJsonObject, type CallToolResult } from '../../protocol/index.js';
import type { CallOutcome } from './call-history.js';
import type { Call } from './running-calls.js';

/** The code of a failure that the Computer reports. */
export function codeOf({ meta }: CallToolResult): number | undefined {
  const code = isJsonObject(meta) ? meta['error_code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

const OUTCOMES: Readonly<Record<number, CallOutcome>> = {
  [ErrorCode.ToolTimedOut]: 'timeout',
  [ErrorCode.ToolRequiresConfirmation]: 'declined',
  [ErrorCode.ToolDisabled]: 'refused',
};

/** How a call ended that has this result. */
export function outcomeOf({ isAnswered, ending }: Call, result: CallToolResult): CallOutcome {
  if (result.isError !== true) return 'ok';
  if (isAnswered) return 'tool-error';
  if (isJsonObject(result.meta) && result.meta['a2c_cancelled'] === true) return 'cancelled';
  if (ending === 'stopped') return 'stopped';
  return OUTCOMES[codeOf(result) ?? 0] ?? 'failed';
}
