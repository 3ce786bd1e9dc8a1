import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { jsonObjectSchema, timeoutSchema, type JsonObject, type ToolCallRequest } from '../../protocol/index.js';
import { OWNER } from './running-calls.js';

/** A call that the owner of a Computer makes: what `client:tool_call` carries, of which only the tool is needed. */
export interface OwnToolCall {
  /** The name by which Agents call the tool. */
  readonly tool_name: string;
  /** The arguments. @default {} */
  readonly params?: JsonObject;
  /** The budget in whole seconds, 1 to 3600. @default 60 */
  readonly timeout?: number;
  /** @default a fresh one */
  readonly req_id?: string;
  /** The rest of a request (`agent`, `computer`) may be there and is ignored. */
  readonly [field: string]: unknown;
}

const DEFAULT_TIMEOUT_SECONDS = 60;

const text = z.string({ error: 'expected a string' });
const schema = z.looseObject({
  tool_name: text.min(1, { error: 'must not be empty' }),
  params: jsonObjectSchema.optional(),
  timeout: timeoutSchema.optional(),
  req_id: text.min(1, { error: 'must not be empty' }).optional(),
});

/**
 * Reads a call of the owner's.
 *
 * @throws TypeError naming the field that is wrong.
 */
export function readOwnCall(call: unknown, computer: string): ToolCallRequest {
  const read = schema.safeParse(call);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    const problem = field === '' ? 'expected an object with "tool_name"' : `${field}: ${issue?.message ?? 'invalid'}`;
    throw new TypeError(`The tool call cannot be read: ${problem}`);
  }
  const { tool_name, timeout = DEFAULT_TIMEOUT_SECONDS, req_id = randomUUID() } = read.data;
  // As it was given: what a schema makes of it may have lost keys.
  const { params = {} } = call as OwnToolCall;
  return { agent: OWNER, computer, req_id, tool_name, params, timeout };
}
