import type { Computer } from '../../computer/index.js';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { readJsonArgument } from '../flags/call-arguments.js';
import { CommandError, UsageError } from '../failure.js';
import { toggle, wholeNumber } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import type { ShellCall } from '../shell/shell-command.js';
import { quoteWord } from '../shell/split-line.js';
import { define, type ComputerContext } from './computer-context.js';
import { editServer } from './edit-server.js';
import { followLog } from './follow-log.js';
import { noServer } from './shown-configuration.js';

type Call = ShellCall<ComputerContext>;

const GOES_ON = 'not waited for any more; it goes on, status shows how far it is';

const SERVER = { name: 'SERVER', help: 'the name of an MCP server', completes: ['server'] } as const;
const SERVER_OR_ALL = {
  name: 'SERVER',
  help: 'the name of an MCP server, or all',
  completes: ['server', 'all'],
} as const;

/** The servers that a word names. @throws UsageError when there is none of that name. */
function named(computer: Computer, word: string): string[] {
  const known = computer.servers().map(({ server }) => server);
  if (known.includes(word)) return [word];
  if (word === 'all') return known;
  throw noServer(word, known);
}

/** One way to change what MCP servers do. */
interface Act {
  readonly word: string;
  readonly done: string;
  readonly summary: string;
  readonly act: (computer: Computer, server: string) => Promise<void>;
}

const ACTS: readonly Act[] = [
  {
    word: 'start',
    done: 'started',
    summary: 'Start MCP servers',
    act: (computer, server) => computer.startServer(server),
  },
  {
    word: 'stop',
    done: 'stopped',
    summary: 'Stop MCP servers',
    act: (computer, server) => computer.stopServer(server),
  },
  {
    word: 'restart',
    done: 'restarted',
    summary: 'Start MCP servers anew',
    act: (computer, server) => computer.restartServer(server),
  },
  {
    word: 'enable',
    done: 'enabled',
    summary: 'Take "disabled" off MCP servers, and start them',
    act: (computer, server) => computer.enableServer(server),
  },
  {
    word: 'disable',
    done: 'disabled',
    summary: 'Set "disabled" for MCP servers, and stop them',
    act: (computer, server) => computer.disableServer(server),
  },
];

/** All at once; one that fails does not keep the others from it. */
async function actOn({ context: { computer }, args: [word = ''], show }: Call, { done, act }: Act): Promise<void> {
  const servers = named(computer, word);
  // With `all`, a server whose owner wants it off stays off.
  const off = word === 'all' && done !== 'enabled' ? disabledOf(computer) : new Set<string>();
  const wanted = servers.filter((server) => servers.length === 1 || !off.has(server));
  const outcomes = await Promise.allSettled(wanted.map((server) => act(computer, server)));
  const results = wanted.map((server, index) => ({ server, ...resultOf(outcomes[index]) }));
  report(results, { done, show });
}

/** Tells what came of each. @throws CommandError when one failed. */
function report(results: readonly Outcome[], { done, show }: { readonly done: string } & Pick<Call, 'show'>): void {
  const failed = results.filter(({ ok }) => !ok);
  const isOne = results.length === 1;
  show(results, (terminal) => {
    for (const { server, ok, reason } of results) {
      if (ok) terminal.line(printable(`${server}: ${done}`));
      else if (!isOne) terminal.error(`${server}: ${reason ?? ''}`);
    }
  });
  const [first] = failed;
  if (first === undefined) return;
  throw new CommandError(
    isOne ? `${first.server}: ${first.reason ?? ''}` : `${failed.length} of ${results.length} failed`,
  );
}

function disabledOf(computer: Computer): Set<string> {
  return new Set(
    computer
      .servers()
      .filter(({ state }) => state === 'disabled')
      .map(({ server }) => server),
  );
}

/** What came of one server. */
interface Outcome {
  readonly server: string;
  readonly ok: boolean;
  readonly reason?: string;
}

function resultOf(outcome: PromiseSettledResult<void> | undefined): Omit<Outcome, 'server'> {
  if (outcome?.status !== 'rejected') return { ok: true };
  return { ok: false, reason: outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason) };
}

const acts = ACTS.map((act) =>
  define({
    path: act.word,
    summary: act.summary,
    args: [SERVER_OR_ALL],
    flags: {},
    examples: [`${act.word} files`, `${act.word} all`],
    goesOn: GOES_ON,
    run: (call) => actOn(call, act),
  }),
);

/** What `server add` and `server edit` are given: one server with its name in it, or several by their names. */
function serversIn(value: unknown, name?: string): [string, unknown][] {
  if (!isJsonObject(value)) throw new UsageError('CONFIG: expected a JSON object');
  const { mcpServers, servers } = value;
  const many = [mcpServers, servers].find(isJsonObject);
  if (many !== undefined) return Object.entries(many);
  if (name !== undefined) return [[name, value]];
  if (typeof value['name'] === 'string') return [[value['name'], value]];
  const entries = Object.entries(value);
  const areServers = entries.length > 0 && entries.every(([, entry]) => isJsonObject(entry) && isServer(entry));
  if (areServers) return entries;
  throw new UsageError('CONFIG: the name is missing: add "name", or write { "NAME": { "command": … } }');
}

function isServer(entry: JsonObject): boolean {
  return ['command', 'url', 'server_parameters', 'type'].some((key) => Object.hasOwn(entry, key));
}

