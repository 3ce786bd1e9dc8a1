/** What is told of a tool call when it has ended: never its arguments, never its result. */
export interface ToolCallReport {
  readonly reqId: string;
  /** The MCP server; absent when no tool has that name. */
  readonly server: string | undefined;
  /** The name by which the Agent called it. */
  readonly tool: string;
  /** Whether the result is not an error. */
  readonly ok: boolean;
  /** The code of a failure that the Computer reported. */
  readonly code: number | undefined;
  /** In milliseconds. */
  readonly durationMs: number;
}

/** A call of the past. */
export interface CallHistoryEntry extends ToolCallReport {
  /** When it ended. */
  readonly endedAt: Date;
  /** The text of a failure that the Computer reported, without secrets. */
  readonly message: string | undefined;
}

/** The last calls of one office, oldest first; the oldest make room. */
export class CallHistory {
  readonly #capacity: number;
  readonly #entries: CallHistoryEntry[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** A copy. */
  get entries(): readonly CallHistoryEntry[] {
    return [...this.#entries];
  }

  /** Adds the latest call. */
  add(entry: CallHistoryEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > this.#capacity) this.#entries.shift();
  }

  /** Nothing learnt in one office shows in the next one. */
  clear(): void {
    this.#entries.length = 0;
  }
}
