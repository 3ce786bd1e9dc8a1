import { z } from 'zod';
import { MAX_TIMEOUT_SECONDS } from '../basics.js';
import { isJsonObject, type JsonObject } from '../json.js';

const text = z.string({ error: 'expected a string' });

/** The budget of a call whose caller names none, in seconds. Protocol §6.2. */
export const DEFAULT_TIMEOUT_SECONDS = 60;

/** A JSON object that is data: looked at, never copied, so that `__proto__` and key order survive. */
export const jsonObjectSchema = z.custom<JsonObject>(isJsonObject, { error: 'expected an object' });

/** A call's budget in whole seconds. Protocol §6.2. */
export const timeoutSchema = z
  .int({ error: `expected a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}` })
  .min(1, { error: 'must be at least 1 second' })
  .max(MAX_TIMEOUT_SECONDS, { error: `must be at most ${MAX_TIMEOUT_SECONDS} seconds` });

/** What every `client:*` request carries. Protocol §3.1. */
export const callRequestShape = { agent: text, req_id: text, computer: text };

/** `client:tool_call`. Protocol §3.1. */
export const toolCallRequestSchema = z.looseObject({
  ...callRequestShape,
  tool_name: text,
  params: jsonObjectSchema,
  timeout: timeoutSchema,
});
/** See {@link toolCallRequestSchema}. */
export type ToolCallRequest = z.infer<typeof toolCallRequestSchema>;

/** `server:tool_call_cancel` and `notify:tool_call_cancel`. Protocol §3.2, §3.3. */
export const toolCallCancelSchema = z.looseObject({ agent: text, req_id: text });
/** See {@link toolCallCancelSchema}. */
export type ToolCallCancel = z.infer<typeof toolCallCancelSchema>;

/** One block of a result: text, image, audio, resource, resource_link, or a type that a newer MCP knows. */
export type ContentBlock = JsonObject & { readonly type?: unknown };

/** Schema of {@link CallToolResult}. */
export const callToolResultSchema = z.looseObject({
  content: z.array(z.custom<ContentBlock>(isJsonObject, { error: 'expected an object' })),
  isError: z.boolean().nullish(),
  structuredContent: z.unknown().optional(),
  meta: jsonObjectSchema.nullish(),
});
/**
 * The outcome of a tool call. A failed tool is a result with `isError: true`, not an exception. Protocol §6.1.
 *
 * `meta` is A2C's spelling of MCP's result-level `_meta`.
 */
export type CallToolResult = z.infer<typeof callToolResultSchema>;

/**
 * A result of our own that tells of a failure. Protocol §6.1.
 *
 * @param message - a sentence for a person.
 * @param meta - the marks, such as `{ error_code: 4003 }`.
 */
export function failedCall(message: string, meta: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true, meta };
}

const readableSchema = callToolResultSchema.omit({ meta: true });

/**
 * Reads a result as any peer spells it: `_meta` for `meta` at result level, nulls for absent fields, metadata that is
 * not an object left out. The original object is left alone; its content blocks are the same objects. Protocol §6.1.
 *
 * @returns the result, or `undefined` when the value has no `content` list of objects, or an `isError` that is not a boolean.
 */
export function readCallToolResult(value: unknown): CallToolResult | undefined {
  if (!isJsonObject(value) || !readableSchema.safeParse(value).success) return undefined;
  const { _meta: underscored, meta: plain, ...rest } = value;
  const present = Object.fromEntries(Object.entries(rest).filter(([, field]) => field !== null));
  const meta = { ...(isJsonObject(underscored) ? underscored : {}), ...(isJsonObject(plain) ? plain : {}) };
  const result = { ...present, ...(Object.keys(meta).length === 0 ? {} : { meta }) };
  return result as unknown as CallToolResult;
}
