import { ConnectionError, JoinRefusedError } from '../agent/index.js';
import { ConfigError } from '../computer/index.js';
import { ProtocolError, ProtocolVersionError, type Logger } from '../protocol/index.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { CommandError, UsageError } from './failure.js';
import { type Terminal } from './terminal.js';

/** Errors by what they mean to the caller; the first that fits decides. */
const BY_CLASS: readonly [new (...args: never[]) => Error, ExitCode][] = [
  [UsageError, EXIT_CODES.usage],
  [ConfigError, EXIT_CODES.usage],
  [ProtocolVersionError, EXIT_CODES.versionMismatch],
  [ConnectionError, EXIT_CODES.unreachable],
  [JoinRefusedError, EXIT_CODES.unreachable],
];

/**
 * The exit code for what a command threw. A signal is how `server` and `computer run` end, and an interruption of the
 * others.
 */
export function exitCodeOf(error: unknown, { signal, path }: { signal: AbortSignal; path: string }): ExitCode {
  if (signal.aborted) return path === 'server' || path === 'computer run' ? EXIT_CODES.ok : EXIT_CODES.interrupted;
  if (error instanceof CommandError) return error.exitCode;
  return BY_CLASS.find(([type]) => error instanceof type)?.[1] ?? EXIT_CODES.failed;
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
