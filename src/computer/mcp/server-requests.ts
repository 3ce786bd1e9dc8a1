import type { ClientOptions, JSONRPCMessage } from '@modelcontextprotocol/client';
import { abortable, linkedSignal } from '../../client/index.js';
import { isJsonObject, type JsonObject, type Logger } from '../../protocol/index.js';
import type { ErrorFrame, Frame, FrameId } from './frames.js';

/** A folder or file that MCP servers are told of: where they are meant to work. */
export interface Root {
  /** A `file:` URI. */
  readonly uri: string;
  /** For a person. */
  readonly name?: string;
}

/** Something that an MCP server wants of this Computer. */
export interface ServerRequest {
  /** Name of the MCP server in the configuration. */
  readonly server: string;
  /** As the MCP server wrote them. */
  readonly params: JsonObject;
}

/**
 * Answers what an MCP server wants of this Computer.
 *
 * @param options - `signal` is aborted when the answer is not wanted any more: the MCP server took its request back, its
 *   session ended, the Computer closes, or the time is up.
 * @returns the result, which reaches the server unchanged; `undefined` declines.
 * @throws what it likes: the MCP server learns only that there is no answer, the log has the reason.
 */
export type AnswerServerRequest = (
  request: ServerRequest,
  options: { readonly signal: AbortSignal },
) => JsonObject | undefined | Promise<JsonObject | undefined>;

/** What answers the requests of MCP servers. */
export interface ServerRequestHandlers {
  /** `sampling/createMessage`: a text of a language model. Absent: declined. */
  readonly onSampling?: AnswerServerRequest | undefined;
  /** `elicitation/create`: a person's answer, to a form or at a URL. Absent: declined. */
  readonly onElicitation?: AnswerServerRequest | undefined;
  /** How long a handler may take, in ms. @default 300000 */
  readonly timeoutMs?: number | undefined;
}

/** What {@link ServerRequests} works with. */
export interface ServerRequestsOptions {
  /** Name of the MCP server in the configuration. */
  readonly server: string;
  readonly handlers: ServerRequestHandlers;
  /** What the server is told of as its roots now. */
  readonly roots: () => readonly Root[];
  readonly send: (message: JSONRPCMessage) => Promise<void>;
  readonly logger: Logger;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

type Answer = { readonly result: JsonObject } | { readonly error: ErrorFrame['error'] };

/** A kind of request that a handler answers, and what is said where there is no answer. */
interface Question {
  readonly handler: 'onSampling' | 'onElicitation';
  readonly declined: (why: string) => Answer;
  readonly late: (why: string) => Answer;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
/** What MCP has for a sampling request that a person refused. */
const REJECTED = -1;

const rejected = (why: string): Answer => ({
  error: { code: REJECTED, message: `Sampling request rejected: ${why}` },
});

const QUESTIONS: ReadonlyMap<string, Question> = new Map([
  ['sampling/createMessage', { handler: 'onSampling', declined: rejected, late: rejected }],
  [
    'elicitation/create',
    {
      handler: 'onElicitation',
      declined: () => ({ result: { action: 'decline' } }),
      // Nobody said no.
      late: () => ({ result: { action: 'cancel' } }),
    },
  ],
]);

/** A person answers. */
const DEFAULT_TIMEOUT_MS = 300_000;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Handlers that run for one server at a time; what is asked beyond that is declined. */
const MAX_RUNNING = 8;
/** Answers under way to one server; what it asks beyond that, without taking them, is dropped. */
const MAX_UNSENT = 256;

/**
 * Answers the requests that one MCP server makes on its session: `ping` and `roots/list` at once, sampling and
 * elicitation through handlers of the application, and declines everything else without a wait. Nothing that the server
 * asks holds up anything else.
 */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  /** Of each request that waits for its handler, what tells the handler that it is not wanted any more. */
  readonly #waiting = new Map<FrameId, AbortController>();
  readonly #closing = new AbortController();
  #running = 0;
  #unsent = 0;

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  /** What the server is told at the handshake that this Computer can do. */
  get capabilities(): NonNullable<ClientOptions['capabilities']> {
    const { handlers, roots } = this.#options;
    return {
      ...(roots().length > 0 && { roots: { listChanged: true } }),
      ...(handlers.onSampling && { sampling: {} }),
      ...(handlers.onElicitation && { elicitation: { form: {}, url: {} } }),
    };
  }

