import { documentContent, saveDocument, showPlace } from '../../agent-shell/ask-documents.js';
import { AGENT_FLAGS, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { text, toggle } from '../../flags.js';
import { printable } from '../../printable.js';
import { byteSize } from '../../render-result.js';
import { assertFree } from '../../write-whole.js';

const FLAGS = {
  ...AGENT_FLAGS,
  fetch: toggle('fetch the document and print its content as it is, at most 4 GB'),
  markdown: toggle('fetch the document and its pages and print them as Markdown'),
  output: text('FILE', 'write the content there instead, once all of it has come; without --markdown as it is'),
  force: toggle('replace FILE'),
} as const;

/** `a2c agent dpe` */
export const dpeCommand = defineCommand({
  path: 'agent dpe',
  summary: 'Ask where a document can be fetched, fetch it, or read it as Markdown',
  args: [
    { name: 'COMPUTER', help: 'the Computer that has the document' },
    { name: 'URI', help: 'the document: dpe://host/doc-ref' },
  ],
  flags: FLAGS,
  examples: [
    'a2c agent dpe laptop dpe://com.example.docs/report',
    'a2c agent dpe laptop dpe://com.example.docs/report --markdown',
    'a2c agent dpe laptop dpe://com.example.docs/report --output report.json',
  ],
  run: async (invocation) => {
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
  },
});
