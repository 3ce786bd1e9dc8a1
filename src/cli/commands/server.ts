import { readToken, list, text, toggle, TOKEN_FLAGS, wholeNumber } from '../flags.js';
import { CommandError, UsageError } from '../failure.js';
import { defineCommand } from '../command.js';
import { EXIT_CODES } from '../exit-codes.js';
import { DEFAULT_PATH, PROTOCOL_VERSION } from '../../protocol/index.js';
import { checked } from '../to-usage.js';
import { untilAborted } from '../until-aborted.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** `a2c server` */
export const serverCommand = defineCommand({
  path: 'server',
  summary: 'Run the Server: the hub where Agents and Computers meet',
  args: [],
  flags: {
    host: text('ADDRESS', 'the address to listen on', { fallback: '127.0.0.1' }),
    port: wholeNumber('PORT', 'the port to listen on; 0 takes a free one', { min: 0, max: 65_535, fallback: 8000 }),
    path: text('PATH', 'the HTTP path of Socket.IO', { fallback: DEFAULT_PATH }),
    ...TOKEN_FLAGS,
    corsOrigin: list('ORIGIN', 'let pages of this origin connect'),
    insecure: toggle('listen beyond loopback without a token'),
    json: toggle('print what happens as lines of JSON'),
  },
  examples: ['a2c server', 'a2c server --host 0.0.0.0 --port 443 --token-file token.txt'],
  run: async ({ flags, terminal, logger, signal }) => {
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
  },
});
