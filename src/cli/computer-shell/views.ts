import type { CallHistoryEntry, HostedServerStatus, ServerState } from '../../computer/index.js';
import type { JsonObject } from '../../protocol/index.js';
import { CommandError, UsageError } from '../failure.js';
import { toggle } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import { counted } from '../terminal/render-result.js';
import type { ShellCall } from '../shell/shell-command.js';
import { STATE_STYLES } from '../terminal/state-styles.js';
import type { Terminal } from '../terminal/terminal.js';
import { define, type ComputerContext } from './computer-context.js';
import { whyDesktopIsEmpty } from './why-desktop-empty.js';
import { noServer, shownConfiguration } from './shown-configuration.js';
import { whyNoTool } from './why-no-tool.js';
import { ago, printFields, printTable } from '../terminal/show.js';

type Call = ShellCall<ComputerContext>;

const status = define({
  path: 'status',
  summary: 'Show the connection, the office, and the state of every MCP server',
  args: [],
  flags: {},
  examples: ['status'],
  run: ({ context: { computer, office }, show }) => {
    const { membership, connected, paused } = computer;
    const servers = computer.servers();
    const documents = computer.documents();
    const value = {
      name: computer.name,
      server: office.url ?? null,
      connected,
      office: membership?.officeId ?? null,
      wanted_office: office.wanted ?? null,
      paused:
        paused === undefined ? null : { reason: paused.reason ?? null, since: new Date(paused.since).toISOString() },
      running_calls: computer.runningCalls().length,
      servers: servers.map(serverValue),
      documents,
    };
    show(value, (terminal) => {
      printFields(terminal, [
        ['computer', computer.name],
        ['server', connectionSentence({ url: office.url, connected })],
        ['office', officeSentence({ office: membership?.officeId, wanted: office.wanted })],
        [
          'calls',
          paused === undefined
            ? undefined
            : `paused${paused.reason === undefined ? '' : `: ${paused.reason}`}; resume lets them in again`,
        ],
        [
          'documents',
          documents.hasResolver || documents.hosts.every(({ servers: users }) => users.length === 0)
            ? undefined
            : 'Agents get none: start with --documents file, http or s3',
        ],
      ]);
      printServers(servers, terminal);
      for (const host of documents.hosts.filter(({ usedBy }) => usedBy.length > 1)) {
        terminal.note(`documents: host "${host.host}" is used by ${host.usedBy.join(', ')}; the first one answers`);
      }
    });
  },
});

function connectionSentence({ url, connected }: { url: string | undefined; connected: boolean }): string {
  if (url === undefined) return 'none: socket connect URL';
  return connected ? `${url}, connected` : `${url}, not connected`;
}

function officeSentence({ office, wanted }: { office: string | undefined; wanted: string | undefined }): string {
  if (office !== undefined) return `"${office}"`;
  return wanted === undefined
    ? 'none: socket join OFFICE'
    : `not in "${wanted}" at the moment; it is joined again with the connection`;
}

function serverValue({ server, state, since, tools, reason, restarts }: HostedServerStatus): object {
  return { server, state, since: new Date(since).toISOString(), tools, restarts, reason: reason ?? null };
}

function printServers(servers: readonly HostedServerStatus[], terminal: Terminal): void {
  terminal.line();
  const now = Date.now();
  printTable(terminal, {
    headings: ['MCP SERVER', 'STATE', 'TOOLS', 'FOR', 'WHY'],
    rows: servers.map(({ server, state, tools, since, reason, restarts }) => [
      server,
      state,
      String(tools),
      ago(since, now),
      [reason, restarts > 0 ? counted(restarts, 'restart') : undefined].filter((part) => part !== undefined).join('; '),
    ]),
    none: 'no MCP servers: server add adds one',
    paint: (line, [server = '', state = '']) => {
      const at = line.indexOf(state, server.length);
      const style = STATE_STYLES[state as ServerState] ?? 'dim';
      return at < 0 ? line : `${line.slice(0, at)}${terminal.style(style, state)}${line.slice(at + state.length)}`;
    },
  });
}

