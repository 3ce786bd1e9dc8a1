import { isJsonObject, type JsonObject } from './json.js';

/** How a Computer treats one tool, beyond what the MCP server says of it. Unknown fields are kept. Protocol §7.3. */
export interface ToolMeta {
  /** `true`: the tool runs without the confirmation callback. */
  readonly auto_apply?: boolean | null;
  /** The name under which the Agent sees the tool. */
  readonly alias?: string | null;
  /** Labels for front ends. */
  readonly tags?: readonly string[] | null;
  /** How front ends map the result; carried, never applied. */
  readonly ret_object_mapper?: JsonObject | null;
  readonly [field: string]: unknown;
}

/**
 * Merges `tool_meta[tool]` over `default_tool_meta`, field by field and no deeper; a field that is null or absent in
 * the specific entry keeps the default. Protocol §7.3.
 *
 * @returns the merged metadata, or `undefined` when nothing is configured: the key is then left out on the wire.
 */
export function mergeToolMeta(
  defaults: ToolMeta | null | undefined,
  specific: ToolMeta | null | undefined,
): ToolMeta | undefined {
  // No prototype: a field may be called `__proto__` or `constructor`.
  const merged = Object.create(null) as JsonObject;
  for (const source of [defaults, specific]) {
    if (!isJsonObject(source)) continue;
    for (const [field, value] of Object.entries(source)) {
      if (value !== null && value !== undefined) merged[field] = value;
    }
  }
  return Object.keys(merged).length === 0 ? undefined : merged;
}
