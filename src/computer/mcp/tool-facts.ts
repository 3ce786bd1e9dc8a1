import type { McpServerConfig } from '../../protocol/index.js';
import type { ExplainedServer, ToolFacts } from './explain-tool.js';
import type { ServerStatus } from './server-state.js';

/** A server, as far as its tools go. */
interface ToolOwner {
  readonly name: string;
  readonly status: ServerStatus;
  readonly config: McpServerConfig;
  /** The names of the tools that it listed last, also where it runs no more. */
  readonly listedNames: readonly string[];
}

/** What is known of the servers and their tools now. */
export function toolFactsOf(servers: Iterable<ToolOwner>, rest: Omit<ToolFacts, 'servers'>): ToolFacts {
  return { ...rest, servers: [...servers].map(explained) };
}

function explained({ name, status, config, listedNames }: ToolOwner): ExplainedServer {
  const { forbidden_tools: forbidden, tool_meta: toolMeta } = config;
  const aliases = Object.values(toolMeta).flatMap(({ alias }) => (typeof alias === 'string' ? [alias] : []));
  return {
    name,
    state: status.state,
    knownNames: new Set([...listedNames, ...forbidden, ...Object.keys(toolMeta), ...aliases]),
  };
}