const tools = define({
  path: 'tools',
  summary: 'List the tools that Agents see',
  args: [
    {
      name: 'FILTER',
      help: 'only those whose name, server or description has this in it',
      optional: true,
      completes: ['tool', 'server'],
    },
  ],
  flags: {},
  examples: ['tools', 'tools file'],
  run: ({ context: { computer }, args: [filter], show }) => {
    const found = computer
      .tools()
      .map((tool) => ({ server: computer.tool(tool.name)?.server ?? '', ...tool }))
      .filter(({ name, server, description }) => contains(filter, [name, server, description]));
    show(found, (terminal) => {
      printTable(terminal, {
        headings: ['TOOL', 'SERVER', 'DESCRIPTION'],
        rows: found.map(({ name, server, description }) => [name, server, description.split('\n', 1)[0] ?? '']),
        none: filter === undefined ? 'no tools: status says why' : `no tool has "${filter}" in it`,
      });
    });
  },
});

function contains(filter: string | undefined, texts: readonly string[]): boolean {
  if (filter === undefined) return true;
  const wanted = filter.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

const tool = define({
  path: 'tool',
  summary: 'Show one tool: its MCP server, metadata and schemas',
  args: [{ name: 'TOOL', help: 'the name of a tool', completes: ['tool'] }],
  flags: {},
  examples: ['tool read_file'],
  run: ({ context: { computer }, args: [name = ''], show }) => {
    const found = computer.tool(name);
    if (found === undefined) throw new CommandError(whyNoTool(computer, name));
    show(found, (terminal) => {
      printFields(terminal, [
        ['tool', found.exposedName],
        ['server', found.server],
        ['own name', found.originalName === found.exposedName ? undefined : found.originalName],
        ['forbidden', found.forbidden ? 'yes: Agents do not see it' : undefined],
        ['confirmed', found.autoApply ? 'not asked for: auto_apply' : 'each call is asked for'],
        ['metadata', found.meta === undefined ? undefined : JSON.stringify(found.meta)],
      ]);
      const { description, params_schema, return_schema } = found.tool;
      if (description !== '') terminal.line(`\n${printable(description)}`);
      terminal.line(`\n${terminal.style('dim', 'parameters')} ${printable(JSON.stringify(params_schema, null, 2))}`);
      if (return_schema !== null) {
        terminal.line(`${terminal.style('dim', 'result')} ${printable(JSON.stringify(return_schema, null, 2))}`);
      }
    });
  },
});

const mcp = define({
  path: 'mcp',
  summary: 'Show the configuration of the MCP servers and inputs, secrets masked',
  args: [{ name: 'SERVER', help: 'only this one, whole', optional: true, completes: ['server'] }],
  flags: {},
  examples: ['mcp', 'mcp files'],
  run: async ({ context: { computer }, args: [server], show }) => {
    const { servers, inputs } = await shownConfiguration(computer);
    if (server !== undefined) {
      const found = Object.hasOwn(servers, server) ? servers[server] : undefined;
      if (found === undefined) throw noServer(server, Object.keys(servers));
      show(found, (terminal) => {
        terminal.line(printable(JSON.stringify(found, null, 2)));
      });
      return;
    }
    show({ servers, inputs }, (terminal) => {
      printTable(terminal, {
        headings: ['MCP SERVER', 'TYPE', 'DISABLED', 'WHERE'],
        rows: Object.entries(servers).map(([name, { type, disabled, server_parameters: where }]) => [
          name,
          type,
          disabled ? 'yes' : '',
          placeOf(where),
        ]),
        none: 'no MCP servers',
      });
      terminal.line();
      printTable(terminal, {
        headings: ['INPUT', 'TYPE', 'DESCRIPTION'],
        rows: inputs.map(({ id, type, description }) => [id, type, description]),
        none: 'no inputs',
      });
    });
  },
});

function placeOf({ command, args, url }: JsonObject): string {
  if (typeof url === 'string') return url;
  return [command, ...(Array.isArray(args) ? (args as unknown[]) : [])].map(String).join(' ');
}

const history = define({
  path: 'history',
  summary: 'Show the last calls of tools in this office',
  args: [{ name: 'N', help: 'at most so many', optional: true }],
  flags: { whole: toggle('with what was asked and answered, without secrets') },
  examples: ['history', 'history 5 --whole'],
  run: ({ context: { computer }, args: [count], flags, show }) => {
    const entries = computer.history.slice(-wholeNumberOf('N', count ?? '20'));
    show(entries, (terminal) => {
      if (flags.whole) for (const entry of entries) printEntry(entry, terminal);
      else {
        printTable(terminal, {
          headings: ['TIME', 'AGENT', 'TOOL', 'OUTCOME', 'MS', 'ARGUMENTS'],
          rows: entries.map((entry) => [
            entry.startedAt.toLocaleTimeString(),
            entry.agent,
            entry.tool,
            entry.code === undefined ? entry.outcome : `${entry.outcome} (${entry.code})`,
            String(entry.durationMs),
            entry.args,
          ]),
          none: 'no calls yet',
        });
      }
    });
  },
});

/** A whole number from 1 on. @throws UsageError. */
function wholeNumberOf(name: string, typed: string): number {
  if (!/^\d{1,6}$/.test(typed) || Number(typed) < 1)
    throw new UsageError(`${name}: expected a whole number from 1 on, got "${typed}"`);
  return Number(typed);
}

function printEntry(entry: CallHistoryEntry, terminal: Terminal): void {
  const outcome = entry.code === undefined ? entry.outcome : `${entry.outcome} (${entry.code})`;
  terminal.line(
    printable(
      `${entry.startedAt.toLocaleTimeString()}  ${entry.agent} → ${entry.tool}: ${outcome} in ${entry.durationMs} ms`,
    ),
  );
  terminal.paragraph(printable(`asked: ${entry.args}`), '    ');
  terminal.paragraph(printable(`answer: ${entry.answer}`), '    ');
}

const desktop = define({
  path: 'desktop',
  summary: 'Show the desktop as an Agent would see it: SIZE windows at most, or the one of URI',
  args: [
    { name: 'SIZE', help: 'at most so many windows; or the URI of one', optional: true, completes: ['window'] },
    { name: 'URI', help: 'only this window', optional: true, completes: ['window'] },
  ],
  flags: {},
  examples: ['desktop', 'desktop 5', 'desktop window://com.example.notes/list'],
  run: async (call) => {
    const { context, show } = call;
    const query = desktopQuery(call);
    const windows = await context.computer.desktop(query);
    const why = windows.length > 0 ? undefined : await whyDesktopIsEmpty(context.computer, query);
    show(windows, (terminal) => {
      if (why !== undefined) for (const line of why) terminal.note(line);
      else terminal.line(windows.map(printable).join(`\n\n${terminal.style('dim', '─'.repeat(40))}\n`));
    });
  },
});

/** Size and URI come in either order: digits are the size. */
function desktopQuery({ args }: Call): { size?: number; window?: string } {
  const words = args.filter((word) => word !== undefined);
  const [size, ...moreSizes] = words.filter((word) => /^-?\d+$/.test(word));
  const [window, ...moreWindows] = words.filter((word) => !/^-?\d+$/.test(word));
  if (moreSizes.length + moreWindows.length > 0) throw new UsageError('expected one SIZE and one URI at most');
  if (size !== undefined && !Number.isSafeInteger(Number(size))) throw new UsageError(`SIZE: ${size} is too large`);
  return { ...(size === undefined ? {} : { size: Number(size) }), ...(window === undefined ? {} : { window }) };
}

const documents = define({
  path: 'documents',
  summary: 'List the documents of the MCP servers, and say whether Agents get them',
  args: [{ name: 'FILTER', help: 'only those whose URI, title or server has this in it', optional: true }],
  flags: {},
  examples: ['documents', 'documents report'],
  run: ({ context: { computer }, args: [filter], show }) => {
    const { hasResolver, hosts } = computer.documents();
    const found = computer
      .listedDocuments()
      .filter(({ server, uri, name = '' }) => contains(filter, [server, uri, name]));
    show({ resolver: hasResolver, hosts, documents: found }, (terminal) => {
      if (!hasResolver) terminal.note('Agents get no documents: start with --documents file, http or s3');
      printTable(terminal, {
        headings: ['DOCUMENT', 'SERVER', 'TYPE', 'TITLE'],
        rows: found.map(({ server, uri, name = '', mimeType = '' }) => [uri, server, mimeType, name]),
        none: filter === undefined ? 'no MCP server lists documents (dpe://…)' : `no document has "${filter}" in it`,
      });
    });
  },
});

/** What there is to see of a Computer. */
export const VIEWS = [status, tools, tool, mcp, history, desktop, documents];
