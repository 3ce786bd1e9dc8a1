import { z } from 'zod';
import { isJsonObject } from '../json.js';
import type { ToolMeta } from '../tool-meta.js';
import { durationSchema as duration } from './duration.js';

const text = z.string({ error: 'expected a string' });
const flag = z.boolean({ error: 'expected true or false' });
const textMap = z.record(z.string(), text, { error: 'expected an object of strings' });
const toolMeta = z.custom<ToolMeta>(isJsonObject, { error: 'expected an object' });

const base = {
  name: text.min(1, { error: 'must not be empty' }),
  disabled: flag.default(false),
  forbidden_tools: z.array(text, { error: 'expected a list of tool names' }).default([]),
  tool_meta: z.record(z.string(), toolMeta, { error: 'expected an object keyed by tool name' }).default({}),
  default_tool_meta: toolMeta.nullable().default(null),
  vrl: text.nullable().default(null),
};

/** A server started as a child process. Protocol §7.1. */
export const stdioServerConfigSchema = z.looseObject({
  ...base,
  type: z.literal('stdio'),
  server_parameters: z.looseObject({
    command: text.min(1, { error: 'must not be empty' }),
    args: z.array(text, { error: 'expected a list of strings' }).default([]),
    env: textMap.nullable().default(null),
    cwd: text.nullable().default(null),
    encoding: text.default('utf-8'),
    encoding_error_handler: text.default('strict'),
  }),
});
/** See {@link stdioServerConfigSchema}. */
export type StdioServerConfig = z.infer<typeof stdioServerConfigSchema>;

/** A server reached over the older HTTP + SSE transport. Protocol §7.1. */
export const sseServerConfigSchema = z.looseObject({
  ...base,
  type: z.literal('sse'),
  server_parameters: z.looseObject({
    url: text.min(1, { error: 'must not be empty' }),
    headers: textMap.nullable().default(null),
    timeout: duration.default(5),
    sse_read_timeout: duration.default(300),
  }),
});
/** See {@link sseServerConfigSchema}. */
export type SseServerConfig = z.infer<typeof sseServerConfigSchema>;

/** A server reached over streamable HTTP. Protocol §7.1. */
export const streamableServerConfigSchema = z.looseObject({
  ...base,
  type: z.literal('streamable'),
  server_parameters: z.looseObject({
    url: text.min(1, { error: 'must not be empty' }),
    headers: textMap.nullable().default(null),
    timeout: duration.default('PT30S'),
    sse_read_timeout: duration.default('PT5M'),
    terminate_on_close: flag.default(true),
  }),
});
/** See {@link streamableServerConfigSchema}. */
export type StreamableServerConfig = z.infer<typeof streamableServerConfigSchema>;

/** Schema of {@link McpServerConfig}: fills in every default, keeps unknown fields. Protocol §7.1. */
export const mcpServerConfigSchema = z.discriminatedUnion(
  'type',
  [stdioServerConfigSchema, sseServerConfigSchema, streamableServerConfigSchema],
  { error: 'expected "stdio", "sse" or "streamable"' },
);
/** One MCP server's configuration with its defaults filled in. Protocol §7.1. */
export type McpServerConfig = z.infer<typeof mcpServerConfigSchema>;
/** One MCP server's configuration as it may be written: what has a default may be left out. */
export type McpServerConfigInput = z.input<typeof mcpServerConfigSchema>;
