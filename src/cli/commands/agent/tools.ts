import type { Agent } from '../../../agent/index.js';
import { isJsonObject, type JsonObject } from '../../../protocol/index.js';
import { AGENT_FLAGS, withAck, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
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
    await withAgent(invocation, async (agent) => {
      const ack = computer === undefined ? await everyTool(agent, options) : await toolsOf(agent, computer, options);
      if (flags.json) terminal.json(ack);
      else for (const line of renderTable(toolRows(ack), terminal.width)) terminal.line(line);
    });
    return EXIT_CODES.ok;
  },
});

interface Options {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

async function toolsOf(agent: Agent, computer: string, options: Options): Promise<unknown> {
  const { ack } = await withAck((onAck) => agent.getTools(computer, { ...options, ...onAck }));
  return ack;
}

async function everyTool(agent: Agent, options: Options): Promise<unknown> {
  const members = await agent.listRoom(options);
  const computers = members.filter(({ role }) => role === 'computer');
  const lists = await Promise.all(
    computers.map(async ({ name: computer }) =>
      toolList(await toolsOf(agent, computer, options)).map((tool) => ({ computer, ...tool })),
    ),
  );
  return { tools: lists.flat() };
}

function toolList(ack: unknown): JsonObject[] {
  const tools = isJsonObject(ack) ? ack['tools'] : undefined;
  return Array.isArray(tools) ? tools.filter(isJsonObject) : [];
}

function toolRows(ack: unknown): string[][] {
  return toolList(ack).map(({ computer, name, description }) => [
    ...(typeof computer === 'string' ? [computer] : []),
    String(name),
    typeof description === 'string' ? (description.split('\n', 1)[0] ?? '') : '',
  ]);
}
