import type { Computer } from '../../computer/index.js';
import { ErrorCode, type CallToolResult } from '../../protocol/index.js';
import { quoteWord } from '../shell/split-line.js';

interface FailedCall {
  readonly tool: string;
  readonly server: string;
  /** In seconds. */
  readonly timeout: number;
}

/** What helps, by the code of a failure. */
const HINTS: Readonly<Record<number, (call: FailedCall) => string>> = {
  [ErrorCode.ToolTimedOut]: ({ tool, server, timeout }) =>
    `"${server}" did not answer within ${timeout} s; logs ${quoteWord(server)} shows what it does, tc --timeout ${Math.min(3_600, timeout * 5)} ${quoteWord(tool)} … gives it more time`,
  [ErrorCode.ToolRequiresConfirmation]: ({ tool, server }) =>
    `it was not allowed; tool_meta.${tool}.auto_apply of "${server}" lets it run without asking`,
  [ErrorCode.ToolAuthorizationRequired]: ({ server }) => `login ${quoteWord(server)}`,
  [ErrorCode.ToolAuthorizationFailed]: ({ server }) =>
    `the login at "${server}" does not let it: login ${quoteWord(server)} again`,
};

/** What to do about a call that failed; `undefined` where the result says all there is. */
export function whyCallFailed(
  computer: Computer,
  { tool, result, timeout }: { tool: string; result: CallToolResult; timeout: number },
): string | undefined {
  const code = result.meta?.['error_code'];
  const hint = typeof code === 'number' ? HINTS[code] : undefined;
  return hint?.({ tool, timeout, server: computer.tool(tool)?.server ?? '' });
}
