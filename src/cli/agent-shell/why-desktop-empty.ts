import type { ComputerConfig } from '../../agent/index.js';
import { ErrorCode, ProtocolError } from '../../protocol/index.js';
import { ifKnown, listed, looking, type Search } from './why-not-there.js';

/** Which windows of which desktop are wanted. */
export interface WantedWindows {
  readonly computer: string;
  /** At most so many. */
  readonly size?: number | undefined;
  /** The URI of the only one. */
  readonly window?: string | undefined;
}

/** How many MCP servers are asked for their windows. */
const MANY = 20;

/** Why there is nothing on a desktop, as far as an Agent can find out: a line for each cause. */
export async function whyDesktopIsEmpty(search: Search, { computer, size, window }: WantedWindows): Promise<string[]> {
  if (size !== undefined && size <= 0) return [`the size ${size} asks for none`];
  if (window !== undefined) {
    const all = await ifKnown(search, () => search.agent.getDesktop(computer, looking(search)));
    if (all !== undefined && all.length > 0) {
      return [`none is "${window}"; there is ${listed(all.map(uriOf))}`];
    }
  }
  const config = await ifKnown(search, () => search.agent.getConfig(computer, looking(search)));
  if (config === undefined) return [];
  const servers = enabledServers(config);
  if (servers.length === 0) return [`${computer} has no MCP server that is not disabled`];
  const causes = await Promise.all(servers.slice(0, MANY).map((server) => causeAt(search, computer, server)));
  return [
    ...causes.filter((cause) => cause !== undefined),
    `${search.guide.command('tools', computer)} lists what else it can do; its owner sees more with desktop in the shell of ${computer}`,
  ];
}

/** The text of a window begins with its URI. */
function uriOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function enabledServers({ servers }: ComputerConfig): string[] {
  return Object.entries(servers).flatMap(([name, { disabled }]) => (disabled === true ? [] : [name]));
}

async function causeAt(search: Search, computer: string, server: string): Promise<string | undefined> {
  try {
    const { resources, nextCursor } = await search.agent.getResources(computer, server, looking(search));
    const windows = resources.filter(({ uri }) => typeof uri === 'string' && uri.startsWith('window:'));
    if (windows.length > 0) {
      return `  ${server}: its windows are not valid, or it does not declare resources.subscribe, or they could not be read`;
    }
    return nextCursor === undefined ? `  ${server}: it lists no window:// resources` : undefined;
  } catch (error) {
    search.signal.throwIfAborted();
    return `  ${server}: ${reasonOf(error)}`;
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof ProtocolError ? error.code : undefined;
  if (code === ErrorCode.McpCapabilityNotSupported) return 'it has no resources, so no windows';
  return error instanceof Error ? error.message : String(error);
}
