import { abortable } from '../client/index.js';
import type { McpServerConfig } from '../protocol/index.js';
import type { Credential } from './login/credential.js';
import { openSystemBrowser, type Logins, type LoginOptions } from './login/index.js';
import { ServerNotFoundError, type McpServerManager, type ServerState } from './mcp/index.js';

/** How to log in at an MCP server. */
export interface ServerLoginOptions extends Omit<LoginOptions, 'openBrowser'> {
  /** Opens the page of the authorization server. @default the Computer's own `openBrowser` */
  readonly openBrowser?: LoginOptions['openBrowser'] | undefined;
}

/** What {@link ServerLogins} work with. */
export interface ServerLoginsOptions {
  readonly logins: Logins;
  readonly manager: McpServerManager;
  /** Fills in the inputs of a configuration. */
  readonly render: (config: McpServerConfig) => Promise<McpServerConfig>;
  readonly openBrowser: LoginOptions['openBrowser'] | undefined;
}

/** States in which a new login changes nothing at once. */
const NOT_WANTED: readonly (ServerState | undefined)[] = ['stopped', 'disabled', undefined];

/** Logs in at the MCP servers, and lets those run that waited for it. */
export class ServerLogins {
  readonly #options: ServerLoginsOptions;

  constructor(options: ServerLoginsOptions) {
    this.#options = options;
    options.logins.events.on('renewed', (credential) => {
      this.#restartWaiting(credential);
    });
  }

  /** Whether a login may help a server that wants one: it was started, and brings no credentials of its own. */
  canLogin(name: string): boolean {
    return this.#options.logins.isPossible(name);
  }

  /**
   * Logs in at a server, and starts it anew unless it is stopped or disabled.
   *
   * @throws ServerNotFoundError; InputError; LoginError; ServerStartError when it does not start even so.
   */
  async login(name: string, options: ServerLoginOptions): Promise<void> {
    const { logins, manager, openBrowser = openSystemBrowser } = this.#options;
    const config = await abortable(this.#rendered(name), options.signal);
    await logins.login(config, { ...options, openBrowser: options.openBrowser ?? openBrowser });
    const state = manager.states().get(name)?.state;
    if (NOT_WANTED.includes(state)) return;
    // One that waited for the login is being started already.
    await (state === 'starting' ? manager.start(name) : manager.restart(name));
  }

  /** Forgets the login at a server; it runs no more without. Throws as {@link ServerLogins.login}. */
  async logout(name: string): Promise<void> {
    const { logins, manager } = this.#options;
    await logins.logout(await this.#rendered(name));
    // It will not start without a login, which is as it should be.
    if (!NOT_WANTED.includes(manager.states().get(name)?.state)) await manager.restart(name).catch(() => undefined);
  }

  async #rendered(name: string): Promise<McpServerConfig> {
    const { manager, render } = this.#options;
    const config = manager.configs().find((one) => one.name === name);
    if (config === undefined) throw new ServerNotFoundError(name);
    return render(config);
  }

  #restartWaiting(credential: Credential): void {
    const { logins, manager } = this.#options;
    for (const [name, { state }] of manager.states()) {
      if (!logins.uses(name, credential)) continue;
      const waits = state === 'needs-login' || (state === 'degraded' && manager.client(name).health.has('login'));
      if (waits) void manager.restart(name).catch(() => undefined);
    }
  }
}
