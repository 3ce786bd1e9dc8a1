import type { JsonObject } from '../../protocol/index.js';
import { jsonStart } from '../calls/json-start.js';

/** How much of a message's data is looked at, in UTF-16 units; far less of it is shown. */
const MAX_DATA = 16_384;
const MAX_LINE = 1_000;

/**
 * An MCP message to the log (`notifications/message`) as one line: `[warning] db: connection lost`.
 *
 * @param redact - takes secrets out of a text; it sees more than is shown, so that no cut goes through a secret.
 */
export function logMessageLine(params: JsonObject | undefined, redact: (text: string) => string): string {
  const { level, logger, data } = params ?? {};
  const said = typeof data === 'string' ? data.slice(0, MAX_DATA) : jsonStart(data, MAX_DATA).slice(0, MAX_DATA);
  const head = `${named(level, (text) => `[${text}] `)}${named(logger, (text) => `${text}: `)}`;
  const line = redact(`${head}${said}`).replace(/\s*[\r\n]+\s*/g, ' ');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

function named(value: unknown, shown: (text: string) => string): string {
  return typeof value === 'string' && value !== '' ? shown(value.slice(0, 100)) : '';
}
