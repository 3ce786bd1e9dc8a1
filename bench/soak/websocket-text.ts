const TEXT = 1;
const HEADER_END = '\r\n\r\n';
/** How many more bytes tell the length, by what the second byte says. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 126: 2, 127: 8 };

/** Reads the text messages of one direction of a WebSocket connection, from its first HTTP byte on. */
export class WebSocketText {
  readonly #onText: (text: string) => void;
  #bytes: Buffer = Buffer.alloc(0);
  #upgraded = false;

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    if (!this.#upgraded) {
      const end = this.#bytes.indexOf(HEADER_END);
      if (end === -1) return;
      this.#upgraded = true;
      this.#bytes = this.#bytes.subarray(end + HEADER_END.length);
    }
    while (this.#takeFrame());
  }

  /** @returns whether there was a whole frame. */
  #takeFrame(): boolean {
    const bytes = this.#bytes;
    const [first, second] = bytes;
    if (first === undefined || second === undefined) return false;
    const lengthBytes = LENGTH_BYTES[second & 0x7f] ?? 0;
    const maskBytes = (second & 0x80) === 0 ? 0 : 4;
    const start = 2 + lengthBytes + maskBytes;
    if (bytes.length < start) return false;
    const length = lengthBytes === 0 ? second & 0x7f : Number(`0x${bytes.toString('hex', 2, 2 + lengthBytes)}`);
    if (bytes.length < start + length) return false;
    const mask = bytes.subarray(start - maskBytes, start);
    const payload = unmasked(bytes.subarray(start, start + length), mask);
    this.#bytes = bytes.subarray(start + length);
    if ((first & 0x0f) === TEXT) this.#onText(payload.toString('utf8'));
    return true;
  }
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  return mask.length === 0 ? payload : Buffer.from(payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
}
