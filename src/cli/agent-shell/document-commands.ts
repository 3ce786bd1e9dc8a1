import { CommandError } from '../failure.js';
import { list, text, toggle } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import { byteSize } from '../terminal/render-result.js';
import { expandHome } from '../shell/complete-path.js';
import { askComputer, ASK_FLAGS, define } from './agent-context.js';
import { documentContent, saveDocument, showDocuments, showPlace } from './ask-documents.js';

const URI = { name: 'URI', help: 'the document: dpe://host/doc-ref', completes: ['document'] } as const;

const documents = define({
  path: 'documents',
  summary: 'List the documents of the Computer: MCP server, URI, file type, pages, title',
  args: [{ name: 'FILTER', help: 'only those that have this in URI, title or MCP server', optional: true }],
  flags: { ...ASK_FLAGS, mcpServer: list('NAME', 'only the documents of this MCP server') },
  examples: ['documents', 'documents report'],
  run: (call) => {
    const { args, context, flags } = call;
    const wanted = { servers: flags.mcpServer, filter: args[0] };
    return askComputer(call, async (asking, computer) => {
      const isWhole = await showDocuments(asking, { computer, ...wanted }, (uri) => context.seen.documents.add(uri));
      if (!isWhole) throw new CommandError('not every MCP server listed its documents');
    });
  },
});

const dpe = define({
  path: 'dpe',
  summary: 'Ask where a document can be fetched',
  args: [URI],
  flags: ASK_FLAGS,
  examples: ['dpe dpe://com.example.docs/report'],
  run: (call) => {
    const [uri = ''] = call.args;
    return askComputer(call, (asking, computer) => showPlace(asking, { computer, uri }));
  },
});

const open = define({
  path: 'open',
  summary: 'Fetch a document and its pages and show them as Markdown',
  args: [URI],
  flags: {
    ...ASK_FLAGS,
    raw: toggle('as it is, not as Markdown'),
    output: text('FILE', 'write it there instead, once all of it has come'),
    force: toggle('replace FILE'),
  },
  examples: ['open dpe://com.example.docs/report', 'open dpe://com.example.docs/report --raw --output report.json'],
  run: (call) => {
    const [uri = ''] = call.args;
    const { raw, output, force } = call.flags;
    return askComputer(call, async (asking, computer) => {
      const wanted = { computer, uri, markdown: !raw };
      if (output !== undefined) {
        const file = expandHome(output);
        const size = await saveDocument(asking, wanted, { file, replace: force });
        asking.show({ uri, file, size }, (terminal) => {
          terminal.line(printable(`${file}: ${byteSize(size)}`));
        });
        return;
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of documentContent(asking, wanted)) chunks.push(chunk);
      const content = Buffer.concat(chunks).toString('utf8');
      asking.show({ uri, content }, (terminal) => {
        terminal.line(printable(content).replace(/\n$/, ''));
      });
    });
  },
});

/** What an Agent does with documents. */
export const DOCUMENT_COMMANDS = [documents, dpe, open];
