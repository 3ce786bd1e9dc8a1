import { silentLogger, type CallToolResult, type JsonObject, type Logger, type SmcpTool } from '../protocol/index.js';
import {
  abortable,
  ConnectionError,
  linkedSignal,
  OfficeConnection,
  othersNetwork,
  TypedEvents,
  type Membership,
  type Unsubscribe,
} from '../client/index.js';
import type { AgentEvents } from './agent-events.js';
import { agentSettings, connectionOptions, type AgentOptions, type AgentSettings } from './agent-options.js';
import { allResources } from './all-resources.js';
import type { ComputerConfig, DocumentAccess, OfficeMember, ResourcePage } from './answers.js';
import { CatalogFeeder } from './catalog-feeder.js';
import { ComputerQueries, type DesktopOptions, type ResourcesOptions } from './computer-queries.js';
import {
  discoverDocuments,
  Documents,
  type DiscoveredDocument,
  type DiscoverOptions,
  type DpeDocument,
  type FetchedDocument,
  type OpenDocumentOptions,
} from './documents/index.js';
import { takeNotices } from './notices.js';
import { Requester, type RequestOptions } from './requester.js';
import { ToolCaller, type CallToolOptions } from './tool-caller.js';
import { ToolCatalog, type CatalogTool } from './tool-catalog.js';
import { watchDesktop, type WatchDesktopOptions } from './watch-desktop.js';

/**
 * The program that decides to call tools: it joins an office, sees the Computers there and their tools, and calls
 * them. Runs in Node and in browsers.
 *
 * Every request throws `ConnectionError` at once without a connection, `ProtocolError` for an error answer (and with
 * code 500 for a malformed one), `RequestTimeoutError` when no answer came in time, `PacketTooLargeError` or
 * `UnsendablePayloadError` for what cannot be sent, and the reason of its signal.
 *
 * @example
 * await using agent = new Agent({ url: 'http://127.0.0.1:8000' });
 * await agent.connect();
 * await agent.joinOffice('office-1');
 * const result = await agent.callTool('laptop', 'echo', { message: 'hello' });
 */
export class Agent implements AsyncDisposable {
  readonly #settings: AgentSettings;
  readonly #logger: Logger;
  readonly #connection: OfficeConnection;
  readonly #events: TypedEvents<AgentEvents>;
  readonly #catalog = new ToolCatalog();
  readonly #feeder: CatalogFeeder;
  readonly #queries: ComputerQueries;
  readonly #caller: ToolCaller;
  readonly #documents: Documents;
  readonly #closing = new AbortController();
  #name: string;
  #filling: Promise<void> = Promise.resolve();

