import { z } from 'zod';
import { callRequestShape, jsonObjectSchema } from './call.js';

const scalar = z.union([z.string(), z.boolean(), z.number()]);

/** Values of `SMCPTool.meta`: flat, or a list of one of the flat types. Protocol §4.1. */
export const toolMetaValueSchema = z.union([scalar, z.array(z.string()), z.array(z.boolean()), z.array(z.number())]);
/** See {@link toolMetaValueSchema}. */
export type ToolMetaValue = z.infer<typeof toolMetaValueSchema>;

/** One tool as the Agent sees it. Read tolerantly: only the name is needed. Protocol §4.1. */
export const smcpToolSchema = z.looseObject({
  name: z.string({ error: 'expected a string' }),
  description: z.string().nullish(),
  params_schema: jsonObjectSchema.nullish(),
  return_schema: jsonObjectSchema.nullish(),
  meta: jsonObjectSchema.nullish(),
});

/** One tool as the Agent sees it. Protocol §4.1. */
export interface SmcpTool {
  /** The name to call: the alias if one is set, else the MCP tool's own. */
  readonly name: string;
  /** Always a string, empty when the MCP server gave none. */
  readonly description: string;
  /** JSON Schema of the parameters, as the MCP server wrote it. */
  readonly params_schema: Readonly<Record<string, unknown>>;
  /** JSON Schema of the structured result, null when there is none. */
  readonly return_schema: Readonly<Record<string, unknown>> | null;
  /** Flat values; `a2c_tool_meta` and `MCP_TOOL_ANNOTATION` are JSON strings. */
  readonly meta: Readonly<Record<string, ToolMetaValue>>;
}

/** `client:get_tools`. Protocol §3.1. */
export const getToolsRequestSchema = z.looseObject(callRequestShape);
/** See {@link getToolsRequestSchema}. */
export type GetToolsRequest = z.infer<typeof getToolsRequestSchema>;

/** Answer of `client:get_tools`. Protocol §3.1. */
export const getToolsAnswerSchema = z.looseObject({ tools: z.array(z.unknown()), req_id: z.string().nullish() });

/** Answer of `client:get_tools`, as written. Protocol §3.1. */
export interface GetToolsAnswer {
  readonly tools: readonly SmcpTool[];
  readonly req_id: string;
}
