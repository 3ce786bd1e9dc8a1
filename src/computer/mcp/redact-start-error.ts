import { ServerStartError } from './mcp-errors.js';

/**
 * A failed start as the application gets it. What it is about may come from the MCP server itself, or from a command, a
 * folder or an address into which an input was filled: secrets are taken out, and the cause, whose text nobody has
 * looked at, is left behind. Every other error stays as it is. Protocol §1.
 *
 * @param redact - takes secrets out of a text.
 */
export function redactStartError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof ServerStartError)) return error;
  const { failure, message, ending } = error;
  const shown = ending && { ...ending, reason: redact(ending.reason), ...redactTail(ending.stderrTail, redact) };
  return new ServerStartError(failure, redact(message), shown && { ending: shown });
}

function redactTail(tail: string | undefined, redact: (text: string) => string): { stderrTail?: string } {
  return tail === undefined ? {} : { stderrTail: redact(tail) };
}
