import { Decoder } from 'socket.io-parser';
import { readWithNonNumbers } from '../protocol/index.js';

/** Socket.IO's decoder, which also reads what Servers and peers in Python send. */
export class TolerantDecoder extends Decoder {
  override add(chunk: unknown): void {
    readWithNonNumbers(chunk, (read) => {
      super.add(read);
    });
  }
}