const add = define({
  path: 'server add',
  summary: 'Add an MCP server and start it; save keeps it',
  args: [
    { name: 'CONFIG', help: 'JSON, or @FILE with JSON: one server with its name, or several', completes: ['@file'] },
  ],
  flags: {},
  examples: [
    'server add {"name":"memory","command":"npx","args":["-y","@modelcontextprotocol/server-memory"]}',
    'server add @more-servers.json',
  ],
  secret: true,
  goesOn: GOES_ON,
  run: async ({ context: { computer }, args: [config = ''], show }) => {
    const servers = serversIn(await readJsonArgument(config, 'CONFIG'));
    const before = new Set(computer.servers().map(({ server }) => server));
    const outcomes = await Promise.allSettled(servers.map(([name, server]) => computer.addServer(name, server)));
    const now = new Set(computer.servers().map(({ server }) => server));
    const results = servers.map(([server], index): Outcome => {
      const outcome = resultOf(outcomes[index]);
      const isThere = !outcome.ok && now.has(server) && !before.has(server);
      const hint = `it is added all the same: server edit ${quoteWord(server)} mends it, server rm takes it out`;
      return { server, ...outcome, ...(isThere ? { reason: `${outcome.reason ?? ''} (${hint})` } : {}) };
    });
    const [only] = outcomes;
    // What is wrong with the configuration names its place already.
    if (outcomes.length === 1 && only?.status === 'rejected' && !now.has(servers[0]?.[0] ?? '')) throw only.reason;
    report(results, { done: 'added; save keeps it in the configuration', show });
  },
});

const remove = define({
  path: 'server rm',
  aliases: ['server remove'],
  summary: 'Stop an MCP server and take it out of the configuration; save keeps that',
  args: [SERVER],
  flags: {},
  goesOn: GOES_ON,
  examples: ['server rm memory', 'server rm "my files"'],
  run: async ({ context: { computer }, args: [word = ''], show }) => {
    const [server = ''] = named(computer, word);
    if (word === 'all' && !computer.servers().some((other) => other.server === 'all')) {
      throw new UsageError('SERVER: one at a time');
    }
    await computer.removeServer(server);
    show({ server, removed: true }, (terminal) => {
      terminal.line(printable(`${server}: removed`));
    });
  },
});

const edit = define({
  path: 'server edit',
  summary: 'Give an MCP server another configuration: the one given, or what comes out of your editor ($EDITOR)',
  args: [SERVER, { name: 'CONFIG', help: 'JSON, or @FILE with JSON', optional: true, completes: ['@file'] }],
  flags: {},
  examples: [
    'server edit files',
    'server edit files {"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/srv"]}',
  ],
  secret: true,
  goesOn: GOES_ON,
  run: async (call) => {
    const [word = '', config] = call.args;
    const { computer } = call.context;
    const [server = ''] = named(computer, word);
    if (config === undefined) {
      await editServer(server, call);
      return;
    }
    const [entry, ...others] = serversIn(await readJsonArgument(config, 'CONFIG'), server);
    if (entry === undefined || others.length > 0 || entry[0] !== server) {
      throw new UsageError(`CONFIG: expected the configuration of "${server}" alone`);
    }
    await computer.updateServer(server, entry[1]);
    call.show({ server, changed: true }, (terminal) => {
      terminal.line(printable(`${server}: changed; save keeps it in the configuration`));
    });
  },
});

const logs = define({
  path: 'logs',
  summary: 'Show the last lines that an MCP server wrote',
  args: [SERVER],
  flags: {
    follow: toggle('go on with what it writes, until Ctrl-C', { short: 'f' }),
    lines: wholeNumber('N', 'at most so many', { min: 1, max: 10_000, fallback: 50 }),
  },
  examples: ['logs files', 'logs files -f'],
  run: async ({ context: { computer }, args: [word = ''], flags, show, signal }) => {
    const [server = ''] = named(computer, word);
    const lines = computer.serverLog(server).slice(-flags.lines);
    show(lines, (terminal) => {
      if (lines.length === 0 && !flags.follow) terminal.note(`${server} has written nothing`);
      for (const line of lines) terminal.line(printable(line));
    });
    if (flags.follow) await followLog(computer, server, { show, signal });
  },
});

const login = define({
  path: 'login',
  summary: 'Log in at a protected MCP server, in a browser on this machine',
  args: [SERVER],
  flags: {},
  examples: ['login notion'],
  run: async ({ context: { computer }, args: [word = ''], terminal, show, signal }) => {
    const [server = ''] = named(computer, word);
    const onUrl = (url: string): void => {
      terminal.note(`opening ${url}`);
    };
    await computer.login(server, { signal, onUrl });
    show({ server, logged_in: true }, () => {
      terminal.line(printable(`logged in at "${server}"`));
    });
  },
});

const logout = define({
  path: 'logout',
  summary: 'Forget the login at an MCP server',
  args: [SERVER],
  flags: {},
  examples: ['logout notion'],
  run: async ({ context: { computer }, args: [word = ''], show }) => {
    const [server = ''] = named(computer, word);
    await computer.logout(server);
    show({ server, logged_out: true }, (terminal) => {
      terminal.line(printable(`logged out at "${server}"`));
    });
  },
});

/** What an owner does with MCP servers. */
export const SERVER_COMMANDS = [add, remove, edit, ...acts, logs, login, logout];
