import { EXIT_CODES, type ExitCode } from './exit-codes.js';

/** Wrong usage or configuration: one line that says how to mend it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure that the command itself found, with its exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT_CODES.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}
