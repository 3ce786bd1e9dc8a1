import { isJsonObject, mcpServerConfigSchema, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import { ConfigError } from '../config/config-error.js';
import { fieldPath } from '../config/field-path.js';
import { renderValue, type PlaceholderValues } from './render-value.js';

/**
 * Replaces every `${input:ID}` and `${env:NAME}` in the strings below `server_parameters`, as {@link renderValue} does.
 * Protocol §7.2.
 *
 * @returns a copy; the original is left alone.
 * @throws InputError when an input or a variable has no value.
 * @throws ConfigError when the outcome is not a configuration any more, such as a command that is not a text.
 */
export async function renderConfig(config: McpServerConfig, values: PlaceholderValues): Promise<McpServerConfig> {
  const rendered = asTexts((await renderValue(config.server_parameters, values)) as JsonObject);
  const parsed = mcpServerConfigSchema.safeParse({ ...config, server_parameters: rendered });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = fieldPath('servers', config.name, ...(issue?.path ?? []));
  throw new ConfigError(`${issue?.message ?? 'invalid'} once its inputs are filled in`, { field });
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
