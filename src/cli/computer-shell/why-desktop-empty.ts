import type { Computer, DesktopQuery, DesktopServerStatus } from '../../computer/index.js';
import { quoteWord } from '../shell/split-line.js';

/** Why there is nothing on the desktop: the causes that apply here, each with what to do. */
export async function whyDesktopIsEmpty(computer: Computer, { size, window }: DesktopQuery): Promise<string[]> {
  if (size != null && size <= 0) return [`no windows: the size ${size} asks for none`];
  const { servers, requireSubscribe } = await computer.desktopStatus();
  if (servers.length === 0) return ['no windows: there is no MCP server; server add adds one'];
  const isThere = servers.some(({ shown }) => shown > 0);
  if (window != null && isThere) return [`no windows: none is "${window}"; desktop shows those that are there`];
  return ['no windows:', ...servers.map((server) => `  ${server.server}: ${whyNothing(server, requireSubscribe)}`)];
}

const UP = new Set(['running', 'degraded']);

function whyNothing(status: DesktopServerStatus, requireSubscribe: boolean): string {
  const { server, state, windows, dropped } = status;
  if (!UP.has(state)) return `it is ${state}; ${state === 'disabled' ? 'enable' : 'start'} ${quoteWord(server)}`;
  if (!status.declaresResources) return 'it has no resources, so no windows';
  if (requireSubscribe && !status.declaresSubscribe) {
    return 'it does not declare resources.subscribe, which takes part in the desktop (its author can add it)';
  }
  const [first] = dropped;
  if (first !== undefined) return `${first.uri}: ${first.problem}`;
  return windows === 0 ? 'it lists no window:// resources' : 'its windows could not be read; logs says why';
}
