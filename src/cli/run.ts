import { createRequire } from 'node:module';
import { exitCodeOf, describeFailure } from './describe-failure.js';
import { createLogger } from './logging.js';
import { parseCommandLine } from './program.js';
import { Terminal, type Sink } from './terminal.js';

/** The process as the command line sees it. */
export interface Surroundings {
  readonly out: Sink;
  readonly err: Sink;
  readonly colour: boolean;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/** The version of this package. */
function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return version;
}

/**
 * Runs one command line.
 *
 * @returns the exit code; see `exit-codes.ts`. Never throws.
 */
export async function run(argv: readonly string[], { out, err, colour, signal }: Surroundings): Promise<number> {
  const parsed = parseCommandLine(argv, packageVersion(), {
    out: (text) => out.write(text),
    err: (text) => err.write(text),
  });
  if ('exitCode' in parsed) return parsed.exitCode;
  const { command, args, flags } = parsed;
  const terminal = new Terminal(out, err, colour);
  const logger = createLogger(flags.logLevel, flags.logFormat, (line) => {
    terminal.log(line);
  });
  try {
    return await command.run({ args, flags, terminal, logger, signal });
  } catch (error) {
    // What a signal stopped has not failed.
    if (!signal.aborted) describeFailure(error, { terminal, json: flags['json'] === true, logger });
    return exitCodeOf(error, { signal, path: command.path });
  }
}
