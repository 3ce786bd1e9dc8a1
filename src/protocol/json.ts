/** How deep a payload may nest, the payload object itself being level 1. Protocol §3. */
export const MAX_PAYLOAD_DEPTH = 128;

/** Any object of JSON: what `params`, `_meta` and the like are. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object of JSON (not null, not an array, not binary). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isBinary(value);
}

function isBinary(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/**
 * Whether a value nests deeper than `levels`. Recursion stops at that depth, so a hostile value cannot exhaust the
 * stack, as `JSON.stringify` and Socket.IO's own walks would.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || isBinary(value)) return false;
  return levels === 0 || hasItemDeeperThan(value as JsonObject, levels - 1);
}

/** Plain loops that pass over what cannot nest: this runs over every payload of the relay. */
function hasItemDeeperThan(container: JsonObject, levels: number): boolean {
  if (Array.isArray(container)) {
    for (const item of container as unknown[]) {
      if (typeof item === 'object' && isDeeperThan(item, levels)) return true;
    }
    return false;
  }
  for (const key in container) {
    const item = container[key];
    if (typeof item === 'object' && isDeeperThan(item, levels)) return true;
  }
  return false;
}

const encoder = new TextEncoder();

/**
 * The size of a value as JSON, in bytes of UTF-8: what counts against the packet limit.
 *
 * @throws TypeError or RangeError when the value has no JSON form (a cycle, a BigInt, nested too deep).
 */
export function jsonByteLength(value: unknown): number {
  // `JSON.stringify` gives undefined for undefined and functions, which its type does not say.
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return 0;
  return typeof Buffer === 'undefined' ? encoder.encode(text).length : Buffer.byteLength(text);
}
