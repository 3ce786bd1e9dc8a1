import { readToken } from '../flags/flags.js';
import { CommandError, UsageError } from '../failure.js';
import type { Invocation } from '../command.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { PROTOCOL_VERSION } from '../../protocol/index.js';
import { checked } from '../to-usage.js';
import { untilAborted } from '../until-aborted.js';
import type { SERVER_FLAGS } from '../flags/setup-flags.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** `a2c server` */
export async function runServer({
  flags,
  terminal,
  logger,
  signal,
}: Invocation<typeof SERVER_FLAGS>): Promise<ExitCode> {
  const token = readToken(flags);
  if (flags.host === '') throw new UsageError('--host: expected an address, such as 127.0.0.1');
  if (token === undefined && !flags.insecure && !LOOPBACK.test(flags.host)) {
    throw new UsageError(
      `--host ${flags.host} is reachable from other machines: give a --token or --token-file, or say --insecure`,
    );
  }
  const { Server } = await import('../../server/index.js');
  const settings = {
    path: flags.path,
    logger,
    ...(token === undefined ? {} : { token }),
    ...(flags.corsOrigin.length === 0 ? {} : { corsOrigins: flags.corsOrigin }),
  };
  await using server = checked(() => new Server(settings));
  const { url } = await server.listen(flags.port, flags.host).catch((error: unknown) => {
    throw new CommandError((error as Error).message);
  });
  if (flags.json) {
    terminal.json({ event: 'listening', url, path: flags.path, protocol_version: PROTOCOL_VERSION });
  } else {
    terminal.line(`A2C-SMCP Server ${terminal.style('bold', url)} (protocol ${PROTOCOL_VERSION})`);
    if (terminal.interactive) {
      terminal.note(terminal.style('dim', `  a2c computer run mcp.json --server ${url} --office demo`));
      terminal.note(terminal.style('dim', `  a2c agent tools --server ${url} --office demo`));
      terminal.note(terminal.style('dim', 'Ctrl-C stops it.'));
    }
  }
  await untilAborted(signal);
  return EXIT_CODES.ok;
}
