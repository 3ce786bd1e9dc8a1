import { isDeepStrictEqual } from 'node:util';
import { SingleRun } from '../coalesce.js';
import type { CancelSignal } from './cancellation.js';
import type { HostedServer } from './hosted-server.js';
import { launchServer, type LaunchContext, type LiveServer } from './launch-server.js';
import type { ListDiagnostic, ListedTool, Listing } from './lenient-lists.js';
import type { McpClient } from './mcp-client.js';
import { ServerNotRunningError, ServerStartError } from './mcp-errors.js';
import { logMessageLine } from './log-message.js';
import { RateLimit } from './rate-limit.js';
import { ResourceSubscriptions } from './resource-subscriptions.js';
import { ServerLog, type ServerLogSink, type ServerLogSource } from './server-log.js';
import { isUp, keepsTools, type ServerStatus } from './server-state.js';
import { Supervisor, type SupervisorOptions } from './supervisor.js';

/** What a {@link ServerHost} tells its manager. None may throw. */
export interface ServerHostListener {
  onState(host: ServerHost, status: ServerStatus): void;
  /** What `tools` gives is another list now. */
  onTools(host: ServerHost): void;
  /** Everything that is wrong with the server's list of tools now. */
  onDiagnostics(host: ServerHost, diagnostics: readonly ListDiagnostic[]): void;
  onResourcesChanged(host: ServerHost): void;
  onResourceUpdated(host: ServerHost, uri: string): void;
  /** It wrote a line for a person, which is without secrets. */
  onLog(host: ServerHost, line: string, source: ServerLogSource): void;
}

/** What a {@link ServerHost} works with. */
export interface ServerHostContext extends LaunchContext, Pick<SupervisorOptions<LiveServer>, 'restarts' | 'random'> {
  readonly listener: ServerHostListener;
}

/** How many messages to the log are taken of one server; more are dropped. */
const MESSAGES_PER_SECOND = 20;

/** One configured MCP server: its state, its session while it runs, and what it listed last. */
export class ServerHost {
  readonly #context: ServerHostContext;
  readonly #supervisor: Supervisor<LiveServer>;
  readonly #toolRefresh: SingleRun;
  readonly #log = new ServerLog();
  readonly #messages = new RateLimit(MESSAGES_PER_SECOND);
  #server: HostedServer;
  #tools: readonly ListedTool[] = [];
  #listedNames: readonly string[] = [];
  #waitsForLogin = false;
  /** The session of the state that was told last. */
  #shown: LiveServer | undefined;
  #subscriptions: ResourceSubscriptions | undefined;
  #resourcesAnnounced = false;
  readonly #waiting = new Set<() => void>();

