import type { Computer } from '../../computer/index.js';
import type { Terminal } from '../terminal/terminal.js';

/** A server that wants one login after the other is not to open one page after the other, in ms. */
const BETWEEN_LOGINS_MS = 300_000;

/** What a command that lets a Computer run knows of logins. */
interface LoginPolicy {
  /** Whether a browser is opened. */
  readonly login: boolean;
  readonly json: boolean;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Begins a login where a server needs one, or says how to. */
export function followLogins(computer: Computer, { login, json, terminal, signal }: LoginPolicy): void {
  const begun = new Map<string, number>();
  const begin = (server: string): void => {
    if (Date.now() - (begun.get(server) ?? 0) < BETWEEN_LOGINS_MS) return;
    begun.set(server, Date.now());
    const onUrl = (url: string): void => {
      if (json) terminal.json({ event: 'login_url', server, url });
      else terminal.note(`${server} needs a login: opening ${url}`);
    };
    computer.login(server, { signal, onUrl }).catch((error: unknown) => {
      if (!signal.aborted) terminal.error(`${server}: ${error instanceof Error ? error.message : String(error)}`);
    });
  };
  computer.on('serverState', ({ server, state }) => {
    if (state !== 'needs-login' || !computer.canLogin(server)) return;
    if (login) begin(server);
    else terminal.note(`${server} needs a login: a2c computer login ${wordOf(server)}, or start with --login`);
  });
}

function wordOf(name: string): string {
  return /^[\w.@/-]+$/.test(name) ? name : JSON.stringify(name);
}
