import type { Computer } from '../../computer/index.js';
import type { McpServerConfig, McpServerInput } from '../../protocol/index.js';
import { CommandError } from '../failure.js';
import { nearest } from '../shell/parse-call.js';

/** What a person may see of the configuration: unresolved, secrets masked. Protocol §7.1. */
export async function shownConfiguration(
  computer: Computer,
): Promise<{ servers: Readonly<Record<string, McpServerConfig>>; inputs: readonly McpServerInput[] }> {
  const { maskServerConfig, readConfig } = await import('../../computer/index.js');
  const { servers } = readConfig(computer.configuration());
  const masked = [...servers].map(([name, { config }]) => [name, maskServerConfig(config)] as const);
  return { servers: Object.fromEntries(masked), inputs: computer.inputs() };
}

/** What is said where no MCP server has the name. */
export function noServer(name: string, known: readonly string[]): CommandError {
  const near = nearest(name.toLowerCase(), known);
  if (near !== undefined) return new CommandError(`there is no MCP server "${name}"; did you mean "${near}"?`);
  return new CommandError(
    `there is no MCP server "${name}"; there is ${known.length === 0 ? 'none' : known.join(', ')}`,
  );
}
