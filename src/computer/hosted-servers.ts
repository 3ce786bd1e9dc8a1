import { isDeepStrictEqual } from 'node:util';
import { networkSettings, TypedEvents } from '../client/index.js';
import {
  PROTOCOL_VERSION,
  type CallToolResult,
  type McpServerConfig,
  type SmcpTool,
  type ToolMeta,
} from '../protocol/index.js';
import type { FinishedCall } from './calls/tool-calls.js';
import type { ServerLogLine } from './computer-events.js';
import { serverRequestsOf, type ComputerOptions } from './computer-options.js';
import { ConfigError } from './config/config-error.js';
import { withEnvFile } from './config/env-file.js';
import { fieldPath } from './config/field-path.js';
import { secretsOf } from './config/mask-config.js';
import { withToolMeta } from './config/set-tool-meta.js';
import { EMPTY_CONFIG, type ComputerConfig } from './config/parse-config.js';
import type { ConfiguredServer } from './config/read-server.js';
import { messageOf, type Diagnostic } from './hosting.js';
import { Logins, MemoryTokenStore } from './login/index.js';
import { isUp, McpServerManager, ServerNotFoundError, type ServerStatus } from './mcp/index.js';
import { ServerInputs } from './server-inputs.js';
import { ServerLogins } from './server-logins.js';
import type { Shared } from './shared.js';
import { transformResult, VrlError, VrlRunner } from './vrl/index.js';

/** What happens to the hosted servers. */
export interface HostedServersEvents {
  serverState: [server: string, status: ServerStatus];
  /** A server has begun to run. */
  started: [server: string];
  /** A server that ran runs no more. */
  stopped: [server: string];
  /** A server is not in the configuration any more. */
  removed: [server: string];
  toolsChanged: [];
  configChanged: [];
  resourcesChanged: [server: string];
  resourceUpdated: [server: string, uri: string];
  serverLog: [line: ServerLogLine];
  diagnostic: [diagnostic: Diagnostic];
}

/**
 * The MCP servers of one Computer with their configuration: fills in inputs at each start, teaches the redactor every
 * secret, and tells what changed.
 */
export class HostedServers {
  readonly events: TypedEvents<HostedServersEvents>;
  readonly manager: McpServerManager;
  readonly logins: ServerLogins;
  readonly inputs: ServerInputs;
  readonly #shared: Shared;
  readonly #logins: Logins;
  readonly #runner = new VrlRunner();
  /** Each server as it was learnt last. */
  readonly #learned = new Map<string, ConfiguredServer>();
  /** The servers that have a session. */
  readonly #running = new Set<string>();
  #config: ComputerConfig = EMPTY_CONFIG;

