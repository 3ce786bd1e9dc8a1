import { showDocuments } from '../../agent-shell/ask-documents.js';
import type { DOCUMENT_LIST_FLAGS } from '../../flags/agent-flags.js';
import type { Invocation } from '../../command.js';
import { EXIT_CODES, type ExitCode } from '../../exit-codes.js';
import { withAgent } from '../../with-agent.js';

/** `a2c agent documents` */
export async function runDocuments(invocation: Invocation<typeof DOCUMENT_LIST_FLAGS>): Promise<ExitCode> {
  const [computer = ''] = invocation.args;
  const { mcpServer: servers } = invocation.flags;
  const isWhole = await withAgent(invocation, (asking) => showDocuments(asking, { computer, servers }));
  return isWhole ? EXIT_CODES.ok : EXIT_CODES.failed;
}
