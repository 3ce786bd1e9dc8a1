import type { Logger } from '../../protocol/index.js';
import { ByteTail } from './byte-tail.js';
import { RateLimit } from './rate-limit.js';
import type { ServerLogSink } from './server-log.js';

const KEPT_BYTES = 65_536;
const LOGGED_LINES_PER_SECOND = 20;
const MAX_LINE = 1_000;

/** What {@link StderrRing} needs to know. */
export interface StderrRingOptions {
  /** Name of the MCP server, for the log. */
  readonly server: string;
  readonly logger: Logger;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** Gets what the server wrote for a person. */
  readonly log?: Pick<ServerLogSink, 'stderr' | 'stderrLine'> | undefined;
}

/**
 * The end of what an MCP server wrote to its standard error. Whatever comes, at most 64 KiB are kept and at most 20
 * lines a second are logged; the bytes themselves are always taken, since a full pipe would stop the server.
 */
export class StderrRing {
  readonly #options: StderrRingOptions;
  readonly #limit = new RateLimit(LOGGED_LINES_PER_SECOND);
  readonly #tail = new ByteTail(KEPT_BYTES);
  #unlogged = '';
  /** Whether what comes next is the rest of a line whose beginning was not logged. */
  #midLine = false;

  constructor(options: StderrRingOptions) {
    this.#options = options;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    this.#options.log?.stderr(chunk);
    this.#tail.push(chunk);
    this.#log(chunk);
  }

  /** The last lines, without secrets: at most `lines` of them, each cut at 1,000 characters. */
  tail(lines = 20): string {
    const bytes = this.#tail.bytes();
    const text = bytes.toString('utf8');
    // The first line may have lost its beginning: half a secret is a secret, so it is left out.
    const whole = this.#tail.seen > bytes.length ? text.slice(text.indexOf('\n') + 1 || text.length) : text;
    const redacted = this.#options.redact(whole.trimEnd());
    return redacted
      .split('\n')
      .slice(-lines)
      .map((line) => shorten(line.trimEnd()))
      .join('\n');
  }

  #log(chunk: Buffer): void {
    if (!this.#limit.take()) {
      this.#unlogged = '';
      this.#midLine = true;
      return;
    }
    const { server, logger } = this.#options;
    const suppressed = this.#limit.takeSuppressed();
    if (suppressed > 0) logger.debug({ server, chunks: suppressed }, 'Some of the standard error was not logged');
    const lines = (this.#unlogged + chunk.toString('utf8')).split('\n');
    // Half a line could hold half a secret, which no redactor knows.
    if (this.#midLine && lines.length > 1) lines.shift();
    this.#midLine &&= lines.length === 1;
    const rest = lines.pop() ?? '';
    this.#midLine ||= rest.length > KEPT_BYTES;
    this.#unlogged = this.#midLine ? '' : rest;
    this.#logLines(lines.filter((line) => line.trim() !== ''));
  }

  #logLines(lines: readonly string[]): void {
    const { server, logger, redact, log } = this.#options;
    for (const [index, written] of lines.entries()) {
      if (index > 0 && !this.#limit.take()) break;
      const line = shorten(redact(written.trimEnd()));
      logger.debug({ server, line }, 'MCP server wrote to its standard error');
      log?.stderrLine(line);
    }
  }
}

function shorten(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
