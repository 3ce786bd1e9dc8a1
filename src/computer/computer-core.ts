import { setMaxListeners } from 'node:events';
import type { TypedEvents } from '../client/index.js';
import { CallGate } from './access/call-gate.js';
import { AuditLog } from './audit/audit-log.js';
import { CallHistory, reportOf } from './calls/call-history.js';
import { ToolCalls, type ToolCallsOptions } from './calls/tool-calls.js';
import type { ComputerEvents } from './computer-events.js';
import type { ComputerOptions } from './computer-options.js';
import type { DesktopStatus } from './desktop/desktop-status.js';
import { Desktop } from './desktop/desktop.js';
import { Documents } from './dpe/documents.js';
import type { HandlerContext } from './handlers.js';
import { toolHostOf } from './host-adapters.js';
import { HostedServers } from './hosted-servers.js';
import type { Diagnostic } from './hosting.js';
import { ResourceWatch } from './resource-watch.js';
import type { Shared } from './shared.js';
import { ArgumentValidator } from './validation/index.js';

/** How long a server may take to list its resources, in milliseconds. */
const LIST_TIMEOUT_MS = 30_000;
const DEFAULT_HISTORY_SIZE = 100;

/** What the core of a Computer needs of what is around it. */
export interface CoreSurroundings {
  /** Where its events go. */
  readonly events: TypedEvents<ComputerEvents>;
  /** The largest answer that can be sent now, in bytes. */
  readonly maxAnswerBytes: () => number;
  /** Where calls come from now; absent: there is no office. */
  readonly origin?: ToolCallsOptions['origin'];
}

/** Everything of a Computer but its connection: the hosted servers, their tools, windows and documents. */
export class ComputerCore {
  readonly servers: HostedServers;
  readonly desktop: Desktop;
  readonly documents: Documents;
  readonly history: CallHistory;
  readonly calls: ToolCalls;
  /** What the owner lets through. */
  readonly gate: CallGate;
  readonly #audit: AuditLog | undefined;
  readonly #shared: Shared;
  readonly #surroundings: CoreSurroundings;
  readonly #validator: ArgumentValidator | undefined;
  readonly #watch: ResourceWatch;
  readonly #closing = new AbortController();

