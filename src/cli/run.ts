import { COMMANDS, GROUPS } from './command-table.js';
import { packageVersion } from './package-version.js';
import { parseCommandLine, type Request } from './program.js';
import type { Sink } from './terminal/terminal.js';

/** The process as the command line sees it. */
export interface Surroundings {
  readonly out: Sink;
  readonly err: Sink;
  readonly colour: boolean;
  /** Aborts at the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
}

/**
 * Runs one command line.
 *
 * @returns the exit code; see `exit-codes.ts`. Never throws.
 */
export async function run(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const { out, err } = surroundings;
  const parsed = parseCommandLine(argv, packageVersion(), {
    out: (text) => out.write(text),
    err: (text) => err.write(text),
    columns: out.isTTY === true ? out.columns : undefined,
  });
  return 'exitCode' in parsed ? parsed.exitCode : runCommand(parsed, surroundings);
}

/** Loads what commands need only now, so that help comes at once. */
async function runCommand({ command, args, flags }: Request, surroundings: Surroundings): Promise<number> {
  const { out, err, colour, signal } = surroundings;
  const [{ Terminal }, { createLogger }] = await Promise.all([
    import('./terminal/terminal.js'),
    import('./terminal/logging.js'),
  ]);
  const terminal = new Terminal(out, err, colour);
  const logger = createLogger(flags.logLevel, flags.logFormat, (line) => {
    terminal.log(line);
  });
  const table = { commands: COMMANDS, groups: GROUPS };
  try {
    return await command.run({ args, flags, terminal, logger, signal, table });
  } catch (error) {
    const { exitCodeOf, describeFailure } = await import('./describe-failure.js');
    // What a signal stopped has not failed.
    if (!signal.aborted) describeFailure(error, { terminal, json: flags['json'] === true, logger });
    return exitCodeOf(error, { signal, path: command.path });
  }
}
