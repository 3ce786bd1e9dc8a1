import type { Agent, DiscoveredDocument, DiscoveryProblem } from '../../../agent/index.js';
import { ProtocolError } from '../../../protocol/index.js';
import { AGENT_FLAGS, withAgent } from '../../agent-flags.js';
import { defineCommand, type Invocation } from '../../command.js';
import { sentence } from '../../describe-failure.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { list } from '../../flags.js';
import { renderTable } from '../../render-table.js';

const FLAGS = { ...AGENT_FLAGS, mcpServer: list('NAME', 'only the documents of this MCP server') } as const;

/** `a2c agent documents` */
export const documentsCommand = defineCommand({
  path: 'agent documents',
  summary: 'List the documents of a Computer: MCP server, URI, file type, pages, title',
  args: [{ name: 'COMPUTER', help: 'the Computer to ask' }],
  flags: FLAGS,
  examples: ['a2c agent documents laptop', 'a2c agent documents laptop --mcp-server notes --json'],
  run: async (invocation) => {
    const { flags, terminal } = invocation;
    return await withAgent(invocation, async (agent) => {
      const problems: DiscoveryProblem[] = [];
      const documents = await discover(agent, invocation, problems);
      if (flags.json) {
        // As the MCP servers list them, and which one does.
        terminal.json({ documents: documents.map(({ server, resource }) => ({ ...resource, server })) });
      } else {
        for (const line of renderTable(documents.map(row), terminal.width)) terminal.line(line);
        if (documents.length === 0 && problems.length === 0) terminal.note('no documents');
      }
      for (const problem of problems) report(problem, invocation);
      return problems.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
    });
  },
});

async function discover(
  agent: Agent,
  { args, flags, signal }: Invocation<typeof FLAGS>,
  problems: DiscoveryProblem[],
): Promise<DiscoveredDocument[]> {
  const [computer = ''] = args;
  const documents: DiscoveredDocument[] = [];
  const found = agent.discoverDocuments(computer, {
    signal,
    timeoutMs: flags.timeout * 1000,
    ...(flags.mcpServer.length === 0 ? {} : { servers: flags.mcpServer }),
    onProblem: (problem) => problems.push(problem),
  });
  for await (const document of found) documents.push(document);
  // They come as their servers answer.
  return documents.sort((one, two) => (one.server < two.server ? -1 : Number(one.server > two.server)));
}

function row({ server, uri, fileType = '', pageCount, name = '' }: DiscoveredDocument): string[] {
  return [server, uri, fileType, pageCount === undefined ? '' : `${pageCount} p.`, name];
}

/** One MCP server that cannot answer must not hide the documents of the others: it is told of beside them. */
function report({ server, error }: DiscoveryProblem, { flags, terminal }: Invocation<typeof FLAGS>): void {
  if (flags.json && error instanceof ProtocolError) terminal.errorJson({ ...error.toPayload(), mcp_server: server });
  else terminal.error(`The documents of MCP server "${server}" could not be listed: ${sentence(error)}`);
}
