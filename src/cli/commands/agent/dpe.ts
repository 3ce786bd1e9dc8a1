import { documentContent, saveDocument, showPlace } from '../../agent-shell/ask-documents.js';
import type { DPE_FLAGS } from '../../flags/agent-flags.js';
import type { Invocation } from '../../command.js';
import { EXIT_CODES, type ExitCode } from '../../exit-codes.js';
import { printable } from '../../terminal/printable.js';
import { byteSize } from '../../terminal/render-result.js';
import { assertFree } from '../../write-whole.js';
import { withAgent } from '../../with-agent.js';

/** `a2c agent dpe` */
export async function runDpe(invocation: Invocation<typeof DPE_FLAGS>): Promise<ExitCode> {
  const [computer = '', uri = ''] = invocation.args;
  const { fetch, markdown, output, force } = invocation.flags;
  if (output !== undefined && !force) await assertFree(output);
  const wanted = { computer, uri, markdown };
  await withAgent(invocation, async (asking) => {
    const { terminal, signal } = asking;
    if (output !== undefined) {
      const size = await saveDocument(asking, wanted, { file: output, replace: force });
      terminal.note(terminal.style('dim', printable(`${output}: ${byteSize(size)}`)));
    } else if (fetch || markdown) await terminal.content(documentContent(asking, wanted), signal);
    else await showPlace(asking, wanted);
  });
  return EXIT_CODES.ok;
}
