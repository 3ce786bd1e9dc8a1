import { Decoder, type Packet } from 'socket.io-parser';
import { readWithNonNumbers } from '../protocol/index.js';

/**
 * The most arguments of an event or acknowledgement that are looked at. Socket.IO spreads them over a function call,
 * which throws outside of any handler when there are some hundred thousand.
 */
const MAX_ARGUMENTS = 1_000;

function limitArguments({ data }: Packet): void {
  if (Array.isArray(data) && data.length > MAX_ARGUMENTS) data.length = MAX_ARGUMENTS;
}

/** Socket.IO's decoder, which also reads what Servers and peers in Python send, and lets no packet end the process. */
export class TolerantDecoder extends Decoder {
  constructor() {
    super();
    // Registered first, so it sees a packet before Socket.IO does.
    this.on('decoded', limitArguments);
  }

  override add(chunk: unknown): void {
    readWithNonNumbers(chunk, (read) => {
      super.add(read);
    });
  }
}
