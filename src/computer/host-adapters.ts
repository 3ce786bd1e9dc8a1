import type { ToolHost, ToolRoute } from './hosting.js';
import { isUp, type McpServerManager } from './mcp/index.js';

/** The manager's tools in the form that calls need. */
export function toolHostOf(manager: McpServerManager): ToolHost {
  return {
    route: (exposedName): ToolRoute | undefined => {
      const route = manager.route(exposedName);
      if (route?.kind !== 'tool') return undefined;
      return { server: route.server, tool: route.originalName, meta: route.meta, schema: route.tool.params_schema };
    },
    isRunning: (server) => isUp(manager.states().get(server)?.state ?? 'stopped'),
    assertRunning: (server) => void manager.client(server),
    callTool: (exposedName, args, wait) => manager.callTool(exposedName, args, wait),
  };
}
