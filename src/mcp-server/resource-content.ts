/** One item of the answer to MCP's `resources/read`: text, or bytes in base64. */
export type ResourceContent =
  { uri: string; mimeType?: string; text: string } | { uri: string; mimeType?: string; blob: string };

/** Bytes per piece; a multiple of 3, so that the pieces of base64 can be joined. */
const PIECE = 24_576;

/** Base64 where there need not be a `Buffer`. */
export function toBase64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(start, start + PIECE))));
  }
  return pieces.join('');
}
