import type { FrameId } from './frames.js';

/** What {@link scanTopLevel} found in a JSON object. */
export interface TopLevel {
  /** The value of its own `id`. */
  readonly id?: FrameId;
  /** Whether it has a `method`: then it is a request or a notification and no answer. */
  readonly hasMethod: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

function endOfString(json: Buffer, start: number): number {
  for (let end = json.indexOf(QUOTE, start + 1); end !== -1; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

function readId(json: Buffer, afterKey: number): FrameId | undefined {
  const match = /^\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*[,}]/.exec(json.subarray(afterKey, afterKey + 1024).toString());
  return match?.[1] === undefined ? undefined : (JSON.parse(match[1]) as FrameId);
}

/** Where each key of the outermost object stands: the key and the place after its closing quote. */
function* topLevelKeys(json: Buffer): Generator<[key: string, after: number]> {
  let depth = 0;
  let keyComes = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      if (keyComes) yield [json.subarray(at + 1, Math.min(end, at + 16)).toString(), end + 1];
      keyComes = false;
      at = end;
    } else if (OPEN.has(byte)) {
      depth += 1;
      keyComes = depth === 1;
    } else if (CLOSE.has(byte)) {
      depth -= 1;
    } else if (byte === COMMA) {
      keyComes = depth === 1;
    }
  }
}

/**
 * Finds the `id` of a JSON-RPC message without parsing it: for lines that are too long to be taken, whose call must
 * still be answered. Only keys of the outermost object count, wherever they stand.
 */
export function scanTopLevel(json: Buffer): TopLevel {
  let id: FrameId | undefined;
  let hasMethod = false;
  for (const [key, after] of topLevelKeys(json)) {
    if (key === 'id') id = readId(json, after);
    else if (key === 'method') hasMethod = true;
  }
  return id === undefined ? { hasMethod } : { id, hasMethod };
}
