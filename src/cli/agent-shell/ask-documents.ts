import type { DiscoveredDocument, DiscoveryProblem, OpenDocumentOptions } from '../../agent/index.js';
import { linkedSignal } from '../../client/index.js';
import { ProtocolError } from '../../protocol/index.js';
import { withAck } from '../with-agent.js';
import { sentence } from '../describe-failure.js';
import { CommandError } from '../failure.js';
import { printable } from '../terminal/printable.js';
import { renderTable } from '../terminal/render-table.js';
import { byteSize } from '../terminal/render-result.js';
import { assertFree, writeWhole } from '../write-whole.js';
import { requestOptions, type Asking } from './asking.js';

/** How much of a document is passed on as it is, in bytes: it is not held in memory. */
const LIMIT_BYTES = 4_000_000_000;

/** Which documents are listed. */
export interface WantedDocuments {
  readonly computer: string;
  /** Only those of these MCP servers; all when there are none. */
  readonly servers: readonly string[];
  /** Only those that have this in their URI, name or MCP server. */
  readonly filter?: string | undefined;
}

/**
 * Lists documents.
 *
 * @param found - gets each URI.
 * @returns whether every MCP server listed its own.
 */
export async function showDocuments(
  asking: Asking,
  wanted: WantedDocuments,
  found?: (uri: string) => void,
): Promise<boolean> {
  const problems: DiscoveryProblem[] = [];
  const documents = await discover(asking, wanted, problems);
  if (found !== undefined) for (const { uri } of documents) found(uri);
  // As the MCP servers list them, and which one does.
  const value = { documents: documents.map(({ server, resource }) => ({ ...resource, server })) };
  asking.show(value, (terminal) => {
    for (const line of renderTable(documents.map(row), terminal.width)) terminal.line(line);
    if (documents.length > 0 || problems.length > 0) return;
    terminal.note(wanted.filter === undefined ? 'no documents' : printable(`no document has "${wanted.filter}" in it`));
  });
  for (const problem of problems) report(problem, asking);
  return problems.length === 0;
}

async function discover(
  asking: Asking,
  { computer, servers, filter }: WantedDocuments,
  problems: DiscoveryProblem[],
): Promise<DiscoveredDocument[]> {
  const documents: DiscoveredDocument[] = [];
  const text = filter?.toLowerCase() ?? '';
  const found = asking.agent.discoverDocuments(computer, {
    ...requestOptions(asking),
    ...(servers.length === 0 ? {} : { servers }),
    filter: ({ uri, name = '', server }) => [uri, name, server].some((part) => part.toLowerCase().includes(text)),
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
function report({ server, error }: DiscoveryProblem, { json, terminal }: Asking): void {
  if (json && error instanceof ProtocolError) terminal.errorJson({ ...error.toPayload(), mcp_server: server });
  else terminal.error(`The documents of MCP server "${server}" could not be listed: ${sentence(error)}`);
}

/** A document, and in which form it is wanted. */
export interface WantedDocument {
  readonly computer: string;
  readonly uri: string;
  /** As Markdown; otherwise as it is. */
  readonly markdown: boolean;
}

/** Tells where a document can be fetched. */
export async function showPlace(asking: Asking, { computer, uri }: Omit<WantedDocument, 'markdown'>): Promise<void> {
  const { ack, answer } = await withAck((onAck) =>
    asking.agent.getDpe(computer, uri, { ...requestOptions(asking), ...onAck }),
  );
  asking.show(ack, (terminal) => {
    terminal.line(printable(answer.uri));
    const size = answer.size === undefined ? [] : [byteSize(answer.size)];
    const known = [...(answer.mimeType === undefined ? [] : [answer.mimeType]), ...size];
    if (known.length > 0) terminal.note(terminal.style('dim', printable(known.join(', '))));
  });
}

/** The content of a document, as it comes, within the time of the question. */
export async function* documentContent(
  asking: Asking,
  wanted: WantedDocument,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { timeoutMs, signal } = asking;
  const budget = linkedSignal([signal], timeoutMs);
  const options = { signal: budget.signal, timeoutMs, fetchTimeoutMs: timeoutMs };
  try {
    yield* wanted.markdown ? markdown(asking, wanted, options) : asItIs(asking, wanted, options);
  } catch (error) {
    if (!budget.signal.aborted || signal.aborted) throw error;
    throw new CommandError(
      `The document was not fetched within ${timeoutMs / 1_000} s; --timeout SECONDS gives it more time`,
    );
  } finally {
    budget.release();
  }
}

/** Where the content of a document is written. */
export interface Destination {
  readonly file: string;
  /** Whether a file that is there is replaced. */
  readonly replace: boolean;
}

/** Writes a document into a file, once all of it has come. @returns its size in bytes. */
export async function saveDocument(
  asking: Asking,
  wanted: WantedDocument,
  { file, replace }: Destination,
): Promise<number> {
  if (!replace) await assertFree(file);
  return writeWhole(file, documentContent(asking, wanted), { replace });
}

async function* asItIs(
  { agent }: Asking,
  { computer, uri }: WantedDocument,
  options: OpenDocumentOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { body } = await agent.fetchDocument(computer, uri, { ...options, maxFetchBytes: LIMIT_BYTES });
  yield* body;
}

async function* markdown(
  { agent }: Asking,
  { computer, uri }: WantedDocument,
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
