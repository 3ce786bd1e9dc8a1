import { showConfig, showResources, showRoom } from '../../agent-shell/ask-office.js';
import { AGENT_FLAGS, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { text, toggle } from '../../flags.js';

const COMPUTER = { name: 'COMPUTER', help: 'the Computer to ask' };

/** `a2c agent config` */
export const configCommand = defineCommand({
  path: 'agent config',
  summary: "Show a Computer's configuration, its secrets masked",
  args: [COMPUTER],
  flags: AGENT_FLAGS,
  examples: ['a2c agent config laptop'],
  run: async (invocation) => {
    const [computer = ''] = invocation.args;
    await withAgent(invocation, (asking) => showConfig(asking, computer));
    return EXIT_CODES.ok;
  },
});

/** `a2c agent resources` */
export const resourcesCommand = defineCommand({
  path: 'agent resources',
  summary: 'List the resources of one MCP server of a Computer',
  args: [COMPUTER, { name: 'MCP_SERVER', help: 'the name of the MCP server, as `agent config` shows it' }],
  flags: { ...AGENT_FLAGS, all: toggle('every page; otherwise the first'), cursor: text('CURSOR', 'a later page') },
  examples: ['a2c agent resources laptop notes --all'],
  run: async (invocation) => {
    const [computer = '', server = ''] = invocation.args;
    const { all, cursor } = invocation.flags;
    await withAgent(invocation, (asking) => showResources(asking, { computer, server, all, cursor }));
    return EXIT_CODES.ok;
  },
});

/** `a2c agent room` */
export const roomCommand = defineCommand({
  path: 'agent room',
  summary: 'List who is in the office',
  args: [],
  flags: AGENT_FLAGS,
  examples: ['a2c agent room --office demo'],
  run: async (invocation) => {
    await withAgent(invocation, showRoom);
    return EXIT_CODES.ok;
  },
});
