import { isDeepStrictEqual } from 'node:util';
import { TypedEvents } from '../../client/index.js';
import type { JsonObject, McpServerConfig, SmcpTool } from '../../protocol/index.js';
import type { Diagnostic, UpstreamWait } from '../hosting.js';
import { callTool } from './call-tool.js';
import { CatalogKeeper } from './catalog-keeper.js';
import { DiagnosticLog } from './diagnostic-log.js';
import type { ToolFacts } from './explain-tool.js';
import type { HostedServer } from './hosted-server.js';
import type { LaunchContext } from './launch-server.js';
import type { McpClient } from './mcp-client.js';
import {
  ServerNotFoundError,
  ServerStartError,
  ToolForbiddenError,
  ToolNotFoundError,
  UpstreamAuthError,
} from './mcp-errors.js';
import { redactStartError } from './redact-start-error.js';
import { ServerHost, type ServerHostContext, type ServerHostListener } from './server-host.js';
import type { ServerLogSource } from './server-log.js';
import type { ServerStatus } from './server-state.js';
import type { Root } from './server-requests.js';
import { StartThrottle, type StartThrottleOptions } from './start-throttle.js';
import type { RestartPolicy } from './supervisor.js';
import type { CatalogServer, Route, ToolCatalog } from './tool-catalog.js';
import { toolFactsOf } from './tool-facts.js';
import type { RequestOptions } from './upstream-requests.js';

/** What a manager tells. */
export interface McpServerManagerEvents {
  serverState: [server: string, status: ServerStatus];
  /** The listed tools are others now; `tools()` gives them. */
  toolsChanged: [];
  /** A server says that its resources are others now. Bursts come as one. */
  resourcesChanged: [server: string];
  /** A server says that a resource has new content. */
  resourceUpdated: [server: string, uri: string];
  /** A server wrote a line for a person, which is without secrets; some 20 a second of each at most. */
  serverLog: [server: string, line: string, source: ServerLogSource];
  /** Something that a user can mend. Said once as long as it stays. */
  diagnostic: [diagnostic: Diagnostic];
}

/** How to make a {@link McpServerManager}. */
export interface McpServerManagerOptions extends Omit<LaunchContext, 'throttle' | 'startTimeoutMs' | 'rootsOf'> {
  /** The roots of servers that have none of their own. @default none */
  readonly roots?: readonly Root[];
  /** For connecting and the first list of tools, in ms. @default 120000 */
  readonly startTimeoutMs?: number;
  /** How many servers start at a time, and how long each keeps its slot. */
  readonly startThrottle?: StartThrottleOptions;
  /** When a server that ends is started again. */
  readonly restarts?: Partial<RestartPolicy>;
  /** Between 0 and 1, for the jitter of restarts. @default Math.random */
  readonly random?: () => number;
}

const DEFAULT_START_TIMEOUT_MS = 120_000;

/**
 * Hosts the MCP servers of a Computer, in the order of its configuration: starts and supervises them, keeps the one
 * table from exposed tool name to server, and makes the calls. Whatever one server does, the others do not notice.
 */
export class McpServerManager {
  readonly events: TypedEvents<McpServerManagerEvents>;

  readonly #context: ServerHostContext;
  readonly #roots: readonly Root[];
  #hosts = new Map<string, ServerHost>();
  /** The ends of servers that were removed, until nothing of them is left. */
  readonly #leaving = new Set<Promise<void>>();
  readonly #diagnostics: DiagnosticLog;
  readonly #keeper: CatalogKeeper;
  #closed = false;

