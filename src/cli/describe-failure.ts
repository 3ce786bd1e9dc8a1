import { ErrorCode, ProtocolError, type Logger } from '../protocol/index.js';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import { CommandError } from './failure.js';
import { printable } from './terminal/printable.js';
import type { Terminal } from './terminal/terminal.js';

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

/**
 * Says what went wrong: one line on stderr, under it the place in a file that does not parse; an error answer as flat JSON
 * when lines of JSON are wanted.
 */
export function describeFailure(
  error: unknown,
  { terminal, json, logger }: { terminal: Terminal; json: boolean; logger: Logger },
): void {
  if (json && error instanceof ProtocolError) {
    terminal.errorJson(error.toPayload());
    return;
  }
  terminal.error(sentence(error));
  const excerpt = excerptOf(error);
  if (excerpt !== undefined) terminal.note(printable(excerpt));
  logger.debug({ err: error }, 'The command failed');
}

/** The lines of a configuration file at which reading it failed. By name, as above. */
export function excerptOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ConfigError' || !('position' in error)) return undefined;
  return (error.position as { readonly excerpt: string } | undefined)?.excerpt;
}

/** What went wrong, for a person. */
export function sentence(error: unknown): string {
  const hint = hintFor(error);
  return hint === undefined ? plainSentence(error) : `${plainSentence(error)} (${hint})`;
}

/** What went wrong, without what usually helps. */
export function plainSentence(error: unknown): string {
  if (error instanceof ProtocolError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** What a failed connection usually comes from, by what is known about it. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/the proxy .* wants other credentials/, 'write them into the URL of the proxy: http://user:password@host:port'],
  [/the proxy .* makes no connection/, 'the proxy does not let it through, or cannot reach it'],
  [/the proxy .* cannot be reached/, 'check --proxy, HTTPS_PROXY, HTTP_PROXY and ALL_PROXY; NO_PROXY leaves hosts out'],
  [/self-signed certificate|unknown authority \(/, '--ca FILE, or NODE_EXTRA_CA_CERTS, names an authority to trust'],
  [/has expired \(CERT|not valid yet/, 'the Server needs another certificate, or the clock of this machine is wrong'],
  [/for another host name/, 'is --server the name that its certificate is for?'],
  [/wants a client certificate/, '--cert FILE and --key FILE give one'],
  [/refuses the client certificate/, 'check --cert'],
  [/ECONNRESET/, 'something on the way hung up: does it want a proxy, or another client certificate?'],
  [/HTTP status \d+|parser error/, 'is an A2C Server there, and is --path its path?'],
  [/EPROTO/, 'an http: Server cannot be reached by https:'],
  [/ECONNREFUSED/, 'does the Server run?'],
];

/** What usually helps; `undefined` where that is not known. */
export function hintFor(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'ConnectionError') return undefined;
  if ('code' in error && error.code === ErrorCode.Unauthorized) return 'check --token, --token-file or A2C_TOKEN';
  return HINTS.find(([pattern]) => pattern.test(error.message))?.[1];
}
