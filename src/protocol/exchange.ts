import type { z } from 'zod';
import { ErrorCode, ProtocolError, type ErrorPayload } from './errors.js';
import { CALL_EVENTS, type CallEvent, type Payload } from './events.js';
import { isDeeperThan, MAX_PAYLOAD_DEPTH } from './json.js';

/** The acknowledgement function of a Socket.IO event. */
export type Ack = (...args: unknown[]) => void;

/** What came with an event. */
export interface Incoming {
  /** The first argument, `undefined` when there is none. */
  readonly payload: unknown;
  /** Present when the sender wants an acknowledgement. */
  readonly ack: Ack | undefined;
}

/**
 * Takes an event's arguments apart. The acknowledgement is the *last* argument, whatever stands before it: a Python
 * peer that sends `None` sends no payload at all.
 */
export function readIncoming(args: readonly unknown[]): Incoming {
  const last = args.at(-1);
  const ack = typeof last === 'function' ? (last as Ack) : undefined;
  return { payload: args.length > (ack === undefined ? 0 : 1) ? args[0] : undefined, ack };
}

/** A schema's complaint as a sentence that names the field: `timeout: must be at least 1 second`. */
export function describeIssues(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue === undefined || issue.path.length === 0 ? 'payload' : issue.path.map(String).join('.');
  return `${path}: ${issue?.message ?? 'invalid'}`;
}

/**
 * Judges a payload at the edge: its depth, then its schema. What comes back is the object that came in, so that
 * unknown fields, `__proto__` keys and their order survive. Protocol §3, §3.1.
 *
 * @throws ProtocolError 400 naming the field.
 */
export function checkPayload<S extends z.ZodType>(schema: S, payload: unknown): z.output<S> {
  if (isDeeperThan(payload, MAX_PAYLOAD_DEPTH)) {
    throw new ProtocolError(ErrorCode.BadRequest, `payload: nested deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  }
  const checked = schema.safeParse(payload);
  if (!checked.success) throw new ProtocolError(ErrorCode.BadRequest, describeIssues(checked.error));
  return payload as z.output<S>;
}

/**
 * What crosses the wire for whatever was thrown: a {@link ProtocolError} as it is, anything else as a 500 that tells
 * nothing of the inside.
 *
 * @param onUnforeseen - gets what was not a `ProtocolError`, for the log.
 */
export function toErrorPayload(error: unknown, onUnforeseen: (error: unknown) => void): ErrorPayload {
  if (error instanceof ProtocolError) return error.toPayload();
  onUnforeseen(error);
  return new ProtocolError(ErrorCode.Internal, 'Internal error').toPayload();
}

/**
 * Answers an event once, without ever throwing: a value that Socket.IO cannot encode becomes a 500 acknowledgement.
 *
 * @param onFailure - gets what went wrong while encoding, for the log.
 */
export function sendAck(ack: Ack | undefined, args: readonly unknown[], onFailure: (error: unknown) => void): void {
  if (ack === undefined) return;
  try {
    ack(...args);
  } catch (error) {
    onFailure(error);
    try {
      ack(new ProtocolError(ErrorCode.Internal, 'The answer could not be encoded').toPayload());
    } catch (second) {
      onFailure(second);
    }
  }
}

/**
 * Handles one `client:*` event on the Computer: parse → act → answer. Whatever `act` throws becomes one flat error
 * acknowledgement; an event is never left unanswered. Protocol §5.2.
 *
 * @param args - the event's arguments as Socket.IO gives them.
 * @param act - does the work and returns the answer.
 * @param onFailure - gets what was not foreseen, for the log.
 */
export async function handleCall<E extends CallEvent>(
  event: E,
  args: readonly unknown[],
  act: (payload: Payload<E>) => unknown,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const { payload, ack } = readIncoming(args);
  try {
    const request = checkPayload(CALL_EVENTS[event].payload, payload) as Payload<E>;
    sendAck(ack, [await act(request)], onFailure);
  } catch (error) {
    sendAck(ack, [toErrorPayload(error, onFailure)], onFailure);
  }
}
