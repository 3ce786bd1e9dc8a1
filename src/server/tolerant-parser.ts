import { Decoder, Encoder, PacketType, type Packet } from 'socket.io-parser';
import { ErrorCode, ProtocolError, readWithNonNumbers } from '../protocol/index.js';

/**
 * The most arguments that an acknowledgement may have. Socket.IO spreads them over a function call, which throws
 * outside of any handler when there are some hundred thousand: a packet of a few hundred KB would end the process.
 */
const MAX_ACK_ARGUMENTS = 1_000;

function limitAckArguments(packet: Packet): void {
  if (packet.type !== PacketType.ACK || !Array.isArray(packet.data) || packet.data.length <= MAX_ACK_ARGUMENTS) return;
  const message = `The answer has ${packet.data.length} arguments, more than ${MAX_ACK_ARGUMENTS}`;
  packet.data = [new ProtocolError(ErrorCode.Internal, message).toPayload()];
}

/**
 * Reads what Socket.IO's own decoder reads, and besides it the `NaN` and `Infinity` of Python peers, whose whole
 * connection would be closed otherwise. An acknowledgement with an absurd number of arguments becomes an error.
 */
class TolerantDecoder extends Decoder {
  constructor() {
    super();
    // Registered first, so it sees a packet before Socket.IO does.
    this.on('decoded', limitAckArguments);
  }

  override add(chunk: unknown): void {
    readWithNonNumbers(chunk, (read) => {
      super.add(read);
    });
  }
}

/** For Socket.IO's `parser` option. On the wire it is the usual parser. */
export const tolerantParser = { Encoder, Decoder: TolerantDecoder };
