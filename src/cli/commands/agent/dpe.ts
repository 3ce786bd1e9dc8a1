import { linkedSignal } from '../../../client/index.js';
import { AGENT_FLAGS, withAck, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { CommandError } from '../../failure.js';
import { fetchDocument, isOnLoopback } from '../../fetch-document.js';
import { toggle } from '../../flags.js';
import { printable } from '../../printable.js';
import { byteSize } from '../../render-result.js';

/** `a2c agent dpe` */
export const dpeCommand = defineCommand({
  path: 'agent dpe',
  summary: 'Ask where a document can be fetched, and fetch it',
  args: [
    { name: 'COMPUTER', help: 'the Computer that has the document' },
    { name: 'URI', help: 'the document: dpe://host/doc-ref' },
  ],
  flags: { ...AGENT_FLAGS, fetch: toggle('fetch the document and print its content') },
  examples: [
    'a2c agent dpe laptop dpe://com.example.docs/report',
    'a2c agent dpe laptop dpe://com.example.docs/report --fetch',
  ],
  run: async (invocation) => {
    const [computer = '', uri = ''] = invocation.args;
    const { flags, terminal, signal } = invocation;
    await withAgent(invocation, async (agent) => {
      const { ack, answer } = await withAck((onAck) =>
        agent.getDpe(computer, uri, { signal, timeoutMs: flags.timeout * 1000, ...onAck }),
      );
      if (flags.fetch) {
        const fileAllowed = isOnLoopback(flags.server ?? '');
        const budget = linkedSignal([signal], flags.timeout * 1000);
        try {
          terminal.bytes(await fetchDocument(answer.uri, { fileAllowed, signal: budget.signal }));
        } catch (error) {
          if (!budget.signal.aborted || signal.aborted) throw error;
          throw new CommandError(`The document was not fetched within ${flags.timeout} s`);
        } finally {
          budget.release();
        }
      } else if (flags.json) {
        terminal.json(ack);
      } else {
        terminal.line(printable(answer.uri));
        const size = answer.size === undefined ? [] : [byteSize(answer.size)];
        const known = [...(answer.mimeType === undefined ? [] : [answer.mimeType]), ...size];
        if (known.length > 0) terminal.note(terminal.style('dim', printable(known.join(', '))));
      }
    });
    return EXIT_CODES.ok;
  },
});
