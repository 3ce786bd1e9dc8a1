import { ProtocolError, type Logger } from '../protocol/index.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { CommandError } from './failure.js';
import type { Terminal } from './terminal.js';

/** Errors by what they mean to the caller. By name, so that a command loads only the roles that it runs. */
const BY_NAME: Readonly<Record<string, ExitCode>> = {
  UsageError: EXIT_CODES.usage,
  ConfigError: EXIT_CODES.usage,
  ProtocolVersionError: EXIT_CODES.versionMismatch,
  ConnectionError: EXIT_CODES.unreachable,
  JoinRefusedError: EXIT_CODES.unreachable,
};

/**
 * The exit code for what a command threw. A signal is how `server` and `computer run` end, and an interruption of the
 * others.
 */
export function exitCodeOf(error: unknown, { signal, path }: { signal: AbortSignal; path: string }): ExitCode {
  if (signal.aborted) return path === 'server' || path === 'computer run' ? EXIT_CODES.ok : EXIT_CODES.interrupted;
  if (error instanceof CommandError) return error.exitCode;
  return (error instanceof Error ? BY_NAME[error.name] : undefined) ?? EXIT_CODES.failed;
}

/** Says what went wrong: one line on stderr, an error answer as flat JSON when lines of JSON are wanted. */
export function describeFailure(
  error: unknown,
  { terminal, json, logger }: { terminal: Terminal; json: boolean; logger: Logger },
): void {
  if (json && error instanceof ProtocolError) {
    terminal.errorJson(error.toPayload());
    return;
  }
  terminal.error(sentence(error));
  logger.debug({ err: error }, 'The command failed');
}

function sentence(error: unknown): string {
  if (error instanceof ProtocolError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