  constructor(shared: Shared, options: ComputerOptions) {
    const { redactor, logger } = shared;
    this.#shared = shared;
    this.events = new TypedEvents((error, event) => {
      logger.error({ event, problem: String(error) }, 'A listener of the hosted servers failed');
    });
    const { tokenStore: store = new MemoryTokenStore() } = options;
    const network = networkSettings(options);
    const logins = new Logins({ store, redactor, logger, network });
    this.#logins = logins;
    this.manager = new McpServerManager({
      ...options.hosting,
      ...serverRequestsOf(options),
      clientInfo: { name: 'a2c-smcp', version: PROTOCOL_VERSION },
      logger,
      redact: (text) => redactor.redact(text),
      render: (config) => this.inputs.whileStarting(config.name, (signal) => this.#render(config, signal)),
      network,
      authorizerOf: (config) => logins.authorizerOf(config),
    });
    this.logins = new ServerLogins({
      logins,
      manager: this.manager,
      render: (config) => this.#render(config),
      openBrowser: options.openBrowser,
    });
    const { prompt, commandTimeoutMs } = options;
    this.inputs = new ServerInputs({
      shared,
      prompt,
      commandTimeoutMs,
      manager: this.manager,
      onDefinitions: () => {
        this.events.emit('configChanged');
      },
      report: (diagnostic) => {
        this.report(diagnostic);
      },
    });
    this.#listen();
  }

  /** The unresolved configurations, in order. */
  get configs(): readonly McpServerConfig[] {
    return this.manager.configs();
  }

  /** The configuration as it is now, with everything that was changed since it was given. */
  get config(): ComputerConfig {
    const servers = this.manager.hosted().map((server): [string, ConfiguredServer] => {
      const { sseFallback = false, roots } = server;
      const warnings = this.#learned.get(server.config.name)?.warnings ?? [];
      return [server.config.name, { config: server.config, sseFallback, warnings, ...(roots && { roots }) }];
    });
    return { inputs: this.inputs.definitions, servers: new Map(servers) };
  }

  /** The listed tools, as they go over the wire. */
  get tools(): readonly SmcpTool[] {
    return this.manager.tools();
  }

  /**
   * Makes this the configuration: starts what is new, ends what is gone, restarts only what changed or uses an input
   * that did.
   *
   * @returns when every start has come to an outcome; failed starts do not reject, their state tells.
   */
  async setConfig(config: ComputerConfig): Promise<void> {
    const before = this.manager.serverNames();
    const known = this.#config;
    this.#config = config;
    this.#reportWarnings(config, known);
    const inputs = this.inputs.define(config.inputs);
    for (const [name, server] of config.servers) {
      // A server that stays as it is has told of its faults before.
      if (!isDeepStrictEqual(server, this.#learned.get(name))) this.#learn(server);
    }
    const states = this.manager.states();
    const setting = this.manager.setServers([...config.servers.values()]);
    const restarting = this.inputs.restartUsers(inputs, states);
    for (const server of before) if (!config.servers.has(server)) this.#forget(server);
    this.events.emit('configChanged');
    await Promise.all([setting, restarting]);
  }

  /**
   * Adds a server at the end and starts it. It stays in the configuration when its start fails.
   *
   * @throws ConfigError when the name is taken; ServerStartError.
   */
  async add(server: ConfiguredServer): Promise<void> {
    const { name } = server.config;
    if (this.manager.serverNames().includes(name)) {
      throw new ConfigError('there is a server of this name already', { field: fieldPath('servers', name) });
    }
    this.#learn(server);
    await this.#changing(this.manager.add(server));
  }

  /**
   * Gives a server another configuration, and restarts it if that changes more than its tools.
   *
   * @throws ServerNotFoundError.
   */
  async update(server: ConfiguredServer): Promise<void> {
    this.#assertConfigured(server.config.name);
    this.#learn(server);
    await this.#changing(this.manager.update(server));
  }

  /**
   * Merges fields into what is configured for one tool, by its own name; null takes a field out. Restarts nothing.
   *
   * @throws ServerNotFoundError; ConfigError naming the field.
   */
  async setToolMeta(name: string, tool: string, patch: ToolMeta): Promise<void> {
    const host = this.manager.hosted().find(({ config }) => config.name === name);
    if (host === undefined) throw new ServerNotFoundError(name);
    const server = { ...host, config: withToolMeta(host.config, tool, patch) };
    const known = this.#learned.get(name);
    if (known !== undefined) this.#learned.set(name, { ...known, config: server.config });
    await this.#changing(this.manager.update(server));
  }

  /** Removes a server and waits until nothing of it is left. @throws ServerNotFoundError. */
  async remove(name: string): Promise<void> {
    this.#assertConfigured(name);
    const removing = this.manager.remove(name);
    this.#forget(name);
    await this.#changing(removing);
  }

  /** Takes `disabled` off and starts the server. @throws ServerNotFoundError, ServerStartError. */
  async enable(name: string): Promise<void> {
    this.#assertConfigured(name);
    await this.#changing(this.manager.enable(name));
  }

  /** Sets `disabled` and stops the server. @throws ServerNotFoundError. */
  async disable(name: string): Promise<void> {
    this.#assertConfigured(name);
    await this.#changing(this.manager.disable(name));
  }

  /** What runs the script of a server on its results; `undefined` where there is none. Protocol §7.4. */
  transformOf(server: string): ((call: FinishedCall) => Promise<CallToolResult>) | undefined {
    const source = this.#learned.get(server)?.config.vrl;
    if (!isScript(source)) return undefined;
    const { logger } = this.#shared;
    return (call) => transformResult({ ...call, runner: this.#runner, source, server, logger });
  }

  /** Logs and passes on something that a user can mend, without secrets. */
  report(diagnostic: Diagnostic): void {
    const shown = this.#shared.redactor.redactValue(diagnostic) as Diagnostic;
    this.#shared.logger.warn(shown, 'Something about an MCP server is to be mended');
    this.events.emit('diagnostic', shown);
  }

  /** Stops every server and waits until nothing of them is left. */
  async close(): Promise<void> {
    this.inputs.close();
    await Promise.all([this.#logins.close(), this.manager.close(), this.#runner.close()]);
  }

  /** The change counts from its first moment: an Agent that asks meanwhile sees the new configuration. */
  async #changing(change: Promise<void>): Promise<void> {
    this.events.emit('configChanged');
    await change;
  }

  /** What is said about the whole document; what is said about a server comes with it. */
  #reportWarnings({ warnings = [] }: ComputerConfig, known: ComputerConfig): void {
    for (const warning of warnings) {
      const isNew = known.warnings?.some((other) => isDeepStrictEqual(other, warning)) !== true;
      if (warning.server === undefined && isNew) this.report({ item: warning.field, problem: warning.problem });
    }
  }

  #assertConfigured(name: string): void {
    if (!this.manager.serverNames().includes(name)) throw new ServerNotFoundError(name);
  }

  async #render(config: McpServerConfig, signal?: AbortSignal): Promise<McpServerConfig> {
    await this.#checkScript(config);
    const rendered = await withEnvFile(await this.inputs.render(config, signal));
    this.inputs.environment.addSecrets(secretsOf(rendered));
    return rendered;
  }

  #learn(server: ConfiguredServer): void {
    const { config, warnings } = server;
    this.#learned.set(config.name, server);
    for (const secret of secretsOf(config)) this.#shared.redactor.add(secret);
    for (const problem of warnings) this.report({ server: config.name, problem });
    // A server that is not started now has no other occasion to tell of its script.
    if (config.disabled) void this.#checkScript(config).catch(() => undefined);
  }

  /**
   * Checks the script of a server and reports what is wrong with it. Protocol §7.4.
   *
   * @throws VrlError when it does not compile or cannot be run: that server is not started.
   */
  async #checkScript({ name, vrl }: McpServerConfig): Promise<void> {
    if (!isScript(vrl)) return;
    const tell = (problem: string): void => {
      this.report({ server: name, item: 'vrl', problem });
    };
    try {
      for (const { line, column, message } of await this.#runner.assertCompiles(vrl)) {
        tell(`line ${line}, column ${column}: ${message}`);
      }
    } catch (error) {
      // What a busy machine could not check in time may still run well.
      const late = error instanceof VrlError && error.kind === 'timeout';
      tell(late ? 'the script could not be checked in time' : messageOf(error));
      if (!late) throw error;
    }
  }

  #listen(): void {
    const { events } = this.manager;
    events.on('serverState', (server, status) => {
      this.#onState(server, status);
    });
    events.on('toolsChanged', () => {
      this.events.emit('toolsChanged');
    });
    events.on('resourcesChanged', (server) => {
      this.events.emit('resourcesChanged', server);
    });
    events.on('resourceUpdated', (server, uri) => {
      this.events.emit('resourceUpdated', server, uri);
    });
    events.on('serverLog', (server, line, source) => {
      this.events.emit('serverLog', { server, line, source });
    });
    events.on('diagnostic', (diagnostic) => {
      this.events.emit('diagnostic', this.#shared.redactor.redactValue(diagnostic) as Diagnostic);
    });
  }

  #onState(server: string, status: ServerStatus): void {
    this.inputs.stateChanged(server);
    this.events.emit('serverState', server, status);
    if (isUp(status.state)) {
      if (this.#running.has(server)) return;
      this.#running.add(server);
      this.events.emit('started', server);
    } else if (this.#running.delete(server)) {
      this.events.emit('stopped', server);
    }
  }

  #forget(server: string): void {
    this.#learned.delete(server);
    if (this.#running.delete(server)) this.events.emit('stopped', server);
    this.events.emit('removed', server);
  }
}

function isScript(vrl: string | null | undefined): vrl is string {
  return vrl != null && vrl.trim() !== '';
}
