import type { ResourcePage } from '../../../agent/index.js';
import type { JsonObject } from '../../../protocol/index.js';
import { AGENT_FLAGS, withAck, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { text, toggle } from '../../flags.js';
import { printable } from '../../printable.js';
import { renderTable } from '../../render-table.js';

const COMPUTER = { name: 'COMPUTER', help: 'the Computer to ask' };

/** `a2c agent config` */
export const configCommand = defineCommand({
  path: 'agent config',
  summary: "Show a Computer's configuration, its secrets masked",
  args: [COMPUTER],
  flags: AGENT_FLAGS,
  examples: ['a2c agent config laptop'],
  run: async (invocation) => {
    const [computer = ''] = invocation.args;
    const { flags, terminal, signal } = invocation;
    await withAgent(invocation, async (agent) => {
      const { ack, answer } = await withAck((onAck) =>
        agent.getConfig(computer, { signal, timeoutMs: flags.timeout * 1000, ...onAck }),
      );
      if (flags.json) terminal.json(ack);
      else terminal.line(JSON.stringify(answer, null, 2));
    });
    return EXIT_CODES.ok;
  },
});

/** `a2c agent resources` */
export const resourcesCommand = defineCommand({
  path: 'agent resources',
  summary: 'List the resources of one MCP server of a Computer',
  args: [COMPUTER, { name: 'MCP_SERVER', help: 'the name of the MCP server, as `agent config` shows it' }],
  flags: { ...AGENT_FLAGS, all: toggle('every page; otherwise the first'), cursor: text('CURSOR', 'a later page') },
  examples: ['a2c agent resources laptop notes --all'],
  run: async (invocation) => {
    const [computer = '', server = ''] = invocation.args;
    const { flags, terminal, signal } = invocation;
    const options = { signal, timeoutMs: flags.timeout * 1000 };
    await withAgent(invocation, async (agent) => {
      if (flags.all) {
        const resources: JsonObject[] = [];
        for await (const resource of agent.resources(computer, server, options)) resources.push(resource);
        show({ resources }, { resources });
        return;
      }
      const cursor = flags.cursor === undefined ? {} : { cursor: flags.cursor };
      const { ack, answer } = await withAck((onAck) =>
        agent.getResources(computer, server, { ...options, ...cursor, ...onAck }),
      );
      show(ack, answer);
    });
    return EXIT_CODES.ok;

    function show(ack: unknown, { resources, nextCursor }: ResourcePage): void {
      if (flags.json) {
        terminal.json(ack);
        return;
      }
      for (const line of renderTable(resources.map(resourceRow), terminal.width)) terminal.line(line);
      if (resources.length === 0) terminal.note('no resources');
      if (nextCursor !== undefined) terminal.note(printable(`more with --cursor ${nextCursor}, or --all`));
    }
  },
});

function resourceRow({ uri, name, mimeType }: JsonObject): string[] {
  return [uri, mimeType, name].map((cell) => (typeof cell === 'string' ? cell : ''));
}

/** `a2c agent room` */
export const roomCommand = defineCommand({
  path: 'agent room',
  summary: 'List who is in the office',
  args: [],
  flags: AGENT_FLAGS,
  examples: ['a2c agent room --office demo'],
  run: async (invocation) => {
    const { flags, terminal, signal } = invocation;
    await withAgent(invocation, async (agent) => {
      const { ack, answer } = await withAck((onAck) =>
        agent.listRoom({ signal, timeoutMs: flags.timeout * 1000, ...onAck }),
      );
      const rows = answer.map(({ role, name, protocolVersion }) => [role, name, protocolVersion ?? '']);
      if (flags.json) terminal.json(ack);
      else for (const line of renderTable(rows, terminal.width)) terminal.line(line);
    });
    return EXIT_CODES.ok;
  },
});
