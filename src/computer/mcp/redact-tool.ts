import { isDeeperThan, MAX_PAYLOAD_DEPTH, type SmcpTool } from '../../protocol/index.js';

/** Keywords of JSON Schema that say something to a reader and nothing about what is valid. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', '$comment']);

/**
 * A tool as Agents may see it: servers that write their settings into a description or a default must not publish
 * secrets with it. Names, and all of a schema that decides what is valid, stay as they are. Protocol §1, §4.1.
 *
 * @param redact - takes secrets out of a text.
 * @returns the same object when no secret stands in it, which is nearly always, or when it nests too deep to be sent.
 */
export function redactTool(tool: SmcpTool, redact: (text: string) => string): SmcpTool {
  if (isDeeperThan(tool, MAX_PAYLOAD_DEPTH)) return tool;
  const text = JSON.stringify(tool);
  if (redact(text) === text) return tool;
  const { description, params_schema: params, return_schema: result, meta } = tool;
  return {
    ...tool,
    description: redact(description),
    params_schema: redactSchema(params, redact, false) as SmcpTool['params_schema'],
    return_schema: redactSchema(result, redact, false) as SmcpTool['return_schema'],
    meta: redactSchema(meta, redact, true) as SmcpTool['meta'],
  };
}

/** @param within - whether this is part of an annotation, where every text counts. */
function redactSchema(value: unknown, redact: (text: string) => string, within: boolean): unknown {
  if (typeof value === 'string') return within ? redact(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactSchema(item, redact, within));
  const entries = Object.entries(value);
  // Has own keys only, `__proto__` too.
  return Object.fromEntries(
    entries.map(([key, item]) => [key, redactSchema(item, redact, within || ANNOTATIONS.has(key))]),
  );
}
