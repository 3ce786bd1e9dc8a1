import { z } from 'zod';
import { callRequestShape, jsonObjectSchema } from './call.js';
import type { McpServerInput } from './inputs.js';
import type { McpServerConfig } from './mcp-server-config.js';

/** `client:get_config`. Protocol §3.1. */
export const getConfigRequestSchema = z.looseObject(callRequestShape);
/** See {@link getConfigRequestSchema}. */
export type GetConfigRequest = z.infer<typeof getConfigRequestSchema>;

/** Answer of `client:get_config`, read tolerantly: peers of other languages fill it in other ways. Protocol §3.1. */
export const getConfigAnswerSchema = z.looseObject({
  servers: jsonObjectSchema,
  inputs: z.array(z.unknown()).nullish(),
  req_id: z.string().nullish(),
});

/** Answer of `client:get_config`, as written. Protocol §3.1. */
export interface GetConfigAnswer {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly inputs: readonly McpServerInput[] | null;
  readonly req_id: string;
}