  /** Takes a request of the server, or its word that it wants no answer any more. @returns whether it was one. */
  accept(frame: Frame): boolean {
    if (!('method' in frame)) return false;
    const { id, method, params = {} } = frame;
    if (id === undefined) {
      if (method !== 'notifications/cancelled') return false;
      this.#cancel(params['requestId']);
    } else if (!this.#closing.signal.aborted && this.#unsent < MAX_UNSENT) {
      this.#answer(id, method, params);
    }
    return true;
  }

  /** Tells the server that its roots are others now. */
  async rootsChanged(): Promise<void> {
    await this.#options.send({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' });
  }

  /** Ends what runs; nothing is answered any more. */
  close(): void {
    this.#waiting.clear();
    this.#closing.abort(new Error('The session with the MCP server has ended'));
  }

  #answer(id: FrameId, method: string, params: JsonObject): void {
    const question = QUESTIONS.get(method);
    if (question !== undefined) void this.#ask(id, question, params);
    else if (method === 'ping') void this.#reply(id, { result: {} });
    else if (method === 'roots/list') void this.#reply(id, { result: { roots: [...this.#options.roots()] } });
    else void this.#reply(id, { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } });
  }

  async #ask(id: FrameId, question: Question, params: JsonObject): Promise<void> {
    const handler = this.#options.handlers[question.handler];
    // Of two requests with one id there can be one answer.
    if (this.#waiting.has(id)) return;
    if (handler === undefined) return this.#reply(id, question.declined(`this Computer has no handler for it`));
    if (this.#running >= MAX_RUNNING) return this.#reply(id, question.declined('too many wait for an answer'));
    const controller = new AbortController();
    this.#waiting.set(id, controller);
    this.#running += 1;
    const answer = await this.#run(handler, question, { params, controller });
    this.#running -= 1;
    // Who took the request back, or has gone, gets no answer.
    if (this.#waiting.get(id) !== controller) return;
    this.#waiting.delete(id);
    await this.#reply(id, answer);
  }

  /** Waits for the handler, also for one whose answer nobody wants any more: it counts until it has ended. */
  async #run(
    handler: AnswerServerRequest,
    question: Question,
    { params, controller }: { readonly params: JsonObject; readonly controller: AbortController },
  ): Promise<Answer> {
    const { server, handlers, logger, redact } = this.#options;
    const limitMs = Math.min(Math.max(handlers.timeoutMs ?? DEFAULT_TIMEOUT_MS, 1), MAX_TIMER_MS);
    const limit = linkedSignal([this.#closing.signal], limitMs);
    limit.signal.addEventListener('abort', () => {
      controller.abort(limit.signal.reason);
    });
    const { signal } = controller;
    try {
      // `async`, so that a handler that throws at once is treated like one that rejects.
      const result: unknown = await abortable((async () => handler({ server, params }, { signal }))(), limit.signal);
      if (result === undefined) return question.declined('it was refused on this Computer');
      if (isJsonObject(result)) return { result };
      throw new TypeError('The handler gave something that is no object');
    } catch (error) {
      if (limit.signal.aborted) return question.late(`nobody answered within ${Math.round(limitMs / 1000)} s`);
      // A handler that ends with what it was told to end with has not failed.
      if (!signal.aborted) logFailure(error, { server, handler: question.handler, logger, redact });
      return FAILED;
    } finally {
      limit.release();
    }
  }

  #cancel(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#waiting.get(id)?.abort(new Error('The MCP server took its request back'));
    this.#waiting.delete(id);
  }

  async #reply(id: FrameId, answer: Answer): Promise<void> {
    const { send, server, logger, redact } = this.#options;
    this.#unsent += 1;
    try {
      await sent(send, { jsonrpc: '2.0', id, ...answer });
    } catch (error) {
      const problem = redact(error instanceof Error ? error.message : String(error));
      logger.debug({ server, problem }, 'A request of an MCP server could not be answered');
      // What cannot be written as JSON must not leave the server waiting.
      if ('result' in answer) await sent(send, { jsonrpc: '2.0', id, ...FAILED }).catch(() => undefined);
    } finally {
      this.#unsent -= 1;
    }
  }
}

const FAILED = { error: { code: INTERNAL_ERROR, message: 'The Computer could not answer the request' } };

/** `async`, so that what throws at once rejects. */
async function sent(send: ServerRequestsOptions['send'], message: JSONRPCMessage): Promise<void> {
  await send(message);
}

function logFailure(
  error: unknown,
  {
    server,
    handler,
    logger,
    redact,
  }: { server: string; handler: string } & Pick<ServerRequestsOptions, 'logger' | 'redact'>,
): void {
  const problem = redact(error instanceof Error ? error.message : String(error));
  logger.error({ server, handler, problem }, 'A handler for requests of MCP servers failed');
}
