import { TextDecoder } from 'node:util';
import { ServerStartError } from './mcp-errors.js';

/** Turns messages into bytes of one encoding and back. */
export interface MessageCodec {
  /** @throws TypeError when bytes are not valid in the encoding and the handler is `strict`. */
  decode(line: Buffer): string;
  encode(message: unknown): string;
}

const utf8: MessageCodec = {
  decode: (line) => line.toString('utf8'),
  encode: (message) => `${JSON.stringify(message)}\n`,
};

function escapeNonAscii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * The codec for `encoding` and `encoding_error_handler` of a stdio server (Protocol §7.1). What we write is pure ASCII
 * in every encoding but UTF-8, so only reading needs the table.
 *
 * @throws ServerStartError (`bad-config`) for an encoding that is unknown or not a superset of ASCII.
 */
export function messageCodec(encoding = 'utf-8', errorHandler = 'strict'): MessageCodec {
  if (/^utf-?8$/i.test(encoding)) return utf8;
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: errorHandler === 'strict' });
  } catch (error) {
    throw new ServerStartError('bad-config', `Unknown encoding: ${encoding} (encoding)`, { cause: error });
  }
  if (decoder.encoding.startsWith('utf-16')) {
    throw new ServerStartError('bad-config', `Encoding ${encoding} cannot carry lines of JSON; use utf-8 (encoding)`);
  }
  return {
    decode: (line) => decoder.decode(line),
    encode: (message) => `${escapeNonAscii(JSON.stringify(message))}\n`,
  };
}
