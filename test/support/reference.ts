import { format } from 'prettier';
import type { Command } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/command-table.js';
import { EXIT_CODES } from '../../src/cli/exit-codes.js';
import { COMMON_FLAGS, flagName, type Flag, type Flags } from '../../src/cli/flags/flags.js';
import { CALL_EVENTS, COMMAND_EVENTS, ErrorCode, NOTICE_EVENTS } from '../../src/protocol/index.js';

const GENERATED =
  'Made from the source by `npx vitest run test/conformance/docs.test.ts -u`; a test keeps the two equal.';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}

function flagRow([key, flag]: [string, Flag<unknown>]): string[] {
  const value = flag.kind === 'toggle' ? '' : ` ${flag.choices?.join('|') ?? flag.placeholder}`;
  const usual = flag.kind === 'value' && flag.fallback !== undefined ? `\`${flag.fallback as string}\`` : '';
  const repeat = flag.kind === 'list' ? '; may be given several times' : '';
  return [
    `\`${flagName(key)}${value}\``,
    `${flag.help}${repeat}`,
    usual,
    flag.env === undefined ? '' : `\`${flag.env}\``,
  ];
}

function flagTable(flags: Flags): string {
  return table(['flag', 'meaning', 'default', 'environment'], Object.entries(flags).map(flagRow));
}

const VERSION_AND_HELP = [
  ['`--version`', 'print the version', '', ''],
  ['`--help`', 'explain it', '', ''],
];

/** `COMPUTER`, `[TOOL]`, `[PARAMS...]` */
function synopsis({ path, args }: Command): string {
  const words = args.map(({ name, optional, many }) => {
    const word = many === true ? `${name}...` : name;
    return optional === true ? `[${word}]` : word;
  });
  return ['a2c', path, '[flags]', ...words].join(' ');
}

function pageName(path: string): string {
  return `${path.replaceAll(' ', '-')}.md`;
}

function seeAlso(target: string): string {
  if (target.endsWith('.md')) return `[docs/${target}](../${target})`;
  return `[\`a2c ${target}\`](${pageName(target)})`;
}

/** Links of the table of commands are relative to `docs/`. */
function paragraph(text: string): string {
  return text.replaceAll(/\]\((?=[a-z-]+\.md\))/g, '](../');
}

function commandPage(command: Command): Promise<string> {
  const { path, summary, description = [], args, flags, examples } = command;
  const codes = exitsOf(command).map((name) => [String(EXIT_CODES[name]), PAGE_EXITS[name]]);
  return markdown([
    `# a2c ${path}`,
    GENERATED,
    '## Name',
    `\`a2c ${path}\` – ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    '## Synopsis',
    `\`\`\`text\n${synopsis(command)}\n\`\`\``,
    '## Description',
    `${summary}.`,
    ...description.map(paragraph),
    ...(args.length === 0
      ? []
      : [
          '## Arguments',
          table(
            ['argument', 'meaning'],
            args.map(({ name, help }) => [`\`${name}\``, help]),
          ),
        ]),
    '## Flags',
    table(
      ['flag', 'meaning', 'default', 'environment'],
      [...Object.entries(flags).map(flagRow), ...Object.entries(COMMON_FLAGS).map(flagRow), ...VERSION_AND_HELP],
    ),
    'A flag wins over its environment variable; an empty variable counts for none.',
    '## Exit codes',
    table(['code', 'meaning'], codes),
    '## Examples',
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
    '## See also',
    [...(command.seeAlso ?? []), 'cli.md'].map((target) => `- ${seeAlso(target)}`).join('\n'),
  ]);
}

/** docs/commands/*.md, a page a command, by the names of their files. */
export async function commandPages(): Promise<ReadonlyMap<string, string>> {
  const pages = COMMANDS.map(async (command) => [pageName(command.path), await commandPage(command)] as const);
  return new Map(await Promise.all(pages));
}

type ExitName = keyof typeof EXIT_CODES;

const PAGE_EXITS: Readonly<Record<ExitName, string>> = {
  ok: 'it worked',
  failed: 'it failed',
  usage: 'wrong usage or configuration',
  unreachable: 'cannot connect or join',
  versionMismatch: 'the Server speaks another protocol version',
  interrupted: 'it was interrupted',
};

/** What a command may end with. Only those that are members of an office cannot get there. */
function exitsOf({ path, flags }: Command): ExitName[] {
  const isMember = 'server' in flags && path !== 'doctor';
  const runsUntilStopped = path === 'server' || path === 'computer run';
  return [
    'ok',
    'failed',
    'usage',
    ...(isMember ? (['unreachable', 'versionMismatch'] as const) : []),
    ...(runsUntilStopped ? [] : (['interrupted'] as const)),
  ];
}

const EXIT_TEXTS: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  ok: 'it worked; also a `server` or `computer run` that a signal ended',
  failed:
    'the operation failed: an `isError` result, an error answer, a taken port, a `wait` that ran out; a `doctor` that found what does not work',
  usage: 'wrong usage or configuration',
  unreachable: 'cannot connect or join',
  versionMismatch: 'the Server speaks another protocol version',
  interrupted: 'an `agent` command or the demonstration was interrupted; a running call is cancelled first',
};

