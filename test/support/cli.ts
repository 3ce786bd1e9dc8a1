import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '..', '..');
/** The built command line. */
export const CLI = join(root, 'dist', 'cli', 'main.js');
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> };

/** What a finished command left. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is started. */
export interface CliOptions {
  /** One of the names under `bin` in package.json. */
  readonly program?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly cwd?: string;
}

/** Not the places of whoever runs the tests, unless a test has a home of its own. */
function placesFor(env: CliOptions['env']): Record<string, string> {
  if (env?.['HOME'] !== undefined) return {};
  const names = ['A2C_CONFIG_DIR', 'A2C_LOGINS', 'A2C_CACHE_DIR', 'A2C_STATE_DIR'];
  return Object.fromEntries(names.map((name) => [name, join(tmpdir(), 'a2c-tests', String(process.pid), name)]));
}

function start(args: readonly string[], { program = 'a2c', env, cwd }: CliOptions): ChildProcessWithoutNullStreams {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('A2C_') && name !== 'FORCE_COLOR');
  return spawn(process.execPath, [join(root, bin[program] ?? ''), ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...placesFor(env), ...env },
  });
}

/** Runs a command to its end, as a user would: the built file that `bin` names. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<Finished> {
  const child = start(args, options);
  child.stdin.end(options.stdin ?? '');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}

/** A line of JSON that a command printed. */
export type JsonLine = Readonly<Record<string, unknown>>;

/** A command that goes on until it is stopped, its lines of JSON at hand. */
export class RunningCli implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown>;
  readonly #lines: JsonLine[] = [];
  readonly #waiting = new Set<() => void>();
  #stderr = '';
  #ended = false;

  constructor(args: readonly string[], options: CliOptions = {}) {
    this.#child = start([...args, '--json'], options);
    this.#closed = once(this.#child, 'close').then(() => {
      this.#ended = true;
      this.#look();
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
      this.#look();
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#lines.push(JSON.parse(line) as JsonLine);
      this.#look();
    });
  }

  /** What it wrote to stderr so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** The lines of JSON that it printed so far. */
  get lines(): readonly JsonLine[] {
    return this.#lines;
  }

  /** The first line that fits, now or as soon as it comes. @throws Error when the command ends without it. */
  async line(fits: (line: JsonLine) => boolean): Promise<JsonLine> {
    return this.#until(() => this.#lines.find(fits));
  }

  /** Waits until something stands on stderr. @throws Error when the command ends without it. */
  async logged(pattern: RegExp): Promise<void> {
    await this.#until(() => pattern.exec(this.#stderr) ?? undefined);
  }

  /** The first line with that event. */
  async event(name: string): Promise<JsonLine> {
    return this.line(({ event }) => event === name);
  }

  /** Sends a signal and waits for the end. @returns the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM', { times = 1 } = {}): Promise<number | null> {
    for (let sent = 0; sent < times; sent++) this.#child.kill(signal);
    return this.end();
  }

  /** Waits for the end. @returns the exit code. */
  async end(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // First the way in which it clears up behind itself.
    const impatient = setTimeout(() => this.#child.kill('SIGKILL'), 5_000);
    if (!this.#ended) await this.stop();
    clearTimeout(impatient);
  }

  async #until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`the command ended too early: ${JSON.stringify(this.#lines)} ${this.#stderr}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #look(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}

/** Starts `a2c server` on a free port. */
export async function startServer(args: readonly string[] = []): Promise<{ server: RunningCli; url: string }> {
  const server = new RunningCli(['server', '--port', '0', ...args]);
  const { url } = await server.event('listening');
  return { server, url: String(url) };
}
