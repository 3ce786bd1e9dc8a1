import { showDocuments } from '../../agent-shell/ask-documents.js';
import { AGENT_FLAGS, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { list } from '../../flags.js';

/** `a2c agent documents` */
export const documentsCommand = defineCommand({
  path: 'agent documents',
  summary: 'List the documents of a Computer: MCP server, URI, file type, pages, title',
  args: [{ name: 'COMPUTER', help: 'the Computer to ask' }],
  flags: { ...AGENT_FLAGS, mcpServer: list('NAME', 'only the documents of this MCP server') },
  examples: ['a2c agent documents laptop', 'a2c agent documents laptop --mcp-server notes --json'],
  run: async (invocation) => {
    const [computer = ''] = invocation.args;
    const { mcpServer: servers } = invocation.flags;
    const isWhole = await withAgent(invocation, (asking) => showDocuments(asking, { computer, servers }));
    return isWhole ? EXIT_CODES.ok : EXIT_CODES.failed;
  },
});
