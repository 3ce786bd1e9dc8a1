import { showConfig, showResources, showRoom } from '../../agent-shell/ask-office.js';
import type { AGENT_FLAGS, RESOURCES_FLAGS } from '../../flags/agent-flags.js';
import type { Invocation } from '../../command.js';
import { EXIT_CODES, type ExitCode } from '../../exit-codes.js';
import { withAgent } from '../../with-agent.js';

/** `a2c agent config` */
export async function runConfig(invocation: Invocation<typeof AGENT_FLAGS>): Promise<ExitCode> {
  const [computer = ''] = invocation.args;
  await withAgent(invocation, (asking) => showConfig(asking, computer));
  return EXIT_CODES.ok;
}

/** `a2c agent resources` */
export async function runResources(invocation: Invocation<typeof RESOURCES_FLAGS>): Promise<ExitCode> {
  const [computer = '', server = ''] = invocation.args;
  const { all, cursor } = invocation.flags;
  await withAgent(invocation, (asking) => showResources(asking, { computer, server, all, cursor }));
  return EXIT_CODES.ok;
}

/** `a2c agent room` */
export async function runRoom(invocation: Invocation<typeof AGENT_FLAGS>): Promise<ExitCode> {
  await withAgent(invocation, showRoom);
  return EXIT_CODES.ok;
}
