import { isJsonObject, type McpServerConfig, type ToolMeta } from '../../protocol/index.js';
import { wrongToolMeta } from './check-tool-meta.js';
import { ConfigError } from './config-error.js';
import { fieldPath } from './field-path.js';
import { refuseProto } from './read-json.js';

/**
 * A configuration in which fields are merged into the metadata of one tool; null takes a field out, and the last one the
 * tool with it. Protocol §7.3.
 *
 * @param tool - the tool's own name.
 * @throws ConfigError naming the field.
 */
export function withToolMeta(config: McpServerConfig, tool: string, patch: ToolMeta): McpServerConfig {
  const fail = (problem: string, ...path: PropertyKey[]): never => {
    throw new ConfigError(problem, { field: fieldPath('servers', config.name, ...path) });
  };
  if (tool === '' || tool === '__proto__') fail('this cannot be the name of a tool', 'tool_meta', tool);
  if (!isJsonObject(patch)) return fail('expected an object', 'tool_meta', tool);
  refuseProto(patch, ['servers', config.name, 'tool_meta', tool]);
  const before = Object.hasOwn(config.tool_meta, tool) ? config.tool_meta[tool] : undefined;
  const merged = Object.entries({ ...before, ...structuredClone(patch) }).filter(([, value]) => value != null);
  const tool_meta = { ...config.tool_meta };
  if (merged.length === 0) Reflect.deleteProperty(tool_meta, tool);
  else tool_meta[tool] = Object.fromEntries(merged);
  const changed = { ...config, tool_meta };
  const wrong = wrongToolMeta(changed);
  return wrong === undefined ? changed : fail(wrong.problem, ...wrong.path);
}
