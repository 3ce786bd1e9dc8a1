import { EXIT_CODES } from './exit-codes.js';
import { packageVersion } from './package-version.js';

/**
 * How long after a signal the same signal still counts as one, in milliseconds: a Ctrl-C under `npx` arrives twice, from
 * the terminal and from npm.
 */
const SAME_SIGNAL_MS = 500;

/** Any time will do, in milliseconds. */
const ALIVE_MS = 60_000;

/** Whether this terminal shows colours. `NO_COLOR` turns them off, `FORCE_COLOR` on. */
function showsColour(): boolean {
  if ((process.env['NO_COLOR'] ?? '') !== '') return false;
  return process.stdout.isTTY || (process.env['FORCE_COLOR'] ?? '') !== '';
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    // What went wrong with a file is told a moment after the write.
    if (stream.destroyed || stream.writableLength === 0) setImmediate(resolve);
    else
      stream.write('', () => {
        resolve();
      });
  });
}

/** Aborts `stop` at the first signal that asks this process to end. */
function takeSignals(stop: AbortController): void {
  let first = 0;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!stop.signal.aborted) first = performance.now();
      else if (performance.now() - first > SAME_SIGNAL_MS) process.exit(EXIT_CODES.interrupted);
      stop.abort();
    });
  }
}

/**
 * Stops when nobody can read what is written. A reader that has gone (`| head`) or a terminal that was closed is no
 * fault; a full disk is.
 *
 * @returns what went wrong with stdout, as soon as it does.
 */
function takeWriteErrors(stop: AbortController): () => Error | undefined {
  let failure: Error | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') failure ??= error;
    stop.abort();
  });
  process.stderr.on('error', () => {
    stop.abort();
  });
  return () => failure;
}

/**
 * Runs a command line as this process: streams, signals, exit. The first SIGINT, SIGTERM or SIGHUP lets the command close
 * what it holds; a later one ends it at once.
 */
export async function startProcess(argv: readonly string[]): Promise<void> {
  const stop = new AbortController();
  takeSignals(stop);
  const writeError = takeWriteErrors(stop);
  // A command ends when it says so, also one that waits for nothing but a signal.
  const alive = setInterval(() => undefined, ALIVE_MS);
  const { stderr: err } = process;
  let code = await runLine(argv, stop.signal);
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  clearInterval(alive);
  const failure = writeError();
  if (failure !== undefined) {
    err.write(`error: cannot write to stdout: ${failure.message}\n`);
    code = EXIT_CODES.failed;
  }
  process.exit(code);
}

async function runLine(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const { stdout: out, stderr: err } = process;
  // Programs ask for it in passing: nothing is loaded for it.
  if (argv.length === 1 && argv[0] === '--version') {
    out.write(`${packageVersion()}\n`);
    return EXIT_CODES.ok;
  }
  // Loaded only now, so that a signal which comes meanwhile is not missed.
  const { run } = await import('./run.js');
  return run(argv, { out, err, colour: showsColour(), signal });
}