  constructor(server: HostedServer, context: ServerHostContext) {
    this.#server = server;
    this.#context = context;
    this.#toolRefresh = new SingleRun(() => this.#refreshTools());
    this.#supervisor = new Supervisor<LiveServer>({
      launch: (signal) => this.#launch(signal),
      onState: (status) => {
        this.#onState(status);
      },
      redact: context.redact,
      restarts: context.restarts,
      random: context.random,
    });
  }

  get name(): string {
    return this.#server.config.name;
  }

  get server(): HostedServer {
    return this.#server;
  }

  /** The unresolved configuration. */
  get config(): HostedServer['config'] {
    return this.#server.config;
  }

  get status(): ServerStatus {
    return this.#supervisor.status;
  }

  /** The tools that it listed last, while it runs or is expected back, or waits for a login. */
  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  /** It was refused for want of a login; its tools stay known. Protocol §6.5. */
  get waitsForLogin(): boolean {
    return this.#waitsForLogin;
  }

  /** The names of the tools that it listed last, also where it runs no more. */
  get listedNames(): readonly string[] {
    return this.#listedNames;
  }

  /** The last lines that it wrote for a person, over all its runs, without secrets. */
  logLines(): readonly string[] {
    const { state } = this.status;
    return this.#log.lines(this.#context.redact, !isUp(state) && state !== 'starting');
  }

  /** The session, while the server runs. */
  get client(): McpClient | undefined {
    return this.#supervisor.session?.client;
  }

  /** The session. @throws ServerNotRunningError naming the state and why. */
  runningClient(): McpClient {
    const client = this.client;
    if (client !== undefined) return client;
    const { state, reason } = this.status;
    throw new ServerNotRunningError(this.name, state, reason);
  }

  /** The subscriptions of the session. Throws as {@link ServerHost.runningClient}. */
  subscriptions(): ResourceSubscriptions {
    const client = this.runningClient();
    this.#subscriptions ??= new ResourceSubscriptions(client);
    return this.#subscriptions;
  }

  /** Starts it, unless it is disabled. Throws as {@link ServerHost.start}. */
  begin(): Promise<void> {
    return this.config.disabled ? this.stop() : this.start();
  }

  /** Starts it, single-flight. Throws ServerStartError, also for a disabled server. */
  start(): Promise<void> {
    return this.config.disabled ? Promise.reject(this.#disabledError()) : this.#supervisor.start();
  }

  /** Starts it anew with its present configuration. Throws as {@link ServerHost.start}. */
  restart(): Promise<void> {
    return this.config.disabled ? Promise.reject(this.#disabledError()) : this.#supervisor.restart();
  }

  /** Stops it and waits until nothing of it is left. */
  stop(): Promise<void> {
    return this.#supervisor.stop(this.config.disabled ? 'disabled' : 'stopped');
  }

  /** Stops it for good. */
  close(): Promise<void> {
    return this.#supervisor.close();
  }

  /** Waits until the session `lost` is replaced, or will not be. At most `ms` milliseconds. */
  async whenBack(lost: McpClient, ms: number, signal: CancelSignal | undefined): Promise<void> {
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        this.#waiting.delete(look);
        resolve();
      };
      const look = (): void => {
        const { state } = this.status;
        if (isUp(state) ? this.client !== lost : !keepsTools(state)) done();
      };
      const timer = setTimeout(done, Math.max(0, ms));
      signal?.addEventListener('abort', done);
      this.#waiting.add(look);
      look();
    });
  }

  /** Takes another configuration; the caller starts or stops the server accordingly. */
  setServer(server: HostedServer): void {
    this.#server = server;
  }

  async #launch(signal: AbortSignal): Promise<LiveServer> {
    this.#log.begin();
    const live = await launchServer(this.#server, { ...this.#context, log: this.#sink() }, signal);
    const { listener } = this.#context;
    const { events } = live.client;
    events.on('toolsChanged', () => void this.#toolRefresh.request());
    events.on('resourcesChanged', () => {
      this.#announceResources(live.client);
    });
    events.on('resourceUpdated', (uri) => {
      if (this.client === live.client) listener.onResourceUpdated(this, uri);
    });
    events.on('healthChanged', () => {
      this.#showHealth(live.client);
    });
    return live;
  }

  #sink(): ServerLogSink {
    const { listener, redact } = this.#context;
    return {
      stderr: (chunk) => {
        this.#log.stderr(chunk);
      },
      stderrLine: (line) => {
        listener.onLog(this, line, 'stderr');
      },
      message: (params) => {
        if (!this.#messages.take()) return;
        const line = logMessageLine(params, redact);
        this.#log.message(line);
        listener.onLog(this, line, 'mcp');
      },
    };
  }

  #showHealth(client: McpClient): void {
    if (this.client === client) this.#supervisor.setHealth(client.health.problem);
  }

  /** Two hundred notifications in a tick are one. */
  #announceResources(client: McpClient): void {
    if (this.#resourcesAnnounced) return;
    this.#resourcesAnnounced = true;
    setImmediate(() => {
      this.#resourcesAnnounced = false;
      if (this.client === client) this.#context.listener.onResourcesChanged(this);
    });
  }

  #onState(status: ServerStatus): void {
    const { listener } = this.#context;
    const { state } = status;
    const live = this.#supervisor.session;
    // A server that is well again, or no more, is still the one that it was.
    const isSameSession = live !== undefined && live === this.#shown;
    this.#shown = live;
    const wasWaiting = this.#waitsForLogin;
    if (!isSameSession) {
      this.#subscriptions = undefined;
      this.#waitsForLogin = state === 'needs-login';
    }
    listener.onState(this, status);
    for (const look of this.#waiting) look();
    // Whoever heard of the state may have changed it.
    if (this.status !== status || isSameSession) return;
    if (live !== undefined) this.#takeFirst(live);
    else if (!keepsTools(state) && !this.#waitsForLogin && this.#tools.length > 0) this.#setTools([]);
    else if (wasWaiting !== this.#waitsForLogin) listener.onTools(this);
  }

  #takeFirst({ client, listing, isStale }: LiveServer): void {
    this.#take(listing);
    this.#showHealth(client);
    if (isStale) void this.#toolRefresh.request();
  }

  async #refreshTools(): Promise<boolean> {
    const client = this.client;
    if (client === undefined) return false;
    try {
      const listing = await client.listTools();
      client.health.set('tools', undefined);
      return this.client === client && this.#take(listing);
    } catch (error) {
      const problem = error instanceof Error ? this.#context.redact(error.message) : String(error);
      // The list that we have stays: a soft failure removes no tools.
      client.health.set('tools', `its list of tools may be out of date: ${problem}`);
      this.#context.logger.warn({ server: this.name, problem }, 'The tools of an MCP server could not be listed again');
      return false;
    }
  }

  /** @returns whether the list is another one than before. */
  #take({ items, diagnostics }: Listing<ListedTool>): boolean {
    this.#context.listener.onDiagnostics(this, diagnostics);
    if (isDeepStrictEqual(items, this.#tools)) return false;
    this.#setTools(items);
    return true;
  }

  #setTools(tools: readonly ListedTool[]): void {
    this.#tools = tools;
    if (tools.length > 0) this.#listedNames = tools.map(({ name }) => name);
    this.#supervisor.noteTools(tools.length);
    this.#context.listener.onTools(this);
  }

  #disabledError(): ServerStartError {
    return new ServerStartError('cancelled', `MCP server "${this.name}" is disabled in its configuration (disabled)`);
  }
}
