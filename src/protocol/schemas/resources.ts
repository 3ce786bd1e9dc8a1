import { z } from 'zod';
import type { JsonObject } from '../json.js';
import { callRequestShape } from './call.js';

/** `client:get_resources`. Protocol §3.1. */
export const getResourcesRequestSchema = z.looseObject({
  ...callRequestShape,
  mcp_server: z.string({ error: 'expected a string' }),
  cursor: z.string({ error: 'expected a string or null' }).nullish(),
});
/** See {@link getResourcesRequestSchema}. */
export type GetResourcesRequest = z.infer<typeof getResourcesRequestSchema>;

/** Answer of `client:get_resources`: resources are MCP's own objects, broken ones included. Protocol §8.2. */
export const getResourcesAnswerSchema = z.looseObject({
  resources: z.array(z.unknown()),
  next_cursor: z.string().nullish(),
  req_id: z.string().nullish(),
});

/** A resource as MCP lists it, unknown fields kept, `mime_type` beside `mimeType`. Protocol §8.2. */
export type Resource = JsonObject;

/** Answer of `client:get_resources`, as written. Protocol §8.2. */
export interface GetResourcesAnswer {
  readonly resources: readonly Resource[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
  readonly req_id: string;
}
