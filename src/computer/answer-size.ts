import { packetBytes } from '../client/index.js';
import { ErrorCode, isDeeperThan, MAX_PAYLOAD_DEPTH, ProtocolError } from '../protocol/index.js';

/** The size of an acknowledgement on the wire, in bytes, never less than it will be. */
export function answerBytes(answer: object): number {
  return packetBytes('', answer);
}

/**
 * Makes sure that an answer can be sent: one above the packet limit would end the connection. Protocol §5.2.
 *
 * @param event - the event that it answers, for the message.
 * @param limit - the largest answer, in bytes.
 * @returns the answer itself.
 * @throws ProtocolError 500 with `size` and `limit`.
 */
export function fittingAnswer<A extends object>(event: string, answer: A, limit: number): A {
  if (isDeeperThan(answer, MAX_PAYLOAD_DEPTH)) {
    throw new ProtocolError(ErrorCode.Internal, `The answer to ${event} nests deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  }
  assertFits(event, answerBytes(answer), limit);
  return answer;
}

/** @throws ProtocolError 500 with `size` and `limit`, in bytes, when the one is above the other. */
export function assertFits(event: string, size: number, limit: number): void {
  if (size <= limit) return;
  const message = `The answer to ${event} is ${size} bytes, more than the ${limit} bytes that can be sent`;
  throw new ProtocolError(ErrorCode.Internal, message, { size, limit });
}

/** Whether an answer has a form on the wire, and one within the limit (in bytes). */
export function isSendable(answer: object, limit: number): boolean {
  try {
    return !isDeeperThan(answer, MAX_PAYLOAD_DEPTH) && answerBytes(answer) <= limit;
  } catch {
    return false;
  }
}
