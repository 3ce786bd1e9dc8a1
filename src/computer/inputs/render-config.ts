import { isJsonObject, mcpServerConfigSchema, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import { ConfigError } from '../config/config-error.js';
import { fieldPath } from '../config/field-path.js';
import { placeholderIds, replacePlaceholders, solePlaceholderId } from './placeholders.js';

/** Gives the value of an input, or throws an `InputError`. */
export type ResolveInput = (id: string) => Promise<unknown>;

/**
 * Replaces every `${input:ID}` in the strings below `server_parameters`. A string that is exactly one placeholder takes
 * the value's own type; within a longer one the value stands as text. What comes out of an input is never looked at for
 * further placeholders. Inputs are asked for one after the other, in the order in which they stand. Protocol §7.2.
 *
 * @returns a copy; the original is left alone.
 * @throws InputError when an input has no value.
 * @throws ConfigError when the outcome is not a configuration any more, such as a command that is not a text.
 */
export async function renderConfig(config: McpServerConfig, resolve: ResolveInput): Promise<McpServerConfig> {
  const values = new Map<string, unknown>();
  for (const id of new Set(idsWithin(config.server_parameters))) values.set(id, await resolve(id));
  const rendered = asTexts(rendersWith(config.server_parameters, values) as JsonObject);
  const parsed = mcpServerConfigSchema.safeParse({ ...config, server_parameters: rendered });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = fieldPath('servers', config.name, ...(issue?.path ?? []));
  throw new ConfigError(`${issue?.message ?? 'invalid'} once its inputs are filled in`, { field });
}

function idsWithin(value: unknown): string[] {
  if (typeof value === 'string') return placeholderIds(value);
  if (Array.isArray(value)) return value.flatMap(idsWithin);
  return isJsonObject(value) ? Object.values(value).flatMap(idsWithin) : [];
}

function rendersWith(value: unknown, values: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') {
    const sole = solePlaceholderId(value);
    return sole === undefined ? replacePlaceholders(value, (id) => asText(values.get(id))) : values.get(sole);
  }
  if (Array.isArray(value)) return value.map((item) => rendersWith(item, values));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rendersWith(item, values)]));
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Where only texts can stand, a number or a boolean that an input gave is written out. */
function asTexts(parameters: JsonObject): JsonObject {
  const text = (value: unknown): unknown =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return Object.fromEntries(
    Object.entries(parameters).map(([field, value]) => {
      if (field === 'args' && Array.isArray(value)) return [field, value.map(text)];
      if (TEXT_MAPS.has(field) && isJsonObject(value)) {
        return [field, Object.fromEntries(Object.entries(value).map(([key, item]) => [key, text(item)]))];
      }
      return [field, TEXTS.has(field) ? text(value) : value];
    }),
  );
}

const TEXT_MAPS = new Set(['env', 'headers']);
const TEXTS = new Set(['command', 'cwd', 'url', 'encoding', 'encoding_error_handler']);
