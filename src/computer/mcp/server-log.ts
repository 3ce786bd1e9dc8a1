import type { JsonObject } from '../../protocol/index.js';
import { ByteTail } from './byte-tail.js';

/** Where a line came from: a stdio server's standard error, or its MCP messages to the log. */
export type ServerLogSource = 'stderr' | 'mcp';

/** Takes what an MCP server writes for a person, as it comes. None may throw. */
export interface ServerLogSink {
  /** Bytes of its standard error. */
  stderr(chunk: Buffer): void;
  /** A line of them, without secrets; 20 a second at most. */
  stderrLine(line: string): void;
  /** An MCP message to the log. */
  message(params: JsonObject | undefined): void;
}

/** How much of the standard error is kept, in bytes. */
const KEPT_BYTES = 65_536;
const KEPT_MESSAGES = 200;
const MAX_LINE = 1_000;

/** An MCP message, and where in the stream of the standard error it came. */
interface Message {
  readonly at: number;
  readonly line: string;
}

/**
 * The last that an MCP server wrote for a person, over all its runs. At most 64 KiB of standard error and 200 messages
 * are kept, as they came: secrets are taken out when it is read, those too that were learnt since.
 */
export class ServerLog {
  readonly #stderr = new ByteTail(KEPT_BYTES);
  #endsLine = true;
  #messages: Message[] = [];

  /** Takes the next bytes of the standard error. */
  stderr(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#stderr.push(chunk);
    this.#endsLine = chunk.at(-1) === 0x0a;
  }

  /** Takes a message. */
  message(line: string): void {
    this.#messages.push({ at: this.#stderr.seen, line: line.replace(/\s*[\r\n]+\s*/g, ' ') });
    if (this.#messages.length > KEPT_MESSAGES) this.#messages.shift();
  }

  /** A run begins: its first line is no rest of another one. */
  begin(): void {
    if (!this.#endsLine) this.stderr(Buffer.from('\n'));
  }

  /**
   * The lines, oldest first, each cut at 1,000 characters.
   *
   * @param redact - takes secrets out of a text.
   * @param isOver - nothing more comes: a last line without an end counts. Until then it may hold half a secret.
   */
  lines(redact: (text: string) => string, isOver = true): readonly string[] {
    const seen = this.#stderr.bytes();
    const bytes = isOver ? seen : seen.subarray(0, seen.lastIndexOf(0x0a) + 1);
    let at = this.#stderr.seen - seen.length;
    let start = 0;
    // The first line may have lost its beginning: half a secret is a secret, so it is left out.
    if (at > 0) start = bytes.indexOf(0x0a) + 1 || bytes.length;
    at += start;
    const messages = [...this.#messages];
    let text = '';
    // A message stands before the line that was being written when it came.
    while (start < bytes.length) {
      const found = bytes.indexOf(0x0a, start);
      const end = found === -1 ? bytes.length : found + 1;
      at += end - start;
      for (let next = messages[0]; next && next.at < at; next = messages[0]) {
        text += `${next.line}\n`;
        messages.shift();
      }
      text += bytes.toString('utf8', start, end);
      start = end;
    }
    if (text !== '' && !text.endsWith('\n')) text += '\n';
    for (const { line } of messages) text += `${line}\n`;
    return redact(text)
      .split('\n')
      .map((line) => shorten(line.trimEnd()))
      .filter((line) => line !== '');
  }
}

function shorten(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
