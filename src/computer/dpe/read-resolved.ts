import { isDeeperThan, isJsonObject, MAX_PAYLOAD_DEPTH, type JsonObject } from '../../protocol/index.js';
import { isAbsoluteUri } from './absolute-uri.js';
import type { ResolvedResource } from './dpe-resolver.js';

/** What a resolver may return beside URI, MIME type and size, and goes on to the Agent as it is. */
const CARRIED = { name: 'string', description: 'string', annotations: 'object', _meta: 'object' } as const;

/**
 * Reads what a resolver returned, as the fields of the acknowledgement. Fields of a wrong type are left out: only the
 * URI is needed. Protocol §8.3.
 *
 * @returns `undefined` when there is no absolute URI in it, or it has no form on the wire.
 */
export function readResolved(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value) || !isAbsoluteUri(value['uri'])) return undefined;
  const { uri, mimeType, size } = value as JsonObject & ResolvedResource;
  const answer: JsonObject = { uri };
  if (typeof mimeType === 'string' && mimeType !== '') answer['mime_type'] = mimeType;
  if (Number.isSafeInteger(size) && (size ?? -1) >= 0) answer['size'] = size;
  for (const [field, type] of Object.entries(CARRIED)) {
    const carried = value[field];
    if (type === 'object' ? isJsonObject(carried) : typeof carried === 'string') answer[field] = carried;
  }
  return isDeeperThan(answer, MAX_PAYLOAD_DEPTH) ? undefined : answer;
}
