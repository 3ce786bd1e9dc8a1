import { setMaxListeners } from 'node:events';
import { linkedSignal, reasonOf, TypedEvents, type NetworkSettings } from '../../client/index.js';
import type { Logger, McpServerConfig } from '../../protocol/index.js';
import type { Authorizer } from '../mcp/authorizer.js';
import { readTarget } from '../mcp/http-target.js';
import { ServerStartError } from '../mcp/mcp-errors.js';
import type { Redactor } from '../redactor.js';
import { Credential, credentialKey } from './credential.js';
import { LoginError } from './login-error.js';
import { readOAuth } from './oauth-settings.js';
import { runLogin, type LoginOptions } from './run-login.js';
import type { StopWatching, TokenStore } from './token-store.js';

/** What happens to logins. */
export interface LoginsEvents {
  /** There is another token now, made here or by another process, for everyone with this credential. */
  renewed: [credential: Credential];
}

/** What {@link Logins} work with. */
export interface LoginsOptions {
  readonly store: TokenStore;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Proxies, and authorities to trust; absent: neither. */
  readonly network?: NetworkSettings | undefined;
}

/** The logins of one Computer at its MCP servers. */
export class Logins {
  readonly events: TypedEvents<LoginsEvents>;
  readonly #options: LoginsOptions;
  readonly #credentials = new Map<string, Credential>();
  /** The credential of each server, as it was started last. */
  readonly #byServer = new Map<string, Credential>();
  /** Logins under way, by key: a second one joins the first. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  #stopWatching: StopWatching | undefined;

  constructor(options: LoginsOptions) {
    const { logger } = options;
    this.#options = options;
    // Every refresh and login under way listens to it.
    setMaxListeners(0, this.#closing.signal);
    this.events = new TypedEvents((error, event) => {
      logger.error({ event, problem: String(error) }, 'A listener of the logins failed');
    });
  }

  /** The login for a server, by its rendered configuration; `undefined` where it brings its own credentials. */
  authorizerOf(config: McpServerConfig): Authorizer | undefined {
    const found = this.#find(config);
    if (found instanceof LoginError) {
      this.#byServer.delete(config.name);
      return undefined;
    }
    this.#byServer.set(config.name, found);
    this.#stopWatching ??= this.#options.store.watch?.(() => void this.#reloadAll());
    return found;
  }

  /** Whether a login would help a server, as it was started last. */
  isPossible(server: string): boolean {
    return this.#byServer.has(server);
  }

  /** Whether a server was started last with this credential. */
  uses(server: string, credential: Credential): boolean {
    return this.#byServer.get(server) === credential;
  }

  /**
   * Logs in at a server, by its rendered configuration. A second call while a login there is under way joins it.
   *
   * @throws LoginError; the signal's reason.
   */
  async login(config: McpServerConfig, options: LoginOptions): Promise<void> {
    const credential = this.#find(config);
    if (credential instanceof LoginError) throw credential;
    const running = this.#running.get(credential.key) ?? this.#begin(credential, options);
    await running;
  }

  /** Forgets the login at a server. @throws LoginError `not-possible`. */
  async logout(config: McpServerConfig): Promise<void> {
    const credential = this.#find(config);
    if (credential instanceof LoginError) throw credential;
    await credential.keep(undefined);
  }

  /** Ends what is under way, and waits for that. */
  async close(): Promise<void> {
    this.#closing.abort(new LoginError('cancelled', 'The Computer is closing'));
    this.#stopWatching?.();
    await Promise.allSettled(this.#running.values());
  }

  #begin(credential: Credential, options: LoginOptions): Promise<void> {
    const { signal } = this.#closing;
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    const both = linkedSignal([options.signal, signal]);
    const running = runLogin(credential, { ...options, signal: both.signal })
      .then(() => {
        this.events.emit('renewed', credential);
      })
      .finally(() => {
        both.release();
        this.#running.delete(credential.key);
      });
    this.#running.set(credential.key, running);
    return running;
  }

  async #reloadAll(): Promise<void> {
    for (const credential of this.#credentials.values()) {
      if (await credential.reload()) this.events.emit('renewed', credential);
    }
  }

  #find(config: McpServerConfig): Credential | LoginError {
    const problem = whyNot(config);
    if (problem !== undefined) return new LoginError('not-possible', `MCP server "${config.name}" ${problem}`);
    const read = readOAuth(config.server_parameters);
    if ('wrong' in read) {
      const field = ['oauth', ...read.wrong.path].join('.');
      throw new ServerStartError('bad-config', `${read.wrong.problem} (${field})`);
    }
    const { settings } = read;
    if (settings === false) {
      return new LoginError('not-possible', `MCP server "${config.name}" has "oauth": false in its configuration`);
    }
    const server = serverOf(config);
    const key = credentialKey(server, settings);
    const known = this.#credentials.get(key);
    // Other settings count at once; the login itself is the same.
    if (known !== undefined && JSON.stringify(known.options.settings) === JSON.stringify(settings)) return known;
    const credential = new Credential({ ...this.#options, server, settings, signal: this.#closing.signal });
    this.#credentials.set(key, credential);
    return credential;
  }
}

function whyNot(config: McpServerConfig): string | undefined {
  if (config.type === 'stdio') return 'is a program on this machine: it has no login';
  const { headers } = readTarget(config.server_parameters);
  return headers.has('authorization')
    ? 'has credentials of its own in its configuration (headers.Authorization, or in the url); remove them to log in'
    : undefined;
}

/** Without query and fragment: they may hold secrets, and are no part of what a login is for. */
function serverOf(config: McpServerConfig): URL {
  const url = new URL(config.type === 'stdio' ? '' : config.server_parameters.url);
  url.search = '';
  url.hash = '';
  return url;
}
