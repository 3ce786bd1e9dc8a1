import { showTools } from '../../agent-shell/ask-tools.js';
import type { AGENT_FLAGS } from '../../flags/agent-flags.js';
import type { Invocation } from '../../command.js';
import { EXIT_CODES, type ExitCode } from '../../exit-codes.js';
import { withAgent } from '../../with-agent.js';

/** `a2c agent tools` */
export async function runTools(invocation: Invocation<typeof AGENT_FLAGS>): Promise<ExitCode> {
  const [computer] = invocation.args;
  const isWhole = await withAgent(invocation, (asking) => showTools(asking, { computer }));
  return isWhole ? EXIT_CODES.ok : EXIT_CODES.failed;
}
