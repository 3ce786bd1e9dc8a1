import { EXIT_CODES } from './exit-codes.js';
import { run } from './run.js';

/** Whether this terminal shows colours. `NO_COLOR` turns them off, `FORCE_COLOR` on. */
function showsColour(): boolean {
  if ((process.env['NO_COLOR'] ?? '') !== '') return false;
  return process.stdout.isTTY || (process.env['FORCE_COLOR'] ?? '') !== '';
}

function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else
      stream.write('', () => {
        resolve();
      });
  });
}

/**
 * Runs a command line as this process: streams, signals, exit. The first SIGINT or SIGTERM lets the command close what
 * it holds; the second ends it at once.
 */
export async function startProcess(argv: readonly string[]): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(EXIT_CODES.interrupted);
      stop.abort();
    });
  }
  // A reader that went away (`| head`) is no reason for a stack trace.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => {
      stop.abort();
    });
  const { stdout: out, stderr: err } = process;
  const code = await run(argv, { out, err, colour: showsColour(), signal: stop.signal });
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(code);
}
