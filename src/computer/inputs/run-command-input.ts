import { spawn, type ChildProcess } from 'node:child_process';
import type { McpServerInput } from '../../protocol/index.js';
import { HAS_GROUPS, signalGroup } from '../mcp/process-group.js';
import { InputError } from './input-error.js';

/** An input whose value is what a program prints. Protocol §7.2. */
export type CommandInput = Extract<McpServerInput, { type: 'command' }>;

/** How a command input is run. */
export interface CommandRun {
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined;
}

/** More output than this is no value but a mistake. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** How long the last output of a program that ended is waited for, in ms. */
const DRAIN_MS = 100;

/**
 * Runs the program of a command input, without a shell, and gives what it printed without the final line break. The
 * program and everything it started end at the time limit. Errors never hold its output, which may be the secret.
 *
 * @throws InputError when it cannot be started, fails, prints too much, takes too long or is aborted.
 */
export async function runCommandInput(input: CommandInput, run: CommandRun): Promise<string> {
  const args = Array.isArray(input.args) ? input.args : Object.entries(input.args ?? {}).flat();
  run.signal?.throwIfAborted();
  const child = spawn(input.command, args, {
    env: run.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: HAS_GROUPS,
    windowsHide: true,
  });
  const { signal } = run;
  let output = '';
  let drain: NodeJS.Timeout | undefined;
  let stopWatching = (): void => undefined;
  const problem = await new Promise<string | undefined>((resolve) => {
    const onTimeout = (): void => {
      resolve(`its command did not end within ${run.timeoutMs} ms`);
    };
    const onAbort = (): void => {
      resolve('the start was cancelled');
    };
    const timer = setTimeout(onTimeout, run.timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    stopWatching = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.length > MAX_OUTPUT_BYTES) resolve(`its command printed more than ${MAX_OUTPUT_BYTES} bytes`);
    });
    // ENOENT and the like; the message of Node would name the arguments.
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve(`its command could not be started (${error.code ?? 'unknown error'})`);
    });
    child.on('exit', () => {
      // What it left in the background may hold the pipe for ever.
      drain = setTimeout(() => void child.stdout.destroy(), DRAIN_MS);
    });
    child.on('close', (code, killedBy) => {
      resolve(code === 0 ? undefined : `its command failed (${killedBy ?? `exit code ${code ?? '?'}`})`);
    });
  });
  clearTimeout(drain);
  stopWatching();
  endTree(child);
  if (problem === undefined) return output.replace(/\r?\n$/, '');
  throw new InputError(input.id, problem);
}

function endTree(child: ChildProcess): void {
  // Its group outlives a program that left something in the background.
  if (child.pid !== undefined && (HAS_GROUPS || child.exitCode === null)) signalGroup(child.pid, 'SIGKILL');
  child.stdout?.destroy();
}
