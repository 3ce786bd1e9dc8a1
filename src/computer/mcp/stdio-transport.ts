import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Logger } from '../../protocol/index.js';
import { errorFrame, readFrames, type Frame } from './frames.js';
import { LineFramer } from './line-framer.js';
import { ServerStartError, type ConnectionEnding } from './mcp-errors.js';
import { messageCodec, type MessageCodec } from './message-codec.js';
import { groupGone, HAS_GROUPS, signalGroup } from './process-group.js';
import { RateLimit } from './rate-limit.js';
import type { ServerLogSink } from './server-log.js';
import { checkWorkingDirectory, childEnvironment, commandNotFound, spawnTarget } from './spawn-command.js';
import { StderrRing } from './stderr-ring.js';
import { scanTopLevel } from './top-level-id.js';
import type { UpstreamTransport } from './upstream-transport.js';

const MIB = 1024 * 1024;
const MAX_LINE = 32 * MIB;
const MAX_PENDING = 64 * MIB;
const MAX_UNSENT = 64 * MIB;
/** How long the last output of a dead child is waited for; a grandchild may hold the pipe for ever. */
const DRAIN_MS = 100;
/** How long each step of `close()` waits, in ms: after the end of stdin, after SIGTERM, after SIGKILL. 6 s are allowed in all. */
const CLOSE_STEPS = { stdin: 1_500, term: 1_500, kill: 1_000 } as const;
/** How long a child may live on without its standard output, in ms: most are just about to exit. */
const MUTE_MS = 1_000;
const STOPPED = 'it was stopped';
const SKIPPED_LINES_LOGGED_PER_SECOND = 10;
/** So many lines in one piece of output that are no messages, and others have their turn before the next piece is read. */
const MANY_SKIPPED = 1_000;
/** How a message begins; everything else is skipped without the cost of an error that JSON.parse throws. */
const MAY_BE_MESSAGE = /^\s*[[{]/;

/** What to start and how to talk with it. */
export interface StdioTransportOptions {
  /** Name of the MCP server, for errors and the log. */
  readonly server: string;
  readonly command: string;
  /** @default [] */
  readonly args?: readonly string[];
  /** Added to the safe default environment, never a replacement of it. */
  readonly env?: Readonly<Record<string, string>> | null;
  readonly cwd?: string | null;
  /** @default 'utf-8' */
  readonly encoding?: string;
  /** `strict` skips lines with invalid bytes, everything else replaces them. @default 'strict' */
  readonly encodingErrorHandler?: string;
  readonly logger: Logger;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Gets what the server writes to its standard error. */
  readonly log?: ServerLogSink | undefined;
}

/**
 * Talks with an MCP server that runs as a child process, in a process group of its own. Reads whatever the child writes:
 * lines that are not JSON are skipped, broken frames answer their call with an error, a line over 32 MiB fails only its
 * call, 64 MiB without a newline fail the server; standard error is always drained. The death of the child is noticed
 * within about 100 ms even when a grandchild holds its pipes.
 */
export class StdioTransport implements UpstreamTransport {
  onclose: UpstreamTransport['onclose'];
  onerror: UpstreamTransport['onerror'];
  onmessage: UpstreamTransport['onmessage'];

  readonly #options: StdioTransportOptions;
  readonly #stderr: StderrRing;
  readonly #skipped = new RateLimit(SKIPPED_LINES_LOGGED_PER_SECOND);
  readonly #framer: LineFramer;
  #skippedOfPiece = 0;
  #codec: MessageCodec | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #exited: Promise<void> = Promise.resolve();
  #started = false;
  #corked = false;
  #ending: ConnectionEnding | undefined;
  #failure: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#stderr = new StderrRing(options);
    this.#framer = new LineFramer({
      maxLine: MAX_LINE,
      maxPending: MAX_PENDING,
      onLine: (line) => {
        this.#readLine(line);
      },
      onOversize: (line) => {
        this.#readOversize(line);
      },
      onOverflow: (size) => {
        this.#fail(`it wrote ${size} bytes without a newline (limit ${MAX_PENDING})`);
      },
    });
  }

  get ending(): ConnectionEnding | undefined {
    return this.#ending;
  }

  /** The child's process id, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  stderrTail(): string {
    return this.#stderr.tail();
  }

  /**
   * Starts the child.
   *
   * @throws ServerStartError naming the command and the PATH searched, the bad `cwd` or the bad encoding.
   */
  async start(): Promise<void> {
    if (this.#started || this.#closing !== undefined)
      throw new Error('StdioTransport was started before; make a new one for each start');
    this.#started = true;
    const { command, args = [], cwd, env: added, encoding, encodingErrorHandler } = this.#options;
    this.#codec = messageCodec(encoding, encodingErrorHandler);
    checkWorkingDirectory(cwd);
    const env = childEnvironment(added);
    const target = spawnTarget(command, args, { platform: process.platform, env });
    const child = spawnOrThrow(command, () =>
      spawn(target.command, target.args, {
        env,
        cwd: cwd ?? undefined,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: HAS_GROUPS,
        windowsHide: true,
        windowsVerbatimArguments: target.verbatim,
      }),
    );
    this.#child = child;
    this.#listen(child);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'ENOENT' ? commandNotFound(command, env) : cannotStart(command, error));
      });
    });
  }

  /** Writes one message; what is sent within one tick goes out in one write. */
  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || this.#codec === undefined || this.#ending !== undefined || !stdin.writable) {
      return Promise.reject(new Error(this.#ending?.reason ?? 'The MCP server is not connected'));
    }
    if (stdin.writableLength > MAX_UNSENT) {
      return Promise.reject(new Error(`The MCP server does not read its input (${stdin.writableLength} bytes wait)`));
    }
    if (!this.#corked) {
      this.#corked = true;
      stdin.cork();
      process.nextTick(() => {
        this.#corked = false;
        stdin.uncork();
      });
    }
    stdin.write(this.#codec.encode(message));
    return Promise.resolve();
  }

  /**
   * Ends the child and everything it started: end of stdin, then SIGTERM, then SIGKILL to the whole group, each awaited;
   * at most 6 s in all. A second call waits for the first.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined) {
      child.stdin.end();
      await this.#endGroup(child.pid);
    }
    this.#end(STOPPED);
  }

  async #endGroup(pid: number): Promise<void> {
    await within(this.#exited, CLOSE_STEPS.stdin);
    // Also what a shell started, which dies of SIGTERM at once itself, may have something to put in order.
    if (signalGroup(pid, 'SIGTERM')) {
      await Promise.all([within(this.#exited, CLOSE_STEPS.term), groupGone(pid, CLOSE_STEPS.term)]);
    }
    if (HAS_GROUPS && signalGroup(pid, 'SIGKILL')) await groupGone(pid, CLOSE_STEPS.kill);
    await within(this.#exited, CLOSE_STEPS.kill);
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    this.#exited = new Promise((resolve) => {
      child.once('exit', () => {
        resolve();
      });
      child.once('error', () => {
        if (child.pid === undefined) resolve();
      });
    });
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr.push(chunk);
    });
    child.stdout.once('end', () => {
      const mute = (): void => {
        if (this.#closing === undefined && this.#ending === undefined) this.#fail('it closed its standard output');
      };
      setTimeout(mute, MUTE_MS).unref();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#skippedOfPiece = 0;
      this.#framer.push(chunk);
      if (this.#skippedOfPiece < MANY_SKIPPED) return;
      // A child that floods its output would keep this thread busy for ever: pieces of a pipe come without a pause.
      child.stdout.pause();
      setImmediate(() => child.stdout.resume());
    });
    // A broken pipe is followed by the child's exit, which tells more.
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', (error) => this.onerror?.(error));
    child.on('error', (error) => this.onerror?.(error));
    child.once('exit', () => void this.#onExit(child));
  }

  async #onExit(child: ChildProcessWithoutNullStreams): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      child.stdout.once('close', resolve);
    });
    if (!child.stdout.closed) await within(ended, DRAIN_MS);
    this.#end(this.#closing === undefined ? 'it exited' : STOPPED);
    // What it started goes with it, also when nobody calls close().
    this.#closing ??= this.#close();
  }

  #end(what: string): void {
    if (this.#ending !== undefined) return;
    const exitCode = this.#child?.exitCode ?? null;
    const signal = this.#child?.signalCode ?? null;
    const how = signal === null ? `exit code ${exitCode ?? 'unknown'}` : `signal ${signal}`;
    const reason = `MCP server "${this.#options.server}" ended: ${this.#failure ?? `${what} (${how})`}`;
    const closedByUs = what === STOPPED;
    this.#ending = { reason, closedByUs, exitCode, signal, stderrTail: this.#stderr.tail() };
    this.#destroyStreams();
    this.onclose?.();
  }

  #destroyStreams(): void {
    if (this.#child === undefined) return;
    const { stdin, stdout, stderr } = this.#child;
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }

  #fail(reason: string): void {
    this.#failure = reason;
    const pid = this.#child?.pid;
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
    this.#end(reason);
  }

  #readLine(line: Buffer): void {
    if (line.length === 0) return;
    const frames = readFrames(this.#parse(line));
    if (frames.length === 0) this.#skip(line.length);
    for (const frame of frames) this.#deliver(frame);
  }

  /** What a line holds; `undefined` when that is no JSON of a message. */
  #parse(line: Buffer): unknown {
    try {
      const text = this.#codec?.decode(line) ?? '';
      return MAY_BE_MESSAGE.test(text) ? JSON.parse(text) : undefined;
    } catch {
      return undefined;
    }
  }

  #readOversize(line: Buffer): void {
    const { id, hasMethod } = scanTopLevel(line);
    const { server, logger } = this.#options;
    logger.warn({ server, size: line.length, limit: MAX_LINE }, 'MCP server sent a message that is too large');
    if (id === undefined || hasMethod) return;
    this.#deliver(errorFrame(id, `The answer of ${line.length} bytes is larger than the limit of ${MAX_LINE} bytes`));
  }

  #skip(size: number): void {
    this.#skippedOfPiece += 1;
    if (!this.#skipped.take()) return;
    const { server, logger } = this.#options;
    logger.debug({ server, size }, 'Skipped a line on standard output that is no JSON-RPC message');
  }

  #deliver(frame: Frame): void {
    if (this.#ending !== undefined) return;
    this.onmessage?.(frame);
  }
}

function cannotStart(command: string, error: NodeJS.ErrnoException): ServerStartError {
  const why = error.code === 'EACCES' ? 'it is not executable' : (error.code ?? error.message);
  return new ServerStartError('command-not-found', `Cannot start "${command}": ${why}`, { cause: error });
}

/** `spawn` throws at once for some errors (a NUL byte, an argument list that is too long). */
function spawnOrThrow(command: string, start: () => ChildProcessWithoutNullStreams): ChildProcessWithoutNullStreams {
  try {
    return start();
  } catch (error) {
    throw cannotStart(command, error as NodeJS.ErrnoException);
  }
}

/** Waits for `promise`, at most `ms`; says whether it came. */
async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const came = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return came;
}
