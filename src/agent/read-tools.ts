import { isJsonObject, smcpToolSchema, type Logger, type SmcpTool } from '../protocol/index.js';

/**
 * Reads a list of tools item by item: what has no name is left out with a warning, what is absent or null gets its
 * empty form, everything else stays as the Computer sent it. Protocol §4.1.
 */
export function readTools(list: readonly unknown[], computer: string, logger: Logger): readonly SmcpTool[] {
  return list.flatMap((item, index) => {
    const tool = readTool(item);
    if (tool === undefined) logger.warn({ computer, index }, 'Left out a tool that is not one');
    return tool ?? [];
  });
}

function readTool(item: unknown): SmcpTool | undefined {
  if (!isJsonObject(item) || !smcpToolSchema.safeParse(item).success) return undefined;
  const tool = {
    ...item,
    description: item['description'] ?? '',
    params_schema: item['params_schema'] ?? {},
    return_schema: item['return_schema'] ?? null,
    meta: item['meta'] ?? {},
  };
  return tool as unknown as SmcpTool;
}
