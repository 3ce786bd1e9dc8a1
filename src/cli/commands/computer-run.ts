import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Computer, ComputerOptions, ConfigWatcher } from '../../computer/index.js';
import { DEFAULT_PATH } from '../../protocol/index.js';
import { approval } from '../approval.js';
import { askInput } from '../ask-input.js';
import { defineCommand, type Invocation } from '../command.js';
import { DOCUMENTS_FLAGS, openDocuments } from '../documents-flag.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { UsageError } from '../failure.js';
import { choice, list, officeName, readToken, text, toggle, TOKEN_FLAGS } from '../flags.js';
import { followLogins } from '../follow-logins.js';
import { LOGIN_FLAGS, loginOptions } from '../login-flags.js';
import { keyboardOf } from '../keyboard.js';
import { reportComputer } from '../report-computer.js';
import { stayInOffice } from '../stay-in-office.js';
import { checked, toUsage } from '../to-usage.js';
import { untilAborted } from '../until-aborted.js';

const FLAGS = {
  config: list('FILE', 'a configuration file; later ones win'),
  name: officeName('NAME', 'the name of this Computer; the host name by default'),
  server: text('URL', 'where the Server is; without it the Computer only hosts', { env: 'A2C_SERVER' }),
  office: officeName('ID', 'the office to join', { env: 'A2C_OFFICE' }),
  ...TOKEN_FLAGS,
  path: text('PATH', 'the HTTP path of Socket.IO', { fallback: DEFAULT_PATH }),
  retry: toggle('keep trying when the Server cannot be reached at first'),
  approve: choice(['ask', 'always', 'never'], 'what happens to a call of a tool without auto_apply', {
    fallback: 'ask',
  }),
  login: toggle('open a browser for an MCP server that needs a login'),
  ...LOGIN_FLAGS,
  validateArguments: toggle('check the arguments of calls against the schemas of the tools'),
  root: list('PATH', 'a folder or file that MCP servers are told of as theirs'),
  headless: toggle('never ask; the default when stdin is not a terminal'),
  ...DOCUMENTS_FLAGS,
  json: toggle('print what happens as lines of JSON'),
} as const;

/** `a2c computer run` */
export const computerRunCommand = defineCommand({
  path: 'computer run',
  summary: 'Host MCP servers and serve their tools to an office until stopped',
  args: [{ name: 'CONFIG', help: 'a configuration file', optional: true }],
  flags: FLAGS,
  examples: [
    'a2c computer run mcp.json --server http://127.0.0.1:8000 --office demo',
    'a2c computer run --config base.json --config mine.json --approve always --documents file',
    'a2c computer run mcp.json --office demo --documents "s3:my-bucket/documents?region=eu-central-1"',
  ],
  run: async (invocation) => {
    const { flags, terminal, signal } = invocation;
    const { Computer, ConfigWatcher } = await import('../../computer/index.js');
    await using documents = await openDocuments(flags);
    await using files = new ConfigWatcher(configFiles(invocation), { logger: invocation.logger });
    const settings = {
      ...options(invocation),
      ...(await loginOptions(flags)),
      config: await files.start(),
      ...(documents && { documents }),
    };
    await using computer = checked(() => new Computer(settings));
    reportComputer(computer, { terminal, json: flags.json });
    followLogins(computer, { ...flags, terminal, signal });
    follow(files, computer, invocation);
    computer.start();
    if (flags.server === undefined) terminal.note('no --server: hosting only');
    else return await serve(computer, invocation);
    await untilAborted(signal);
    return EXIT_CODES.ok;
  },
});

function configFiles({ args, flags }: Invocation<typeof FLAGS>): string[] {
  return [...(args[0] === undefined ? [] : [args[0]]), ...flags.config];
}

/** Takes what changes in the files while the Computer runs. */
function follow(files: ConfigWatcher, computer: Computer, { terminal, signal }: Invocation<typeof FLAGS>): void {
  files.on('changed', (config) => {
    computer.setConfig(config).catch((error: unknown) => {
      // What is closing takes no other configuration.
      if (!signal.aborted) terminal.error((error as Error).message);
    });
  });
  files.on('problem', ({ message }) => {
    terminal.note(`${message}; the last configuration stays in force`);
  });
}

function options(invocation: Invocation<typeof FLAGS>): ComputerOptions {
  const { flags, logger, terminal } = invocation;
  if (configFiles(invocation).length === 0) terminal.note('no configuration: this Computer hosts no MCP server');
  if (flags.server !== undefined && flags.office === undefined) {
    throw new UsageError('--office is missing: give it, or set A2C_OFFICE');
  }
  const token = readToken(flags);
  const keyboard = keyboardOf(flags, terminal);
  const confirm = approval(flags.approve, keyboard);
  return {
    name: flags.name ?? hostname(),
    logger,
    path: flags.path,
    retryFirstConnect: flags.retry,
    roots: flags.root.map(existing),
    validateArguments: flags.validateArguments,
    ...(flags.server === undefined ? {} : { url: flags.server }),
    ...(token === undefined ? {} : { token }),
    ...(confirm === undefined ? {} : { confirm }),
    ...(keyboard === undefined ? {} : { prompt: askInput(keyboard) }),
  };
}

function existing(root: string): string {
  if (!/^(file:|~)/i.test(root) && !existsSync(root)) throw new UsageError(`--root: there is no ${root}`);
  return root;
}

async function serve(computer: Computer, { flags, signal }: Invocation<typeof FLAGS>): Promise<ExitCode> {
  const office = flags.office ?? '';
  try {
    await computer.connect({ signal });
    await computer.joinOffice(office);
  } catch (error) {
    throw toUsage(error);
  }
  await stayInOffice(computer, office, { signal });
  await computer.leaveOffice();
  return EXIT_CODES.ok;
}