  /** @throws TypeError naming the option that is wrong. */
  constructor(options: AgentOptions) {
    const settings = agentSettings(options);
    const logger = options.logger ?? silentLogger;
    const connection = new OfficeConnection(connectionOptions(options));
    const requester = new Requester({ connection, newRequestId: settings.newRequestId, agentName: () => this.name });
    this.#settings = settings;
    this.#logger = logger;
    this.#connection = connection;
    this.#name = settings.name;
    this.#events = new TypedEvents((error, event) => {
      logger.error({ event, error: String(error) }, 'A listener failed');
    });
    this.#queries = new ComputerQueries({ requester, logger, answerGraceMs: settings.answerGraceMs });
    this.#caller = new ToolCaller({ requester, logger, ...settings });
    this.#documents = new Documents({
      serverUrl: options.url,
      options: options.documents,
      getDpe: this.getDpe.bind(this),
      session: () => this.membership,
      network: othersNetwork(options),
      closing: this.#closing.signal,
    });
    this.#feeder = this.#newFeeder();
    this.#listen();
  }

  /** The name that this Agent goes by. */
  get name(): string {
    return this.#connection.membership?.name ?? this.#name;
  }

  /** Whether there is a connection to the Server. */
  get connected(): boolean {
    return this.#connection.connected;
  }

  /** The office that the Agent is in; `undefined` before the join, while disconnected, and until the rejoin. */
  get membership(): Membership | undefined {
    return this.#connection.membership;
  }

  /** The Computers of the office. Empty outside an office. */
  get computers(): readonly string[] {
    return this.#catalog.computers;
  }

  /** The live catalogue: the tools of all Computers of the office. Empty outside an office. */
  get tools(): readonly CatalogTool[] {
    return this.#catalog.tools;
  }

  /** Calls `listener` at every such event from now on. @returns a function that takes it off again. */
  on<E extends keyof AgentEvents>(event: E, listener: (...args: AgentEvents[E]) => void): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /**
   * Connects; after that the connection and the membership come back by themselves until {@link Agent.close}.
   *
   * @throws ProtocolVersionError (4008), which is never retried; ConnectionError with the Server's `code` and `data`
   *   when it refused (401 …); the signal's reason.
   */
  async connect(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    await this.#connection.connect(options);
  }

  /**
   * Joins an office and fills the catalogue. Resolves when every Computer there was asked for its tools, or after
   * `catalogWaitMs`: a Computer that is slow or broken neither fails the join nor holds it up longer, its tools are
   * taken in when they come.
   *
   * @param options - `name` instead of the Agent's own; `signal` gives up: an office that is joined in spite of it is
   *   left again, and once joined only the wait for the tools ends.
   * @throws JoinRefusedError with the Server's code and reason (4101: the office has an Agent); TypeError when a name
   *   breaks the rules of Protocol §1; ConnectionError; RequestTimeoutError; the signal's reason.
   */
  async joinOffice(
    officeId: string,
    options: { readonly name?: string; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { signal, name = this.#settings.name } = options;
    await this.#connection.join({ officeId, name }, { signal });
    this.#name = name;
    const wait = linkedSignal([signal], this.#settings.catalogWaitMs);
    try {
      await abortable(this.#filling, wait.signal);
    } catch {
      this.#logger.info({ office_id: officeId }, 'Joined before all Computers showed their tools');
    } finally {
      wait.release();
    }
  }

  /** Leaves the office and forgets everything learnt there; does nothing outside one. */
  async leaveOffice(): Promise<void> {
    await this.#connection.leave();
  }

  /**
   * Calls a tool. A tool that fails is a result with `isError`, not an exception.
   *
   * The budget is `timeoutMs`; the Agent waits for the Computer's and the Server's own answers to its end. When none
   * comes, or the Server says 408, the call is cancelled and the result is `isError` with `meta.timeout` and
   * `meta.a2c_timeout`. When the signal is aborted the call is cancelled; what the Computer answers within
   * `cancelGraceMs` is still the result (`meta.a2c_cancelled`, or the real one if the tool was faster), otherwise the
   * promise is rejected with the signal's reason. Calls are never repeated. Protocol §6.
   *
   * @throws RangeError when `timeoutMs` is not above 0 and at most an hour; TypeError when `params` is not an object.
   */
  async callTool(
    computer: string,
    tool: string,
    params: JsonObject = {},
    options: CallToolOptions = {},
  ): Promise<CallToolResult> {
    return this.#caller.call({ computer, tool, params }, options);
  }

  /**
   * Asks the Computer to end the call with this id; the call itself gives the outcome. Cancelling twice, or an
   * unknown id, does nothing. Protocol §6.3.
   */
  cancel(reqId: string): void {
    this.#caller.cancel(reqId);
  }

  /** The tools of one Computer, fetched now. Items without a name are left out. Protocol §4.1. */
  async getTools(computer: string, options: RequestOptions = {}): Promise<readonly SmcpTool[]> {
    return this.#queries.getTools(computer, options);
  }

  /** The configuration of one Computer, unresolved and masked. Protocol §7.1. */
  async getConfig(computer: string, options: RequestOptions = {}): Promise<ComputerConfig> {
    return this.#queries.getConfig(computer, options);
  }

  /** The desktop of one Computer: one text a window. Protocol §8.1. */
  async getDesktop(computer: string, options: DesktopOptions = {}): Promise<readonly string[]> {
    return this.#queries.getDesktop(computer, options);
  }

  /**
   * The desktop of one Computer, at first and after each change that shows in it; bursts of changes come as one. The
   * wait outlasts the Computer's and the Agent's own absence. Ends with the signal, and when the Agent is closed.
   *
   * @example
   * for await (const windows of agent.watchDesktop('laptop', { size: 5, signal })) show(windows);
   *
   * @throws what {@link Agent.getDesktop} throws for the first desktop; later only what does not pass: a refused version,
   *   an office that could not be joined again.
   */
  watchDesktop(
    computer: string,
    options: WatchDesktopOptions = {},
  ): AsyncGenerator<readonly string[], void, undefined> {
    const source = {
      on: this.on.bind(this),
      getDesktop: this.getDesktop.bind(this),
      closing: this.#closing.signal,
    };
    return watchDesktop(source, computer, options);
  }

  /** One page of the resources of one MCP server. Protocol §8.2. */
  async getResources(computer: string, mcpServer: string, options: ResourcesOptions = {}): Promise<ResourcePage> {
    return this.#queries.getResources(computer, mcpServer, options);
  }

  /**
   * All resources of one MCP server, page after page; `timeoutMs` counts for each page. It ends with a warning in the
   * log at a repeated cursor, after 1,000 pages, and after 100,000 resources.
   */
  resources(
    computer: string,
    mcpServer: string,
    options: RequestOptions = {},
  ): AsyncGenerator<JsonObject, void, undefined> {
    return allResources(
      (cursor) =>
        this.#queries.getResources(computer, mcpServer, { ...options, ...(cursor === undefined ? {} : { cursor }) }),
      this.#logger,
    );
  }

  /**
   * Asks where a document can be fetched. The URI is sent as it is given; the Computer judges it. Protocol §8.3.
   *
   * @param options - `timeoutMs` is the Computer's budget, at most an hour.
   * @throws ProtocolError 4011, 4012 or 4013 with `fields.uri`, `fields.reason`, `fields.category`; RangeError.
   */
  async getDpe(computer: string, uri: string, options: RequestOptions = {}): Promise<DocumentAccess> {
    return this.#queries.getDpe(computer, uri, options);
  }

  /**
   * The documents that the MCP servers of a Computer list, as they come. One server that fails costs its own documents:
   * `onProblem` hears of it. Protocol §8.4.
   *
   * @example
   * for await (const { uri, name } of agent.discoverDocuments('laptop')) console.log(uri, name);
   *
   * @throws what {@link Agent.getConfig} throws; later only what concerns the Computer or the office as a whole.
   */
  discoverDocuments(
    computer: string,
    options: DiscoverOptions = {},
  ): AsyncGenerator<DiscoveredDocument, void, undefined> {
    const source = {
      getConfig: this.getConfig.bind(this),
      getResources: this.getResources.bind(this),
      logger: this.#logger,
    };
    return discoverDocuments(source, computer, options);
  }

  /**
   * Asks where a document can be fetched, fetches it, and reads it; its pages are fetched when they are asked for. A URI
   * that has expired or fails is asked for once more. Protocol §8.4, §8.5.
   *
   * @throws DocumentError when it cannot be fetched or is no document; what {@link Agent.getDpe} throws; TypeError naming
   *   the option that is wrong.
   */
  async openDocument(computer: string, uri: string, options: OpenDocumentOptions = {}): Promise<DpeDocument> {
    return this.#documents.open(computer, uri, options);
  }

  /**
   * The content of a document as it is, whatever its form; fetched as `openDocument` does.
   *
   * @throws what {@link Agent.openDocument} throws; reading the body throws DocumentError as well.
   */
  async fetchDocument(computer: string, uri: string, options: OpenDocumentOptions = {}): Promise<FetchedDocument> {
    return this.#documents.fetch(computer, uri, options);
  }

  /** The members of the office, the Agent itself among them. Outside an office the Server answers 4103. */
  async listRoom(options: RequestOptions = {}): Promise<readonly OfficeMember[]> {
    return this.#queries.listRoom(this.membership?.officeId ?? '', options);
  }

  /** Closes the connection for good. Idempotent. Calls on Computers run on, their answers are dropped. */
  async close(): Promise<void> {
    this.#closing.abort(new ConnectionError('The Agent was closed'));
    this.#feeder.left();
    await Promise.all([this.#connection.close(), this.#documents.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #newFeeder(): CatalogFeeder {
    return new CatalogFeeder({
      catalog: this.#catalog,
      listMembers: (signal) => this.listRoom({ signal }),
      fetchTools: (computer, signal) => this.getTools(computer, { signal }),
      windowMs: this.#settings.catalogWindowMs,
      logger: this.#logger,
      onEntered: (computer) => {
        this.#events.emit('computerJoined', { computer });
      },
      onTools: (computer, tools) => {
        this.#events.emit('toolsChanged', { computer, tools });
      },
    });
  }

  #listen(): void {
    const { events } = this.#connection;
    events.on('joined', ({ officeId, name, rejoined }) => {
      if (rejoined) this.#events.emit('rejoined', { officeId, name });
      if (this.#settings.catalog) this.#filling = this.#feeder.joined();
    });
    events.on('left', () => {
      this.#feeder.left();
    });
    events.on('disconnected', (reason) => {
      this.#feeder.left();
      this.#events.emit('disconnected', { reason });
    });
    events.on('rejoinFailed', (error) => {
      this.#events.emit('rejoinFailed', { error });
    });
    events.on('refused', (error) => {
      this.#events.emit('refused', { error });
    });
    takeNotices(this.#connection, this.#noticeSink(), this.#logger);
  }

  #noticeSink(): Parameters<typeof takeNotices>[1] {
    const { catalog } = this.#settings;
    return {
      entered: (computer) => {
        if (catalog) this.#feeder.entered(computer);
        else this.#events.emit('computerJoined', { computer });
      },
      left: (computer) => {
        if (!catalog || this.#feeder.departed(computer)) this.#events.emit('computerLeft', { computer });
      },
      toolsChanged: (computer) => {
        this.#feeder.changed(computer);
      },
      configChanged: (computer) => {
        this.#events.emit('configChanged', { computer });
        this.#feeder.changed(computer);
      },
      desktopChanged: (computer) => {
        this.#events.emit('desktopChanged', { computer });
      },
    };
  }
}
