import type { JsonObject, Logger } from '../../protocol/index.js';
import { messageOf, type ReportDiagnostic } from '../hosting.js';
import type { SchemaReply } from './schema-messages.js';
import { SchemaThreadError, startSchemaThread, type SchemaThread } from './schema-thread.js';

/** Arguments and what they are meant for. */
export interface ArgumentsToCheck {
  /** The MCP server. */
  readonly server: string;
  /** The tool's own name there. */
  readonly tool: string;
  /** The tool's `inputSchema`; the same object as long as it stays the same. */
  readonly schema: JsonObject;
  readonly args: JsonObject;
}

/** How to make an {@link ArgumentValidator}. */
export interface ArgumentValidatorOptions {
  /** Gets what an owner should know: of a schema that cannot be used, once. */
  readonly report: ReportDiagnostic;
  readonly logger: Logger;
  /** For one validation, once it runs, in milliseconds. @default 1000 */
  readonly deadlineMs?: number;
}

const START_TIMEOUT_MS = 30_000;
/** For a validation with the wait for its turn and for the thread; a call that waited for so long goes unchecked. */
const MAX_WAIT_MS = 5_000;
/** A schema that hangs or breaks the thread so often is not used any more. */
const MOST_OFFENCES = 2;
const MAX_REASON = 300;

/**
 * Says whether the arguments of calls fit the schemas of their tools. Schemas come from MCP servers, so this happens in
 * a thread of its own, one at a time and with a deadline; the thread is replaced when a schema hangs or breaks it. What
 * cannot be checked is let through: the MCP server has the last word in any case.
 */
export class ArgumentValidator {
  readonly #options: ArgumentValidatorOptions;
  readonly #ids = new WeakMap<JsonObject, number>();
  readonly #offences = new WeakMap<JsonObject, number>();
  /** Schemas that are not used any more. */
  readonly #aside = new WeakSet<JsonObject>();
  #lastId = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #thread: SchemaThread | undefined;
  #isUnstartable = false;
  #closed = false;

  constructor(options: ArgumentValidatorOptions) {
    this.#options = options;
  }

  /**
   * Looks at arguments, and changes nothing about them. Never throws.
   *
   * @param timeoutMs - in milliseconds; afterwards nothing is found wrong.
   * @returns what is wrong with them: sentences that name a field and what is expected of it, never a value.
   */
  async check(call: ArgumentsToCheck, timeoutMs: number): Promise<readonly string[]> {
    const waitMs = Math.min(timeoutMs, MAX_WAIT_MS);
    const deadline = performance.now() + waitMs;
    const mine = this.#turn.then(() => (performance.now() < deadline ? this.#judge(call) : []));
    this.#turn = mine;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<readonly string[]>((resolve) => {
      timer = setTimeout(resolve, waitMs, []);
    });
    try {
      return await Promise.race([mine, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the thread and waits until it is gone; nothing is found wrong any more. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#dropThread();
    await this.#turn;
  }

  async #judge(call: ArgumentsToCheck): Promise<readonly string[]> {
    const { schema } = call;
    if (this.#closed || this.#isUnstartable || this.#aside.has(schema)) return [];
    try {
      const reply = await this.#ask(call);
      this.#offences.delete(schema);
      if (reply.type === 'invalid') return reply.problems;
      if (reply.type === 'unusable') this.#putAside(call, `its input schema cannot be used: ${reply.why}`);
    } catch (error) {
      await this.#dropThread();
      this.#onTrouble(call, error);
    }
    return [];
  }

  async #ask({ schema, args }: ArgumentsToCheck): Promise<SchemaReply> {
    const { deadlineMs = 1_000 } = this.#options;
    const id = this.#idOf(schema);
    const thread = await this.#readyThread();
    const reply = await thread.request({ id, args }, deadlineMs);
    return reply.type === 'unknown' ? thread.request({ id, schema, args }, deadlineMs) : reply;
  }

  #onTrouble(call: ArgumentsToCheck, error: unknown): void {
    if (this.#closed) return;
    const { logger, report } = this.#options;
    const problem = messageOf(error);
    if (!(error instanceof SchemaThreadError) || error.kind === 'late-start') {
      this.#isUnstartable = true;
      report({ problem: `the arguments of calls are not validated: ${problem}` });
      return;
    }
    logger.warn({ server: call.server, tool: call.tool, problem }, 'The arguments of a call could not be validated');
    const offences = (this.#offences.get(call.schema) ?? 0) + 1;
    this.#offences.set(call.schema, offences);
    if (offences >= MOST_OFFENCES) this.#putAside(call, `its input schema takes too long or too much memory`);
  }

  #putAside({ server, tool, schema }: ArgumentsToCheck, why: string): void {
    this.#aside.add(schema);
    const problem = `the arguments of its calls are not validated: ${why.slice(0, MAX_REASON)}`;
    this.#options.report({ server, item: tool, problem });
  }

  #idOf(schema: JsonObject): number {
    const known = this.#ids.get(schema);
    if (known !== undefined) return known;
    this.#lastId += 1;
    this.#ids.set(schema, this.#lastId);
    return this.#lastId;
  }

  async #readyThread(): Promise<SchemaThread> {
    if (this.#thread?.ended === true) await this.#dropThread();
    if (this.#thread !== undefined) return this.#thread;
    if (this.#closed) throw new SchemaThreadError({ kind: 'crash', what: 'was closed' });
    const thread = startSchemaThread();
    this.#thread = thread;
    try {
      await thread.ready(START_TIMEOUT_MS);
      return thread;
    } catch (error) {
      throw new SchemaThreadError({ kind: 'late-start', what: `could not be started (${messageOf(error)})` });
    }
  }

  async #dropThread(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }
}
