import type { z } from 'zod';
import {
  describeIssues,
  ErrorCode,
  isDeeperThan,
  MAX_PAYLOAD_DEPTH,
  ProtocolError,
  readErrorAck,
  type CallEvent,
  type JsonObject,
} from '../protocol/index.js';
import type { OfficeConnection } from '../client/index.js';

/** What every request of an Agent takes. */
export interface RequestOptions {
  /**
   * How long to wait for the answer, in milliseconds.
   * @default 32_000: the Server's own wait and 2 s more
   */
  readonly timeoutMs?: number;
  /** Ends the wait; the request is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Gets the acknowledgement as it came, an error acknowledgement too, before it is read. */
  readonly onAck?: (ack: unknown) => void;
}

/** How one request is sent. */
export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly reqId?: string | undefined;
  readonly onAck?: ((ack: unknown) => void) | undefined;
}

/** The events that an Agent asks an answer of. */
export type AskEvent = CallEvent | 'server:list_room';

/** What a requester needs. */
export interface RequesterParts {
  readonly connection: Pick<OfficeConnection, 'request' | 'send'>;
  readonly newRequestId: () => string;
  /** The name that the Agent goes by. */
  readonly agentName: () => string;
}

/** Sends the Agent's requests, each with its name and a fresh id, and reads what comes back. */
export class Requester {
  readonly #parts: RequesterParts;

  constructor(parts: RequesterParts) {
    this.#parts = parts;
  }

  /** A fresh id for a request. */
  newId(): string {
    return this.#parts.newRequestId();
  }

  /**
   * Sends a request.
   *
   * @param fields - the payload beside `agent` and `req_id`.
   * @returns the acknowledgement as it came; an error acknowledgement is a value here.
   */
  async ask(event: AskEvent, fields: JsonObject, options: AskOptions): Promise<unknown> {
    const payload = {
      agent: this.#parts.agentName(),
      req_id: options.reqId ?? this.newId(),
      ...fields,
    };
    const { timeoutMs, signal } = options;
    const ack = await this.#parts.connection.request(event, payload, { timeoutMs, signal });
    options.onAck?.(ack);
    return ack;
  }

  /**
   * Sends a request and reads its answer.
   *
   * @returns the acknowledgement itself, looked at but not copied.
   * @throws ProtocolError that the Server or the Computer answered with; ProtocolError 500 when the answer is malformed.
   */
  async fetch<S extends z.ZodType>(
    request: { readonly event: AskEvent; readonly fields: JsonObject; readonly answer: S },
    options: AskOptions,
  ): Promise<z.output<S>> {
    const ack = await this.ask(request.event, request.fields, options);
    throwIfError(request.event, ack);
    const read = request.answer.safeParse(ack);
    if (!read.success) throw malformed(request.event, describeIssues(read.error));
    return ack as z.output<S>;
  }

  /** Ends a call, without waiting for anything. Protocol §6.3. */
  cancel(reqId: string): void {
    this.#parts.connection.send('server:tool_call_cancel', { agent: this.#parts.agentName(), req_id: reqId });
  }
}

/** @throws ProtocolError when an acknowledgement is an error, or nested deeper than the protocol allows. */
export function throwIfError(event: AskEvent, ack: unknown): void {
  if (isDeeperThan(ack, MAX_PAYLOAD_DEPTH)) throw malformed(event, `nested deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  const error = readErrorAck(ack);
  if (error !== undefined) throw ProtocolError.fromPayload(error);
}

/** The error for an answer that is not what the protocol says. It is made here: the peer did not send it. */
export function malformed(event: AskEvent, why: string): ProtocolError {
  return new ProtocolError(ErrorCode.Internal, `The answer to ${event} is malformed: ${why}`);
}