  constructor(options: McpServerManagerOptions) {
    const { logger, roots = [] } = options;
    this.#roots = roots;
    this.events = new TypedEvents((error, event) => {
      logger.error({ event, err: error }, 'A listener of the MCP servers failed');
    });
    this.#diagnostics = new DiagnosticLog((diagnostic) => {
      logger.warn(diagnostic, 'Something about an MCP server is to be mended');
      this.events.emit('diagnostic', diagnostic);
    });
    this.#keeper = new CatalogKeeper({
      servers: () => [...this.#hosts.values()].map(toCatalogServer),
      diagnostics: this.#diagnostics,
      redact: options.redact,
      onChanged: () => {
        this.events.emit('toolsChanged');
      },
    });
    this.#context = {
      ...options,
      startTimeoutMs: options.startTimeoutMs ?? DEFAULT_START_TIMEOUT_MS,
      throttle: new StartThrottle(options.startThrottle),
      rootsOf: (name) => this.#hosts.get(name)?.server.roots ?? roots,
      listener: this.#listener(),
    };
  }

  /** Every configured server, in order. */
  serverNames(): readonly string[] {
    return [...this.#hosts.keys()];
  }

  /** The state of every configured server, in order. */
  states(): ReadonlyMap<string, ServerStatus> {
    return new Map([...this.#hosts].map(([name, host]) => [name, host.status]));
  }

  /** The unresolved configuration of every server, in order. */
  configs(): readonly McpServerConfig[] {
    return [...this.#hosts.values()].map((host) => host.config);
  }

  /** Every server as it is configured now, in order. */
  hosted(): readonly HostedServer[] {
    return [...this.#hosts.values()].map((host) => host.server);
  }

  /** The last lines that a server wrote for a person, without secrets. @throws ServerNotFoundError. */
  serverLog(name: string): readonly string[] {
    return this.#host(name).logLines();
  }

  /** What is known of the servers and their tools, the hidden ones too. */
  toolFacts(): ToolFacts {
    return toolFactsOf(this.#hosts.values(), { catalog: this.catalog, redact: this.#context.redact });
  }

  /** The table from exposed tool name to server. */
  get catalog(): ToolCatalog {
    return this.#keeper.catalog;
  }

  /** The listed tools, as they go over the wire. */
  tools(): readonly SmcpTool[] {
    return this.#keeper.tools;
  }

  /** What an exposed name leads to. */
  route(exposedName: string): Route | undefined {
    return this.#keeper.catalog.route(exposedName);
  }

  /**
   * Makes these the configured servers, in this order, and starts those that are new. Only what changed is restarted;
   * a change of tool settings restarts nothing.
   *
   * @returns when everything that was removed is gone and every start has come to an outcome; failed starts do not
   * reject, their state tells.
   */
  async setServers(servers: readonly HostedServer[]): Promise<void> {
    this.#assertOpen();
    const names = servers.map(({ config }) => config.name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new ServerStartError('bad-config', `Two MCP servers are named "${twice}"`);
    await this.#together(() => {
      const before = this.#hosts;
      const work: Promise<void>[] = [];
      this.#hosts = new Map();
      for (const server of servers) {
        const known = before.get(server.config.name);
        const host = known ?? new ServerHost(server, this.#context);
        this.#hosts.set(host.name, host);
        work.push(known === undefined ? host.begin() : this.#reconfigure(known, server));
      }
      for (const host of before.values()) if (!this.#owns(host)) work.push(this.#discard(host));
      this.#keeper.refresh();
      return work;
    });
  }

  /** Adds a server at the end and starts it. Throws when the name is taken, and as {@link ServerHost.start}. */
  async add(server: HostedServer): Promise<void> {
    this.#assertOpen();
    const { name } = server.config;
    if (this.#hosts.has(name)) throw new ServerStartError('bad-config', `There is an MCP server "${name}" already`);
    const host = new ServerHost(server, this.#context);
    this.#hosts.set(name, host);
    await this.#started(host.begin());
  }

  /** Gives a server another configuration, and restarts it if that changes more than its tools. */
  async update(server: HostedServer): Promise<void> {
    this.#assertOpen();
    await this.#together(() => [this.#reconfigure(this.#host(server.config.name), server)]);
  }

  /** Removes a server and waits until nothing of it is left. */
  async remove(name: string): Promise<void> {
    const host = this.#host(name);
    this.#hosts.delete(name);
    this.#keeper.refresh();
    await this.#discard(host);
  }

  /** Starts a server; always possible, also in a crash loop. Throws ServerStartError. */
  async start(name: string): Promise<void> {
    this.#assertOpen();
    await this.#started(this.#host(name).start());
  }

  /** Stops a server and waits until nothing of it is left. */
  async stop(name: string): Promise<void> {
    await this.#host(name).stop();
  }

  /** Starts a server anew. Throws ServerStartError. */
  async restart(name: string): Promise<void> {
    this.#assertOpen();
    await this.#started(this.#host(name).restart());
  }

  /** Takes `disabled` off a server's configuration and starts it. Throws ServerStartError. */
  async enable(name: string): Promise<void> {
    const host = this.#host(name);
    host.setServer({ ...host.server, config: { ...host.config, disabled: false } });
    await this.start(name);
  }

  /** Sets `disabled` in a server's configuration and stops it. */
  async disable(name: string): Promise<void> {
    const host = this.#host(name);
    host.setServer({ ...host.server, config: { ...host.config, disabled: true } });
    await host.stop();
  }

  /** Stops every server and waits until nothing of them is left, nor of those removed before. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...[...this.#hosts.values()].map((host) => host.close()), ...this.#leaving]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /**
   * Calls a tool by its exposed name, with exactly these arguments. The result is the object that the server sent, also
   * one with `isError`. Waiting for a free place counts as call time.
   *
   * @throws ToolNotFoundError, ToolForbiddenError, ServerNotRunningError, UpstreamAuthError, CallTimeoutError,
   * CallCancelledError, UpstreamError.
   */
  async callTool(exposedName: string, args: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    const { host, originalName } = this.#findTool(exposedName);
    return callTool(host, { originalName, args }, options);
  }

  /** The session of a running server. @throws ServerNotFoundError, ServerNotRunningError. */
  client(server: string): McpClient {
    return this.#host(server).runningClient();
  }

  /** Whether the server runs and declares `resources`. */
  hasResources(server: string): boolean {
    const capabilities = this.#hosts.get(server)?.client?.capabilities;
    return capabilities?.['resources'] !== undefined && capabilities['resources'] !== null;
  }

  /** Whether the server runs and declares `resources.listChanged`. */
  announcesResources(server: string): boolean {
    return this.#hosts.get(server)?.client?.announcesResources ?? false;
  }

  /** Whether the server runs and declares `resources.subscribe`. */
  canSubscribe(server: string): boolean {
    return this.#hosts.get(server)?.client?.canSubscribe ?? false;
  }

  /**
   * One page of a server's resources, as it sent it.
   *
   * @throws ServerNotFoundError, ServerNotRunningError, CapabilityMissingError, and what a request throws.
   */
  async listResourcesPage(server: string, cursor: string | null | undefined, wait: UpstreamWait): Promise<JsonObject> {
    return this.client(server).listResourcesPage(cursor, wait);
  }

  /** All resources of a server that have a URI. Throws as {@link McpServerManager.listResourcesPage}. */
  async listAllResources(server: string, wait: UpstreamWait): Promise<readonly JsonObject[]> {
    const { items, diagnostics } = await this.client(server).listResources(wait);
    this.#diagnostics.update(JSON.stringify([server, 'resources']), diagnostics);
    return items;
  }

  /** All resource templates of a server. Throws as {@link McpServerManager.listResourcesPage}. */
  async listAllTemplates(server: string, wait: UpstreamWait): Promise<readonly JsonObject[]> {
    const { items, diagnostics } = await this.client(server).listResourceTemplates(wait);
    this.#diagnostics.update(JSON.stringify([server, 'templates']), diagnostics);
    return items;
  }

  /** Reads a resource; the URI goes up exactly as given. Throws as {@link McpServerManager.listResourcesPage}. */
  async readResource(server: string, uri: string, wait: UpstreamWait): Promise<JsonObject> {
    return this.client(server).readResource(uri, wait);
  }

  /** Asks for `resourceUpdated` of a URI, for as long as the server runs without a restart. */
  async subscribe(server: string, uri: string): Promise<void> {
    await this.#host(server).subscriptions().subscribe(uri);
  }

  /** Takes that back; nothing for a server that does not run. */
  async unsubscribe(server: string, uri: string): Promise<void> {
    const host = this.#hosts.get(server);
    if (host?.client !== undefined) await host.subscriptions().unsubscribe(uri);
  }

  #listener(): ServerHostListener {
    return {
      onState: (host, status) => {
        this.events.emit('serverState', host.name, status);
      },
      onTools: (host) => {
        if (this.#owns(host)) this.#keeper.refresh();
      },
      onDiagnostics: (host, diagnostics) => {
        this.#diagnostics.update(JSON.stringify([host.name, 'tools']), diagnostics);
      },
      onResourcesChanged: (host) => {
        this.events.emit('resourcesChanged', host.name);
      },
      onResourceUpdated: (host, uri) => {
        this.events.emit('resourceUpdated', host.name, uri);
      },
      onLog: (host, line, source) => {
        this.events.emit('serverLog', host.name, line, source);
      },
    };
  }

  /** Ends a server that is not configured any more. What was wrong with it is news again if it comes back. */
  #discard(host: ServerHost): Promise<void> {
    for (const list of ['tools', 'resources', 'templates']) {
      this.#diagnostics.update(JSON.stringify([host.name, list]), []);
    }
    const gone = host.close().finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
    return gone;
  }

  /** Begins several things at once, makes the catalogue once, and waits for all of them. */
  async #together(beginAll: () => readonly Promise<void>[]): Promise<void> {
    await Promise.allSettled(this.#keeper.hold(beginAll));
  }

  /** Waits for a start whose failure is the application's to see. */
  async #started(starting: Promise<void>): Promise<void> {
    await starting.catch((error: unknown) => {
      throw redactStartError(error, this.#context.redact);
    });
  }

  async #reconfigure(host: ServerHost, server: HostedServer): Promise<void> {
    const before = host.server;
    if (isDeepStrictEqual(before, server)) return;
    host.setServer(server);
    this.#keeper.refresh();
    if (server.config.disabled) return host.stop();
    const isSame = isDeepStrictEqual(this.#launchPart(before), this.#launchPart(server));
    const { state } = host.status;
    if (isSame && isDeepStrictEqual(this.#rootsOf(before), this.#rootsOf(server))) return;
    // What a user stopped stays stopped. A server that is being started may have asked for its roots already.
    if (isSame && state !== 'starting') await host.client?.rootsChanged().catch(() => undefined);
    else if (state !== 'stopped') await host.restart();
  }

  #rootsOf({ roots = this.#roots }: HostedServer): readonly Root[] {
    return roots;
  }

  /** What a running server depends on; the rest of its configuration is about its tools. */
  #launchPart(server: HostedServer): unknown {
    const { config, sseFallback = false } = server;
    const { type, server_parameters: parameters, disabled, vrl } = config;
    // Whether there are any is said at the handshake only.
    const hasRoots = this.#rootsOf(server).length > 0;
    return { type, parameters, disabled, vrl, sseFallback, hasRoots };
  }

  #findTool(exposedName: string): { host: ServerHost; originalName: string } {
    const route = this.#keeper.catalog.route(exposedName);
    const host = route && this.#hosts.get(route.server);
    if (route === undefined || host === undefined) {
      const waiting = [...this.#hosts.values()].filter((one) => one.waitsForLogin).map((one) => one.name);
      throw new ToolNotFoundError(exposedName, waiting);
    }
    if (route.kind === 'forbidden') throw new ToolForbiddenError(exposedName, route.server);
    if (route.kind === 'login') {
      throw new UpstreamAuthError(host.status.failure === 'auth-failed' ? 'failed' : 'required', route.server);
    }
    return { host, originalName: route.originalName };
  }

  #host(name: string): ServerHost {
    const host = this.#hosts.get(name);
    if (host === undefined) throw new ServerNotFoundError(name);
    return host;
  }

  #owns(host: ServerHost): boolean {
    return this.#hosts.get(host.name) === host;
  }

  #assertOpen(): void {
    if (this.#closed) throw new ServerStartError('cancelled', 'The MCP servers of this Computer were closed');
  }
}

function toCatalogServer({ config, tools, waitsForLogin }: ServerHost): CatalogServer {
  return { config, tools, waitsForLogin };
}
