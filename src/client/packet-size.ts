import { Encoder, PacketType } from 'socket.io-parser';
import { isDeeperThan, MAX_PAYLOAD_DEPTH, NAMESPACE } from '../protocol/index.js';
import { PacketTooLargeError, UnsendablePayloadError } from './errors.js';

// As long as any acknowledgement id of a connection that lives for months.
const LONGEST_ID = 9_999_999_999;
const utf8 = new TextEncoder();
/** Socket.IO's decoders end a connection on which more of them are announced. */
const MAX_ATTACHMENTS = 10;

type Part = string | ArrayBufferView | ArrayBuffer;

/** The text of the packet, then its binary attachments. */
function encode(event: string, payload: unknown): Part[] {
  return new Encoder().encode({
    type: PacketType.EVENT,
    nsp: NAMESPACE,
    id: LONGEST_ID,
    data: [event, payload],
  }) as Part[];
}

function largestPart(parts: readonly Part[]): number {
  const sizes = parts.map((part) =>
    typeof part === 'string' ? utf8.encode(part).length : Math.ceil(part.byteLength / 3) * 4,
  );
  // Engine.IO puts one character in front of each part.
  return Math.max(...sizes) + 1;
}

/**
 * The size of the largest part that an event is sent as, in bytes: the text of the packet, or one binary attachment.
 * Attachments count as base64, as HTTP polling carries them.
 *
 * @throws TypeError or RangeError when the payload has no form on the wire.
 */
export function packetBytes(event: string, payload: unknown): number {
  return largestPart(encode(event, payload));
}

/**
 * Judges an event before it is sent: what is too large would end the connection, what cannot be encoded would throw
 * inside Socket.IO.
 *
 * @throws UnsendablePayloadError, PacketTooLargeError
 */
export function checkPacket(event: string, payload: unknown, limit: number): void {
  if (isDeeperThan(payload, MAX_PAYLOAD_DEPTH)) {
    throw new UnsendablePayloadError(event, `the payload is nested deeper than ${MAX_PAYLOAD_DEPTH} levels`);
  }
  const parts = encodeOrThrow(event, payload);
  const attachments = parts.length - 1;
  if (attachments > MAX_ATTACHMENTS) {
    throw new UnsendablePayloadError(event, `it holds ${attachments} binary values, at most ${MAX_ATTACHMENTS} can go`);
  }
  const size = largestPart(parts);
  if (size > limit) throw new PacketTooLargeError(event, size, limit);
}

function encodeOrThrow(event: string, payload: unknown): Part[] {
  try {
    return encode(event, payload);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it has no JSON form';
    throw new UnsendablePayloadError(event, why, error);
  }
}