  constructor(shared: Shared, options: ComputerOptions, surroundings: CoreSurroundings) {
    const { logger } = shared;
    const { events } = surroundings;
    // Every request under way listens to it.
    setMaxListeners(0, this.#closing.signal);
    this.#shared = shared;
    this.#surroundings = surroundings;
    this.servers = new HostedServers(shared, options);
    const host = this.servers.manager;
    const report = (diagnostic: Diagnostic): void => {
      this.servers.report(diagnostic);
    };
    const onChanged = (): void => {
      events.emit('desktopChanged');
    };
    this.history = new CallHistory(options.historySize ?? DEFAULT_HISTORY_SIZE, shared.redactor);
    const listing = (server: string): Promise<void> => this.#watch.listedBy(server);
    this.desktop = new Desktop({ host, logger, settings: options.desktop, listing, report, onChanged });
    const listed = (): Promise<void> => this.#watch.listed();
    const { sharedHosts = 'warn' } = options;
    this.documents = new Documents({ ...shared, host, report, sharedHosts, listed, signal: this.#closing.signal });
    this.documents.resolver = options.documents;
    this.#watch = new ResourceWatch({
      host,
      logger,
      timeoutMs: LIST_TIMEOUT_MS,
      onListed: (server, listing) => {
        this.documents.listed(server, listing);
        // Not waited for: a server that does not answer to a subscription must not keep its next list from being read.
        void this.desktop.listed(server, listing.resources);
      },
    });
    this.#validator = options.validateArguments === true ? new ArgumentValidator({ report, logger }) : undefined;
    this.gate = new CallGate(options.access);
    this.#audit = options.audit && new AuditLog(options.audit, { redactor: shared.redactor, report });
    this.calls = this.#newCalls(options);
    this.#listen();
  }

  /** What answers the events of Agents. */
  handlerContext(): HandlerContext {
    const { servers, desktop, documents } = this;
    const { logger, profile, redactor } = this.#shared;
    return {
      logger,
      profile,
      maxAnswerBytes: this.#surroundings.maxAnswerBytes,
      executeTool: (request) => this.calls.execute(request),
      cancelTool: (reqId) => {
        this.calls.cancel(reqId);
      },
      tools: () => servers.tools,
      configs: () => servers.configs,
      inputs: () => [...servers.inputs.definitions.values()],
      collectDesktop: (query) => desktop.collect(query),
      resources: {
        listResourcesPage: (server, cursor, wait) => servers.manager.listResourcesPage(server, cursor, wait),
        redact: (text) => redactor.redact(text),
        signal: this.#closing.signal,
      },
      getDpe: (request) => documents.get(request),
    };
  }

  /** Tells of an audit file that cannot be written before there is something to write. */
  checkAudit(): void {
    this.#audit?.check();
  }

  /** Why the desktop is as it is. */
  async desktopStatus(): Promise<DesktopStatus> {
    const { requireSubscribe } = this.desktop;
    const servers = await this.desktop.survey();
    const states = this.servers.manager.states();
    return {
      requireSubscribe,
      servers: servers.map((server) => ({ ...server, state: states.get(server.server)?.state ?? 'stopped' })),
    };
  }

  /** Nothing learnt in one office shows in the next one: order, history, ids of running calls. */
  officeChanged(): void {
    this.desktop.forgetCalls();
    this.documents.officeChanged();
    this.history.clear();
    this.calls.officeChanged();
  }

  /** Ends every running call; what is asked from now on ends at once. */
  endCalls(): void {
    this.#closing.abort();
    this.calls.close();
    this.desktop.close();
  }

  /** Stops every MCP server and waits until nothing of them is left. */
  async close(): Promise<void> {
    this.endCalls();
    await Promise.all([this.servers.close(), this.#validator?.close(), this.#audit?.close()]);
  }

  #newCalls(options: ComputerOptions): ToolCalls {
    const { logger, redactor } = this.#shared;
    const { confirm, confirmTimeoutMs, onToolProgress: onProgress } = options;
    const { events, maxAnswerBytes, origin = () => ({}) } = this.#surroundings;
    const validator = this.#validator;
    return new ToolCalls({
      host: toolHostOf(this.servers.manager),
      redactor,
      logger,
      checkArguments: validator && ((route, args, timeoutMs) => validator.check({ ...route, args }, timeoutMs)),
      confirm,
      confirmTimeoutMs,
      onProgress,
      watchesProgress: () => events.has('toolProgress'),
      onStep: (step) => {
        events.emit('toolProgress', step);
      },
      onStarted: (call) => {
        events.emit('toolStarted', call);
      },
      gate: this.gate,
      origin,
      transformOf: (server) => this.servers.transformOf(server),
      maxAnswerBytes,
      onSent: (server) => {
        this.desktop.recordCall(server);
      },
      onEnded: (call, sameOffice) => {
        if (sameOffice) this.history.add(call);
        this.#audit?.add(call);
        events.emit('toolCall', reportOf(call));
      },
    });
  }

  #listen(): void {
    const { events } = this.#surroundings;
    const from = this.servers.events;
    from.on('serverState', (server, status) => {
      events.emit('serverState', { server, ...status });
    });
    from.on('toolsChanged', () => {
      events.emit('toolsChanged');
    });
    from.on('configChanged', () => {
      events.emit('configChanged');
    });
    from.on('diagnostic', (diagnostic) => {
      events.emit('diagnostic', diagnostic);
    });
    from.on('serverLog', (line) => {
      events.emit('serverLog', line);
    });
    from.on('started', (server) => void this.#watch.serverStarted(server));
    from.on('resourcesChanged', (server) => {
      void this.#watch.resourcesChanged(server);
      this.desktop.resourcesChanged(server);
      this.documents.resourcesChanged(server);
    });
    from.on('resourceUpdated', (server, uri) => {
      this.desktop.resourceUpdated(server, uri);
      this.documents.resourceUpdated(server, uri);
    });
    from.on('stopped', (server) => {
      this.#watch.serverStopped(server);
      this.desktop.serverStopped(server);
      this.documents.serverStopped(server);
    });
    from.on('removed', (server) => {
      this.documents.remove(server);
    });
  }
}
