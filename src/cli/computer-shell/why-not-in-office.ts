import { ErrorCode } from '../../protocol/index.js';
import { plainSentence } from '../describe-failure.js';
import { CommandError, UsageError } from '../failure.js';
import { toUsage } from '../to-usage.js';

/** The arguments of the shell by the flags that have the same value. */
const ARGUMENTS: Readonly<Record<string, string>> = { '--server': 'URL', '--office': 'OFFICE', '--name': 'NAME' };

/** What helps where a Computer was refused, by the code of it: as `another`, the way to another name. */
function helpOf(error: unknown, another: string): string | undefined {
  if (!(error instanceof Error) || error.name !== 'JoinRefusedError' || !('code' in error)) return undefined;
  if (error.code !== ErrorCode.Forbidden) return undefined;
  return `a Computer of this name is there, or was a moment ago: ${another} takes another one`;
}

/** Why an office was not joined, with what to do in the shell. */
export function inShellWords(error: unknown): unknown {
  const help = helpOf(error, 'socket join OFFICE NAME');
  if (help !== undefined) return new CommandError(`${plainSentence(error)} (${help})`);
  const usage = toUsage(error);
  if (!(usage instanceof UsageError)) return usage;
  return new UsageError(usage.message.replace(/^--\w+/, (flag) => ARGUMENTS[flag] ?? flag));
}

/** Why an office was not joined, with what to do on the command line. */
export function inCommandLineWords(error: unknown): unknown {
  const help = helpOf(error, '--name');
  if (help === undefined || !(error instanceof Error)) return toUsage(error);
  // The same error, so that the exit code is that of it.
  error.message = `${error.message} (${help})`;
  return error;
}
