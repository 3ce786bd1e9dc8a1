import { UsageError } from '../failure.js';
import { text, toggle } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import { counted } from '../terminal/render-result.js';
import { renderTable } from '../terminal/render-table.js';
import type { Terminal } from '../terminal/terminal.js';
import { ask, askComputer, ASK_FLAGS, define, type AgentContext } from './agent-context.js';
import { showConfig, showResources, showRoom } from './ask-office.js';

const use = define({
  path: 'use',
  summary: 'Choose the Computer that the other commands are about; without one show who is there',
  args: [{ name: 'COMPUTER', help: 'the name of a Computer in the office', optional: true, completes: ['computer'] }],
  flags: {},
  examples: ['use laptop'],
  run: ({ context: { agent, selection }, args: [computer], show }) => {
    if (computer !== undefined) selection.use(computer);
    const { computers } = agent;
    show({ computer: selection.implied ?? null, computers }, (terminal) => {
      if (computer !== undefined) return;
      for (const name of computers) terminal.line(printable(`${name === selection.implied ? '*' : ' '} ${name}`));
      if (computers.length === 0) terminal.note('no Computer is in the office');
    });
  },
});

const room = define({
  path: 'room',
  summary: 'List who is in the office',
  args: [],
  flags: { timeout: ASK_FLAGS.timeout },
  examples: ['room'],
  run: (call) => ask(call, showRoom),
});

const status = define({
  path: 'status',
  summary: 'Show the connection, the office, and the Computers with their tools',
  args: [],
  flags: {},
  examples: ['status'],
  run: ({ context, show }) => {
    const { agent, url, office, selection, feed } = context;
    const computers = agent.computers.map((name) => ({ name, tools: toolsOf(context, name) }));
    const value = {
      name: agent.name,
      server: url,
      connected: agent.connected,
      office: agent.membership?.officeId ?? null,
      wanted_office: office,
      computer: selection.implied ?? null,
      watch: feed.on,
      computers,
    };
    show(value, (terminal) => {
      printFields(terminal, [
        ['agent', agent.name],
        ['server', `${url}, ${agent.connected ? 'connected' : 'not connected; it is tried again and again'}`],
        ['office', agent.membership === undefined ? `not in "${office}" at the moment` : `"${office}"`],
        ['computer', usedSentence(context)],
        ['watch', feed.on ? 'on: what happens is told as it comes' : 'off'],
      ]);
      for (const { name, tools } of computers) terminal.line(printable(`  ${name}: ${counted(tools, 'tool')}`));
    });
  },
});

function toolsOf({ agent }: AgentContext, computer: string): number {
  return agent.tools.filter((tool) => tool.computer === computer).length;
}

function usedSentence({ agent, selection }: AgentContext): string {
  const { used, implied } = selection;
  if (used !== undefined) return agent.computers.includes(used) ? used : `${used}, which is not in the office now`;
  return implied === undefined ? 'none in use: use COMPUTER' : `${implied}, the only one there`;
}

function printFields(terminal: Terminal, fields: readonly (readonly [string, string])[]): void {
  for (const line of renderTable(fields, terminal.width)) terminal.line(line);
}

const config = define({
  path: 'config',
  summary: "Show the Computer's configuration, its secrets masked",
  args: [],
  flags: ASK_FLAGS,
  examples: ['config', 'config --computer laptop'],
  run: (call) => askComputer(call, showConfig),
});

const resources = define({
  path: 'resources',
  summary: 'List the resources of one MCP server of the Computer',
  args: [{ name: 'MCP_SERVER', help: 'the name of the MCP server, as config shows it', completes: ['server'] }],
  flags: { ...ASK_FLAGS, all: toggle('every page; otherwise the first'), cursor: text('CURSOR', 'a later page') },
  examples: ['resources notes', 'resources notes --all'],
  run: (call) => {
    const { args, context, flags } = call;
    const [server = ''] = args;
    const { all, cursor } = flags;
    return askComputer(call, async (asking, computer) => {
      await showResources(asking, { computer, server, all, cursor });
      context.seen.servers.add(server);
    });
  },
});

const watch = define({
  path: 'watch',
  summary: 'Tell what happens in the office as it comes, or stop that',
  args: [{ name: 'WORD', help: 'on or off; the other one when left out', optional: true, completes: ['switch'] }],
  flags: {},
  examples: ['watch', 'watch off'],
  run: ({ context: { feed }, args: [word], show }) => {
    if (word !== undefined && word !== 'on' && word !== 'off') throw new UsageError('WORD: expected on or off');
    feed.on = word === undefined ? !feed.on : word === 'on';
    show({ watch: feed.on }, (terminal) => {
      terminal.line(feed.on ? 'what happens is told as it comes' : 'only what becomes of the connection is told');
    });
  },
});

/** What there is to see of an office and its Computers. */
export const OFFICE_COMMANDS = [use, room, status];
export const COMPUTER_COMMANDS = [config, resources];
export const EVENT_COMMANDS = [watch];
