import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { HAS_GROUPS, signalGroup } from '../mcp/process-group.js';
import { shellTarget, spawnTarget } from '../mcp/spawn-command.js';
import { InputError } from './input-error.js';

/** What a command input runs, its placeholders filled in. Protocol §7.2. */
export interface CommandToRun {
  /** The input. */
  readonly id: string;
  /** A program; with `shell` a line for the shell. */
  readonly command: string;
  /** Handed over as they are; a shell reads no syntax in them. */
  readonly args: readonly string[];
  readonly shell: boolean;
}

/** How a command input is run. */
export interface CommandRun {
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

/** More output than this is no value but a mistake. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** How long the last output of a program that ended is waited for, in ms. */
const DRAIN_MS = 100;
/** The longest wait of a timer of Node, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs the program of a command input and gives what it printed without the final line break. The program and
 * everything it started end at the time limit. Errors never hold its arguments or its output, which may be the secret.
 *
 * @throws InputError when it cannot be started, fails, prints too much, takes too long or is aborted.
 */
export async function runCommandInput(command: CommandToRun, run: CommandRun): Promise<string> {
  if (run.signal.aborted) throw new InputError(command.id, CANCELLED);
  const child = start(command, run.env);
  const outcome = await outcomeOf(child, run);
  endTree(child);
  if (typeof outcome === 'string') return outcome.replace(/\r?\n$/, '');
  throw new InputError(command.id, outcome.problem);
}

const CANCELLED = 'the start was cancelled';

type Program = ChildProcessByStdio<null, Readable, null>;

function start({ id, command, args, shell }: CommandToRun, env: CommandRun['env']): Program {
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const target = (shell ? shellTarget : spawnTarget)(command, args, {
    platform: process.platform,
    env: Object.fromEntries(set),
  });
  try {
    return spawn(target.command, target.args, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: HAS_GROUPS,
      windowsHide: true,
      windowsVerbatimArguments: target.verbatim,
    });
  } catch (error) {
    throw new InputError(id, notStarted(error as NodeJS.ErrnoException));
  }
}

/** The message of Node would name the arguments. */
function notStarted({ code }: NodeJS.ErrnoException): string {
  const why = code === 'ERR_INVALID_ARG_VALUE' ? 'it is empty, or holds a null byte' : (code ?? 'unknown error');
  return `its command could not be started (${why})`;
}

async function outcomeOf(
  child: Program,
  { timeoutMs, signal }: CommandRun,
): Promise<string | { readonly problem: string }> {
  let output = '';
  let drain: NodeJS.Timeout | undefined;
  let stopWatching = (): void => undefined;
  const problem = await new Promise<string | undefined>((resolve) => {
    const onTimeout = (): void => {
      resolve(`its command did not end within ${timeoutMs} ms; "timeout" gives it longer`);
    };
    const onAbort = (): void => {
      resolve(CANCELLED);
    };
    const timer = setTimeout(onTimeout, Math.min(timeoutMs, MAX_TIMER_MS));
    signal.addEventListener('abort', onAbort, { once: true });
    stopWatching = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.length > MAX_OUTPUT_BYTES) resolve(`its command printed more than ${MAX_OUTPUT_BYTES} bytes`);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve(notStarted(error));
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
  return problem === undefined ? output : { problem };
}

function endTree(child: ChildProcess): void {
  // Its group outlives a program that left something in the background.
  if (child.pid !== undefined && (HAS_GROUPS || child.exitCode === null)) signalGroup(child.pid, 'SIGKILL');
  child.stdout?.destroy();
}
