import { showTools } from '../../agent-shell/ask-tools.js';
import { AGENT_FLAGS, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';

/** `a2c agent tools` */
export const toolsCommand = defineCommand({
  path: 'agent tools',
  summary: 'List the tools of one Computer, or of all in the office',
  args: [{ name: 'COMPUTER', help: 'only this Computer', optional: true }],
  flags: AGENT_FLAGS,
  examples: ['a2c agent tools --server http://127.0.0.1:8000 --office demo', 'a2c agent tools laptop --json'],
  run: async (invocation) => {
    const [computer] = invocation.args;
    const isWhole = await withAgent(invocation, (asking) => showTools(asking, { computer }));
    return isWhole ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
});
