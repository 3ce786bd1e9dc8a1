import type { Agent } from '../../agent/index.js';
import { isJsonObject, ProtocolError, type JsonObject, type SmcpTool } from '../../protocol/index.js';
import { withAck } from '../with-agent.js';
import { sentence } from '../describe-failure.js';
import { CommandError } from '../failure.js';
import { printable } from '../terminal/printable.js';
import { renderTable } from '../terminal/render-table.js';
import { requestOptions, type Asking } from './asking.js';
import { nobodyThere, whyNoTool } from './why-not-there.js';

/** A Computer that did not show its tools. */
interface Failure {
  readonly computer: string;
  readonly error: unknown;
}

/**
 * Lists the tools of one Computer, or of all.
 *
 * @param wanted - `filter`: only those that have this in their name or description.
 * @returns whether every Computer showed its tools.
 */
export async function showTools(
  asking: Asking,
  wanted: { readonly computer?: string | undefined; readonly filter?: string | undefined },
): Promise<boolean> {
  const { computer, filter } = wanted;
  const failures: Failure[] = [];
  const asked = computer === undefined ? await everyTool(asking, failures) : await toolsOf(asking, computer);
  const answer = filter === undefined ? asked : filtered(asked, filter);
  const none = await sentenceForNone(asking, { ...wanted, isEmpty: toolList(answer).length + failures.length === 0 });
  asking.show(answer, (terminal) => {
    for (const line of renderTable(toolRows(answer), terminal.width)) terminal.line(line);
    if (none !== undefined) terminal.note(none);
  });
  for (const failure of failures) report(failure, asking);
  return failures.length === 0;
}

async function sentenceForNone(
  asking: Asking,
  { computer, filter, isEmpty }: { computer?: string | undefined; filter?: string | undefined; isEmpty: boolean },
): Promise<string | undefined> {
  if (!isEmpty || asking.json) return undefined;
  if (filter !== undefined) return printable(`no tool has "${filter}" in it`);
  if (computer !== undefined) {
    return printable(`no tools: ${computer} shows none; its owner sees why with status in its shell`);
  }
  const members = await asking.agent.listRoom(requestOptions(asking));
  return members.some(({ role }) => role === 'computer') ? 'no tools' : nobodyThere(asking);
}

/** One Computer that cannot answer must not hide the tools of the others: it is told of beside them. */
function report({ computer, error }: Failure, { json, terminal }: Asking): void {
  if (json && error instanceof ProtocolError) terminal.errorJson({ ...error.toPayload(), computer });
  else terminal.error(`The tools of Computer "${computer}" could not be listed: ${sentence(error)}`);
}

async function toolsOf(asking: Asking, computer: string): Promise<unknown> {
  const { ack } = await withAck((onAck) => asking.agent.getTools(computer, { ...requestOptions(asking), ...onAck }));
  return ack;
}

async function everyTool(asking: Asking, failures: Failure[]): Promise<unknown> {
  const { agent, signal } = asking;
  const members = await agent.listRoom(requestOptions(asking));
  const computers = members.filter(({ role }) => role === 'computer');
  const lists = await Promise.all(
    computers.map(async ({ name: computer }) => {
      try {
        return toolList(await toolsOf(asking, computer)).map((tool) => ({ computer, ...tool }));
      } catch (error) {
        signal.throwIfAborted();
        if (!agent.connected) throw error;
        failures.push({ computer, error });
        return [];
      }
    }),
  );
  return { tools: lists.flat() };
}

function toolList(ack: unknown): JsonObject[] {
  const tools = isJsonObject(ack) ? ack['tools'] : undefined;
  return Array.isArray(tools) ? tools.filter(isJsonObject) : [];
}

function filtered(ack: unknown, filter: string): unknown {
  const wanted = filter.toLowerCase();
  const tools = toolList(ack).filter((tool) =>
    [tool['name'], tool['description'], tool['computer']].some(
      (text) => typeof text === 'string' && text.toLowerCase().includes(wanted),
    ),
  );
  return { ...(isJsonObject(ack) ? ack : {}), tools };
}

function toolRows(ack: unknown): string[][] {
  return toolList(ack).flatMap(({ computer, name, description }) => {
    // What has no name is no tool; the Agent warned of it.
    if (typeof name !== 'string') return [];
    const about = typeof description === 'string' ? (description.split('\n', 1)[0] ?? '') : '';
    return [[...(typeof computer === 'string' ? [computer] : []), name, about]];
  });
}

/** A tool that the Agent knows of already, or that is fetched. */
export async function findTool(asking: Asking, computer: string, name: string): Promise<SmcpTool | undefined> {
  return knownTool(asking.agent, computer, name) ?? fetchedTool(asking, computer, name);
}

/** A tool in the catalogue of the Agent. */
export function knownTool(agent: Pick<Agent, 'tools'>, computer: string, name: string): SmcpTool | undefined {
  return agent.tools.find((tool) => tool.computer === computer && tool.name === name);
}

async function fetchedTool(asking: Asking, computer: string, name: string): Promise<SmcpTool | undefined> {
  const tools = await asking.agent.getTools(computer, requestOptions(asking));
  return tools.find((tool) => tool.name === name);
}

/** Shows one tool: what it does, its metadata and its schemas. */
export async function showTool(asking: Asking, computer: string, name: string): Promise<void> {
  const tool = await findTool(asking, computer, name);
  if (tool === undefined) {
    throw new CommandError(`there is no tool "${name}"; ${await whyNoTool(asking, { computer, tool: name })}`);
  }
  const { description, params_schema: params, return_schema: result, meta } = tool;
  asking.show({ ...tool, computer }, (terminal) => {
    const pretty = (value: unknown): string => printable(JSON.stringify(value, null, 2));
    terminal.line(terminal.style('bold', printable(name)));
    terminal.line(`${terminal.style('dim', 'computer')}   ${printable(computer)}`);
    if (isJsonObject(meta) && Object.keys(meta).length > 0) {
      terminal.line(`${terminal.style('dim', 'metadata')}   ${printable(JSON.stringify(meta))}`);
    }
    if (description !== '') terminal.line(`\n${printable(description)}`);
    terminal.line(`\n${terminal.style('dim', 'parameters')} ${pretty(params)}`);
    if (result !== null) terminal.line(`${terminal.style('dim', 'result')} ${pretty(result)}`);
  });
}
