import type { Agent, OpenDocumentOptions } from '../../../agent/index.js';
import { linkedSignal } from '../../../client/index.js';
import { AGENT_FLAGS, withAck, withAgent } from '../../agent-flags.js';
import { defineCommand, type Invocation } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { CommandError } from '../../failure.js';
import { text, toggle } from '../../flags.js';
import { printable } from '../../printable.js';
import { byteSize } from '../../render-result.js';
import { assertFree, writeWhole } from '../../write-whole.js';

const FLAGS = {
  ...AGENT_FLAGS,
  fetch: toggle('fetch the document and print its content as it is, at most 4 GB'),
  markdown: toggle('fetch the document and its pages and print them as Markdown'),
  output: text('FILE', 'write the content there instead, once all of it has come; without --markdown as it is'),
  force: toggle('replace FILE'),
} as const;

/** How much of a document is passed on as it is, in bytes: it is not held in memory. */
const LIMIT_BYTES = 4_000_000_000;

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
    const { flags } = invocation;
    if (flags.output !== undefined && !flags.force) await assertFree(flags.output);
    const isFetched = flags.fetch || flags.markdown || flags.output !== undefined;
    await withAgent(invocation, async (agent) => {
      if (isFetched) await inTime(invocation, (signal) => show(agent, invocation, signal));
      else await tellWhere(agent, invocation);
    });
    return EXIT_CODES.ok;
  },
});

async function tellWhere(agent: Agent, { args, flags, terminal, signal }: Invocation<typeof FLAGS>): Promise<void> {
  const [computer = '', uri = ''] = args;
  const { ack, answer } = await withAck((onAck) =>
    agent.getDpe(computer, uri, { signal, timeoutMs: flags.timeout * 1000, ...onAck }),
  );
  if (flags.json) {
    terminal.json(ack);
    return;
  }
  terminal.line(printable(answer.uri));
  const size = answer.size === undefined ? [] : [byteSize(answer.size)];
  const known = [...(answer.mimeType === undefined ? [] : [answer.mimeType]), ...size];
  if (known.length > 0) terminal.note(terminal.style('dim', printable(known.join(', '))));
}

async function show(
  agent: Agent,
  { args, flags, terminal }: Invocation<typeof FLAGS>,
  signal: AbortSignal,
): Promise<void> {
  const [computer = '', uri = ''] = args;
  const timeoutMs = flags.timeout * 1000;
  const options = { signal, timeoutMs, fetchTimeoutMs: timeoutMs };
  const content = flags.markdown ? markdown(agent, computer, uri, options) : asItIs(agent, computer, uri, options);
  if (flags.output === undefined) {
    await terminal.content(content, signal);
    return;
  }
  const size = await writeWhole(flags.output, content, { replace: flags.force });
  terminal.note(terminal.style('dim', printable(`${flags.output}: ${byteSize(size)}`)));
}

async function* asItIs(
  agent: Agent,
  computer: string,
  uri: string,
  options: OpenDocumentOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { body } = await agent.fetchDocument(computer, uri, { ...options, maxFetchBytes: LIMIT_BYTES });
  yield* body;
}

async function* markdown(
  agent: Agent,
  computer: string,
  uri: string,
  options: OpenDocumentOptions & { readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { signal } = options;
  const document = await agent.openDocument(computer, uri, options);
  let gap = '';
  for await (const part of document.streamMarkdown({ signal })) {
    yield Buffer.from(`${gap}${part}\n`);
    gap = '\n';
  }
}

/** Gives up when the time of the command is over. */
async function inTime(
  { flags, signal }: Invocation<typeof FLAGS>,
  act: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const budget = linkedSignal([signal], flags.timeout * 1000);
  try {
    await act(budget.signal);
  } catch (error) {
    if (!budget.signal.aborted || signal.aborted) throw error;
    throw new CommandError(`The document was not fetched within ${flags.timeout} s`);
  } finally {
    budget.release();
  }
}
