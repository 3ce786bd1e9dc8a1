import { Encoder, PacketType } from 'socket.io-parser';
import { isDeeperThan, MAX_PAYLOAD_DEPTH, NAMESPACE } from '../protocol/index.js';
import { PacketTooLargeError, UnsendablePayloadError } from './errors.js';

// As long as any acknowledgement id of a connection that lives for months.
const LONGEST_ID = 9_999_999_999;
const utf8 = new TextEncoder();

/**
 * The size of the largest part that an event is sent as, in bytes: the text of the packet, or one binary attachment.
 * Attachments count as base64, as HTTP polling carries them.
 *
 * @throws TypeError or RangeError when the payload has no form on the wire.
 */
export function packetBytes(event: string, payload: unknown): number {
  const parts = new Encoder().encode({
    type: PacketType.EVENT,
    nsp: NAMESPACE,
    id: LONGEST_ID,
    data: [event, payload],
  }) as (string | ArrayBufferView | ArrayBuffer)[];
  const sizes = parts.map((part) =>
    typeof part === 'string' ? utf8.encode(part).length : Math.ceil(part.byteLength / 3) * 4,
  );
  // Engine.IO puts one character in front of each part.
  return Math.max(...sizes) + 1;
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
  const size = sizeOrThrow(event, payload);
  if (size > limit) throw new PacketTooLargeError(event, size, limit);
}

function sizeOrThrow(event: string, payload: unknown): number {
  try {
    return packetBytes(event, payload);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'it has no JSON form';
    throw new UnsendablePayloadError(event, why, error);
  }
}
