import type { Computer } from '../../computer/index.js';
import { askInput } from '../owner/ask-input.js';
import type { Invocation } from '../command.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { UsageError } from '../failure.js';
import { keyboardOf } from '../terminal/keyboard.js';
import { loginOptions } from '../flags/login-flags.js';
import { networkOptions } from '../flags/network-flags.js';
import { checked } from '../to-usage.js';
import type { COMPUTER_LOGIN_FLAGS, COMPUTER_LOGOUT_FLAGS } from '../flags/computer-flags.js';

/** Runs something with a Computer that has the configuration but starts nothing. */
async function withServer(
  {
    args,
    flags,
    logger,
    terminal,
  }: Pick<Invocation<typeof COMPUTER_LOGOUT_FLAGS>, 'args' | 'flags' | 'logger' | 'terminal'>,
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
export async function runLogin(invocation: Invocation<typeof COMPUTER_LOGIN_FLAGS>): Promise<ExitCode> {
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
}

/** `a2c computer logout` */
export async function runLogout(invocation: Invocation<typeof COMPUTER_LOGOUT_FLAGS>): Promise<ExitCode> {
  await withServer(invocation, async (computer, server) => {
    await computer.logout(server);
    if (invocation.flags.json) invocation.terminal.json({ event: 'logged_out', server });
    else invocation.terminal.line(`logged out at "${server}"`);
  });
  return EXIT_CODES.ok;
}
