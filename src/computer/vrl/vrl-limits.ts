import { isDeeperThan } from '../../protocol/index.js';
import { VrlError } from './vrl-error.js';

/** What is refused before it reaches the interpreter, which breaks on some of it. */
export interface VrlLimits {
  /** The longest script, in UTF-16 units. */
  readonly maxScriptLength: number;
  /** How deep brackets may nest in a script. About 350 break the interpreter. */
  readonly maxScriptNesting: number;
  /** The largest event, in bytes of JSON. */
  readonly maxEventBytes: number;
  /** The largest event after the script, in bytes of JSON. */
  readonly maxResultBytes: number;
  /** How many scripts may wait for their turn. */
  readonly maxWaiting: number;
  /** How much they may hold together, in UTF-16 units. */
  readonly maxWaitingLength: number;
  /** The most memory of the interpreter, in bytes. */
  readonly maxMemoryBytes: number;
}

/** Used for what is not given. */
export const DEFAULT_VRL_LIMITS: VrlLimits = {
  maxScriptLength: 65_536,
  maxScriptNesting: 128,
  maxEventBytes: 2_000_000,
  maxResultBytes: 1_000_000,
  maxWaiting: 1000,
  maxWaitingLength: 32_000_000,
  maxMemoryBytes: 134_217_728,
};

/** The interpreter reads events of this depth and breaks on the next. */
const MAX_EVENT_DEPTH = 127;

/** @throws VrlError `limit`. */
export function assertScriptFits(source: string, limits: VrlLimits): void {
  const { maxScriptLength, maxScriptNesting } = limits;
  if (source.length > maxScriptLength) {
    throw new VrlError('limit', `The VRL script is longer than ${maxScriptLength} characters: shorten it`);
  }
  if (nestsDeeper(source, maxScriptNesting)) {
    const problem = `The VRL script has more than ${maxScriptNesting} brackets open at one place`;
    throw new VrlError('limit', `${problem}: use variables for the inner parts`);
  }
}

/**
 * The event as JSON: a copy, in which only values of JSON are left.
 *
 * @throws VrlError `limit`.
 */
export function eventText(event: unknown, { maxEventBytes }: VrlLimits): string {
  if (isDeeperThan(event, MAX_EVENT_DEPTH)) {
    throw new VrlError('limit', `The event nests deeper than ${MAX_EVENT_DEPTH} levels`);
  }
  const text = withoutLoneSurrogates(jsonOf(event));
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxEventBytes) return text;
  throw new VrlError(
    'limit',
    `The event is ${bytes} bytes, more than the ${maxEventBytes} bytes that a script may read`,
  );
}

function jsonOf(event: unknown): string {
  try {
    const text = JSON.stringify(event) as string | undefined;
    if (text !== undefined) return text;
  } catch {
    // What was thrown may quote the event.
  }
  throw new VrlError('limit', 'The event has no form in JSON');
}

/** `JSON.stringify` escapes halves of surrogate pairs, and nothing else so; the interpreter breaks on them. */
function withoutLoneSurrogates(json: string): string {
  return json.replaceAll(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (escape) => (escape === '\\\\' ? escape : '\ufffd'));
}

/** Brackets in texts and comments count too: telling them apart wrongly would let through what breaks the interpreter. */
function nestsDeeper(source: string, levels: number): boolean {
  let open = 0;
  for (const character of source) {
    if ('([{'.includes(character)) open += 1;
    else if (')]}'.includes(character)) open = Math.max(0, open - 1);
    if (open > levels) return true;
  }
  return false;
}
