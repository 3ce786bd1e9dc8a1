import { isDeeperThan, isJsonObject, jsonByteLength, MAX_PAYLOAD_DEPTH } from '../protocol/index.js';

/** What the log says about an event: never its content. */
export interface EventFields {
  readonly event: string;
  readonly req_id?: string;
  /** The size of the payload as JSON; worked out only when a logger reads it. */
  readonly size: number | undefined;
}

/**
 * The fields that describe an event in the log.
 *
 * @param request - where the id stands, for an acknowledgement.
 */
export function eventFields(event: string, payload: unknown, request: unknown = payload): EventFields {
  const id = isJsonObject(request) ? request['req_id'] : undefined;
  return {
    event,
    ...(typeof id === 'string' ? { req_id: id } : {}),
    get size() {
      return sizeOf(payload);
    },
  };
}

function sizeOf(payload: unknown): number | undefined {
  try {
    return isDeeperThan(payload, MAX_PAYLOAD_DEPTH) ? undefined : jsonByteLength(payload);
  } catch {
    return undefined;
  }
}
