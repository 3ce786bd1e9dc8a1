import type { Agent } from '../../../agent/index.js';
import { isJsonObject, ProtocolError, type JsonObject } from '../../../protocol/index.js';
import { AGENT_FLAGS, withAck, withAgent } from '../../agent-flags.js';
import { defineCommand, type Invocation } from '../../command.js';
import { sentence } from '../../describe-failure.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { renderTable } from '../../render-table.js';

/** `a2c agent tools` */
export const toolsCommand = defineCommand({
  path: 'agent tools',
  summary: 'List the tools of one Computer, or of all in the office',
  args: [{ name: 'COMPUTER', help: 'only this Computer', optional: true }],
  flags: AGENT_FLAGS,
  examples: ['a2c agent tools --server http://127.0.0.1:8000 --office demo', 'a2c agent tools laptop --json'],
  run: async (invocation) => {
    const [computer] = invocation.args;
    const { flags, terminal, signal } = invocation;
    const options = { signal, timeoutMs: flags.timeout * 1000 };
    return await withAgent(invocation, async (agent) => {
      const failures: Failure[] = [];
      const ack =
        computer === undefined ? await everyTool(agent, options, failures) : await toolsOf(agent, computer, options);
      const rows = toolRows(ack);
      if (flags.json) terminal.json(ack);
      else for (const line of renderTable(rows, terminal.width)) terminal.line(line);
      for (const failure of failures) report(failure, invocation);
      if (!flags.json && rows.length === 0 && failures.length === 0) terminal.note('no tools');
      return failures.length === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
    });
  },
});

/** A Computer that did not show its tools. */
interface Failure {
  readonly computer: string;
  readonly error: unknown;
}

/** One Computer that cannot answer must not hide the tools of the others: it is told of beside them. */
function report({ computer, error }: Failure, { flags, terminal }: Invocation<typeof AGENT_FLAGS>): void {
  if (flags.json && error instanceof ProtocolError) terminal.errorJson({ ...error.toPayload(), computer });
  else terminal.error(`The tools of Computer "${computer}" could not be listed: ${sentence(error)}`);
}

interface Options {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

async function toolsOf(agent: Agent, computer: string, options: Options): Promise<unknown> {
  const { ack } = await withAck((onAck) => agent.getTools(computer, { ...options, ...onAck }));
  return ack;
}

async function everyTool(agent: Agent, options: Options, failures: Failure[]): Promise<unknown> {
  const members = await agent.listRoom(options);
  const computers = members.filter(({ role }) => role === 'computer');
  const lists = await Promise.all(
    computers.map(async ({ name: computer }) => {
      try {
        return toolList(await toolsOf(agent, computer, options)).map((tool) => ({ computer, ...tool }));
      } catch (error) {
        options.signal.throwIfAborted();
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

function toolRows(ack: unknown): string[][] {
  return toolList(ack).flatMap(({ computer, name, description }) => {
    // What has no name is no tool; the Agent warned of it.
    if (typeof name !== 'string') return [];
    const about = typeof description === 'string' ? (description.split('\n', 1)[0] ?? '') : '';
    return [[...(typeof computer === 'string' ? [computer] : []), name, about]];
  });
}
