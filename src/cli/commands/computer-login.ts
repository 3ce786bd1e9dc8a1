import type { Computer } from '../../computer/index.js';
import { askInput } from '../ask-input.js';
import { defineCommand, type Invocation } from '../command.js';
import { EXIT_CODES } from '../exit-codes.js';
import { UsageError } from '../failure.js';
import { list, toggle, wholeNumber } from '../flags.js';
import { keyboardOf } from '../keyboard.js';
import { LOGIN_FLAGS, loginOptions } from '../login-flags.js';
import { NETWORK_FLAGS, networkOptions } from '../network-flags.js';
import { checked } from '../to-usage.js';

const ARGS = [
  { name: 'SERVER', help: 'the name of the MCP server in the configuration' },
  { name: 'CONFIG', help: 'a configuration file', optional: true },
] as const;

const FLAGS = {
  config: list('FILE', 'a configuration file; later ones win'),
  ...LOGIN_FLAGS,
  proxy: NETWORK_FLAGS.proxy,
  ca: NETWORK_FLAGS.ca,
  json: toggle('print what happens as lines of JSON'),
} as const;

/** Runs something with a Computer that has the configuration but starts nothing. */
async function withServer(
  { args, flags, logger, terminal }: Pick<Invocation<typeof FLAGS>, 'args' | 'flags' | 'logger' | 'terminal'>,
  act: (computer: Computer, server: string) => Promise<void>,
): Promise<void> {
  const { Computer, readConfigFiles } = await import('../../computer/index.js');
  const [server = '', file] = args;
  const config = await readConfigFiles([...(file === undefined ? [] : [file]), ...flags.config]);
  if (!config.servers.has(server)) {
    const known = [...config.servers.keys()].join(', ');
    throw new UsageError(`no MCP server is named "${server}" in the configuration; there is ${known || 'none'}`);
  }
  const keyboard = keyboardOf({ headless: false }, terminal);
  const settings = {
    config: { ...config, servers: disabled(config.servers) },
    logger,
    ...networkOptions({ ...flags, cert: undefined, key: undefined }),
    ...(await loginOptions(flags)),
    ...(keyboard === undefined ? {} : { prompt: askInput(keyboard) }),
  };
  await using computer = checked(() => new Computer(settings));
  computer.start();
  await act(computer, server);
}

/** A login needs the configuration of a server, not the server. */
function disabled<S extends { readonly config: object }>(servers: ReadonlyMap<string, S>): ReadonlyMap<string, S> {
  return new Map(
    [...servers].map(([name, server]) => [name, { ...server, config: { ...server.config, disabled: true } }]),
  );
}

/** `a2c computer login` */
export const computerLoginCommand = defineCommand({
  path: 'computer login',
  summary: 'Log in at a protected MCP server, in a browser on this machine',
  args: ARGS,
  flags: {
    ...FLAGS,
    timeout: wholeNumber('SECONDS', 'how long the login may take', { min: 1, max: 3_600, fallback: 300 }),
  },
  examples: ['a2c computer login notion mcp.json', 'BROWSER=firefox a2c computer login notion --config mcp.json'],
  run: async (invocation) => {
    const { flags, terminal, signal } = invocation;
    await withServer(invocation, async (computer, server) => {
      const onUrl = (url: string): void => {
        if (flags.json) terminal.json({ event: 'login_url', server, url });
        else terminal.note(`opening ${url}`);
      };
      await computer.login(server, { signal, onUrl, timeoutMs: flags.timeout * 1_000 });
      if (flags.json) terminal.json({ event: 'logged_in', server });
      else terminal.line(`logged in at "${server}"; a Computer that runs takes it up by itself`);
    });
    return EXIT_CODES.ok;
  },
});

/** `a2c computer logout` */
export const computerLogoutCommand = defineCommand({
  path: 'computer logout',
  summary: 'Forget the login at an MCP server',
  args: ARGS,
  flags: FLAGS,
  examples: ['a2c computer logout notion mcp.json'],
  run: async (invocation) => {
    await withServer(invocation, async (computer, server) => {
      await computer.logout(server);
      if (invocation.flags.json) invocation.terminal.json({ event: 'logged_out', server });
      else invocation.terminal.line(`logged out at "${server}"`);
    });
    return EXIT_CODES.ok;
  },
});
