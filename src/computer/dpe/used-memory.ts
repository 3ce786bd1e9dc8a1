import { MessageChannel } from 'node:worker_threads';

/** Smaller ones may be parts of a pool that others use too, and are not worth it. */
const LEAST_BYTES = 16 * 1024;

/**
 * Gives memory back at once that nobody uses any more. The engine collects the memory of what came over a connection
 * only after 32 MB of it, which a large document that is passed on in pieces would take for nothing.
 */
export class UsedMemory {
  readonly #nowhere = closedPort();

  /** @param buffer - whole, used by nobody; it is empty afterwards. */
  free(buffer: ArrayBufferLike): void {
    if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < LEAST_BYTES) return;
    // What is sent to where nobody listens is gone with its memory.
    this.#nowhere.postMessage(undefined, [buffer]);
  }
}

function closedPort(): MessageChannel['port1'] {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.close();
  return port1;
}
