import { CommandError, UsageError } from '../failure.js';
import { readToken, text } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import { inShellWords } from './why-not-in-office.js';
import { define } from './computer-context.js';
import { printFields } from '../terminal/show.js';

const connect = define({
  path: 'socket connect',
  summary: 'Connect to the Server, and join the office that was wanted',
  args: [
    { name: 'URL', help: 'where the Server is; the one of --server when left out', optional: true, completes: ['url'] },
  ],
  flags: {
    token: text('TOKEN', 'the token that the Server asks for; better: --token-file'),
    tokenFile: text('FILE', 'read the token from a file'),
  },
  examples: ['socket connect', 'socket connect http://127.0.0.1:8000 --token-file token.txt'],
  secret: true,
  run: async ({ context: { office }, args: [url], flags, signal, show }) => {
    // A file that cannot be read must not become a connection without credentials.
    const token = readToken(flags);
    if (token === '') throw new UsageError('--token: expected a token');
    try {
      await office.connect(
        { ...(url === undefined ? {} : { url }), ...(token === undefined ? {} : { token }) },
        signal,
      );
    } catch (error) {
      throw inShellWords(error);
    }
    show({ connected: true, url: office.url, office: office.wanted ?? null }, (terminal) => {
      terminal.line(
        printable(
          `connected to ${office.url ?? ''}${office.wanted === undefined ? '; socket join OFFICE joins an office' : ''}`,
        ),
      );
    });
  },
});

const disconnect = define({
  path: 'socket disconnect',
  summary: 'Leave the office and end the connection; the MCP servers go on',
  args: [],
  flags: {},
  examples: ['socket disconnect'],
  run: async ({ context: { office }, show }) => {
    await office.disconnect();
    show({ connected: false }, (terminal) => {
      terminal.line('disconnected');
    });
  },
});

const join = define({
  path: 'socket join',
  summary: 'Join an office, leaving the one before',
  args: [
    { name: 'OFFICE', help: 'the id of the office' },
    { name: 'NAME', help: 'the name of this Computer there; its own when left out', optional: true },
  ],
  flags: {},
  examples: ['socket join demo', 'socket join demo "my laptop"'],
  run: async ({ context: { computer, office }, args: [id = '', name], show }) => {
    if (!computer.connected) throw new CommandError('there is no connection to a Server yet: socket connect first');
    try {
      await office.join(id, name);
    } catch (error) {
      throw inShellWords(error);
    }
    show({ office: id, name: computer.name }, () => undefined);
  },
});

const leave = define({
  path: 'socket leave',
  summary: 'Leave the office; the connection stays',
  args: [],
  flags: {},
  examples: ['socket leave'],
  run: async ({ context: { computer, office }, show }) => {
    if (computer.membership === undefined && office.wanted === undefined)
      throw new CommandError('this Computer is in no office');
    await office.leave();
    show({ office: null }, () => undefined);
  },
});

const status = define({
  path: 'socket status',
  summary: 'Show the connection and the office',
  args: [],
  flags: {},
  examples: ['socket status'],
  run: ({ context: { computer, office }, show }) => {
    const { connected, membership } = computer;
    const value = { url: office.url ?? null, connected, office: membership?.officeId ?? null, name: computer.name };
    show(value, (terminal) => {
      printFields(terminal, [
        ['server', office.url ?? 'none: socket connect URL'],
        ['connected', connected ? 'yes' : 'no'],
        ['office', membership?.officeId ?? 'none'],
        ['name', computer.name],
      ]);
    });
  },
});

const notify = define({
  path: 'notify update',
  summary: 'Tell the office that configuration and tools may be others now',
  args: [],
  flags: {},
  examples: ['notify update'],
  run: ({ context: { computer }, show }) => {
    if (!computer.notifyUpdate()) throw new CommandError('this Computer is in no office: nobody can be told');
    show({ notified: true }, (terminal) => {
      terminal.line('the office was told');
    });
  },
});

/** What an owner does with the connection to the Server. */
export const CONNECTION_COMMANDS = [connect, disconnect, join, leave, status, notify];