const LINES = `## Lines of JSON

With \`--json\` every line of stdout is one JSON value. Logs go to stderr.

| command | lines |
| --- | --- |
| \`demo\` | \`{"step":…,"ok":…,"ms":…}\` per step, with a \`reason\` where it failed |
| \`server\` | \`{"event":"listening","url":…,"path":…,"protocol_version":…}\` |
| \`computer run\` | \`{"event":"server_state","server":…,"state":…,"tools":…,"reason":…,"failure":…,"since":…,"restarts":…,"exit_code":…,"signal":…,"stderr":…}\` without what does not apply, \`{"event":"login_url","server":…,"url":…}\`, \`{"event":"joined","office_id":…,"name":…}\`, \`{"event":"left",…}\`, \`{"event":"disconnected","reason":…}\`, \`{"event":"rejoin_failed","reason":…}\`, \`{"event":"tool_call","req_id":…,"agent":…,"server":…,"tool":…,"ok":…,"code":…,"outcome":…,"duration_ms":…}\` |
| \`computer login\`, \`logout\` | \`{"event":"login_url","server":…,"url":…}\`, \`{"event":"logged_in","server":…}\`; \`{"event":"logged_out","server":…}\` |
| \`doctor\` | \`{"check":…,"verdict":"ok"\\|"warn"\\|"fail"\\|"skipped","found":…,"todo":…}\` per finding, in the order of the table; \`todo\` where there is something to do |
| \`agent watch\` | \`{"event":…,"computer":…}\` with \`computer_joined\`, \`computer_left\`, \`tools_changed\`, \`config_changed\`, \`desktop_changed\`; also \`disconnected\`, \`rejoined\`, \`rejoin_failed\`, \`refused\` |
| \`agent wait\` | \`{"computer":…,"tools":N}\` |
| \`agent desktop --watch\` | \`{"desktops":[…]}\` at first and after each change |
| \`agent tools\` without a Computer | \`{"tools":[…]}\` with a \`computer\` in each |
| \`agent resources --all\` | one object with the resources of all pages |
| \`agent dpe --fetch\` | the content of the document |
| every other \`agent\` command | the answer as it came |

An error answer goes to stderr as one flat line, \`{"code":…,"message":…}\`. A \`call\` that ends in a timeout prints its
result on stdout. The states of an MCP server are in [configuration.md](configuration.md#states-of-a-server).`;

/** docs/cli.md, from the table of commands. */
export function cliReference(): Promise<string> {
  const exits = Object.entries(EXIT_CODES).map(([name, code]) => [
    String(code),
    EXIT_TEXTS[name as keyof typeof EXIT_CODES],
  ]);
  return markdown([
    '# The command line',
    GENERATED,
    '`a2c-server` is short for `a2c server`, `a2c-computer` for `a2c computer`. Results go to stdout, everything else to stderr.',
    '## Exit codes',
    table(['code', 'meaning'], exits),
    '## Everywhere',
    `${flagTable(COMMON_FLAGS)}\n\n\`--version\` prints the version, \`--help\` explains any command.`,
    LINES,
    '## Commands',
    table(
      ['command', 'what it does'],
      COMMANDS.map(({ path, summary }) => [`[\`a2c ${path}\`](commands/${pageName(path)})`, summary]),
    ),
  ]);
}

/** docs/protocol.md, from the table of events and the error codes. */
export function protocolReference(): Promise<string> {
  const calls = Object.entries(CALL_EVENTS).map(([event, { payload, answer }]) => [
    `\`${event}\``,
    fields(payload.shape),
    fields(answer.shape),
  ]);
  const commands = Object.entries(COMMAND_EVENTS).map(([event, row]) => [
    `\`${event}\``,
    row.from === 'both' ? 'both' : row.from === 'agent' ? 'Agent' : 'Computer',
    fields(row.payload.shape),
    row.ack,
    'notice' in row ? `\`${row.notice}\`` : '',
  ]);
  const notices = Object.keys(NOTICE_EVENTS).map((event) => [`\`${event}\``]);
  const codes = Object.entries(ErrorCode).map(([name, code]) => [String(code), name]);
  return markdown([
    '# Events and error codes',
    GENERATED,
    'The one table behind this page is `EVENTS` of `a2c-smcp`; schemas and types stand in the same row.',
    '## `client:*`: Agent → Server → one Computer → back',
    table(['event', 'request', 'answer'], calls),
    '## `server:*`: client → Server',
    'Acknowledgements: `outcome` is two arguments, `true, null` or `false, "reason"`; `answer` is an object; `none` is empty.',
    table(['event', 'from', 'payload', 'ack', 'tells the office'], commands),
    '## `notify:*`: Server → everyone in the office but the sender',
    table(['event'], notices),
    '## Error codes',
    'An error acknowledgement is one flat object: `{ code, message, … }`.',
    table(['code', 'name in `ErrorCode`'], codes),
  ]);
}

function fields(shape: Readonly<Record<string, unknown>>): string {
  return Object.entries(shape)
    .map(([name, schema]) => `\`${name}${(schema as { isOptional(): boolean }).isOptional() ? '?' : ''}\``)
    .join(', ');
}

function markdown(parts: readonly string[]): Promise<string> {
  return format(parts.join('\n\n'), { parser: 'markdown', printWidth: 120 });
}
