import { TypedEvents, type Membership, type Unsubscribe } from '../client/index.js';
import type { McpServerInput, SmcpTool } from '../protocol/index.js';
import { announceChanges } from './announce-changes.js';
import type { CallHistoryEntry } from './calls/call-history.js';
import { ComputerCore } from './computer-core.js';
import type { ComputerEvents, HostedServerStatus } from './computer-events.js';
import {
  configOf,
  connectionOptionsOf,
  type ComputerConnectionOptions,
  type ComputerOptions,
} from './computer-options.js';
import { readServerEntry, type ComputerConfig } from './config/parse-config.js';
import type { DesktopQuery } from './desktop/desktop.js';
import type { DocumentsStatus } from './dpe/documents.js';
import type { DpeResolver } from './dpe/dpe-resolver.js';
import { registerHandlers } from './handlers.js';
import { messageOf } from './hosting.js';
import type { InputValueStatus } from './inputs/input-resolver.js';
import { OfficeLink } from './office-link.js';
import type { ServerLoginOptions } from './server-logins.js';
import { sharedOf, type Shared } from './shared.js';

/**
 * Hosts MCP servers and executes what an Agent of its office asks for; keeps the credentials to itself.
 *
 * @example
 * await using computer = new Computer({
 *   name: 'laptop',
 *   url: 'http://127.0.0.1:8000',
 *   servers: { files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/data'] } },
 *   confirm: (call) => askUser(call),
 * });
 * computer.start();
 * await computer.connect();
 * await computer.joinOffice('office-1');
 */
export class Computer implements AsyncDisposable {
  readonly #options: ComputerOptions;
  readonly #shared: Shared;
  readonly #events: TypedEvents<ComputerEvents>;
  readonly #core: ComputerCore;
  readonly #link: OfficeLink;
  #config: ComputerConfig;
  #starting: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  /** @throws ConfigError naming the field of `servers`, `inputs` or `roots` that is wrong. */
  constructor(options: ComputerOptions = {}) {
    this.#options = options;
    this.#config = configOf(options);
    this.#shared = sharedOf(options);
    const { logger } = this.#shared;
    this.#events = new TypedEvents((error, event) => {
      logger.error({ event, problem: messageOf(error) }, 'A listener failed');
    });
    this.#core = new ComputerCore(this.#shared, options, {
      events: this.#events,
      maxAnswerBytes: () => this.#link.maxPacketBytes,
    });
    this.#link = new OfficeLink({
      logger,
      events: this.#events,
      register: (target) => {
        registerHandlers(target, this.#core.handlerContext());
      },
      onOfficeChanged: () => {
        this.#core.officeChanged();
      },
    });
    this.#core.servers.inputs.define(this.#config.inputs);
    announceChanges(this.#events, (announcement) => {
      this.#link.announce(announcement);
    });
  }

  /** The name that this Computer goes by. */
  get name(): string {
    return this.#link.membership?.name ?? this.#shared.name;
  }

  /** Whether there is a connection to the Server. */
  get connected(): boolean {
    return this.#link.connected;
  }

  /** The office that the Computer is in; `undefined` before the join, while disconnected, and until the rejoin. */
  get membership(): Membership | undefined {
    return this.#link.membership;
  }

  /** The last tool calls of this office, oldest first: arguments and answers without secrets, long ones cut. */
  get history(): readonly CallHistoryEntry[] {
    return this.#core.history.entries;
  }

  /** The tools as Agents see them. */
  tools(): readonly SmcpTool[] {
    return this.#core.servers.tools;
  }

  /** The MCP servers and their states, in the order of the configuration. */
  servers(): readonly HostedServerStatus[] {
    return [...this.#core.servers.manager.states()].map(([server, status]) => ({ server, ...status }));
  }

  /** The desktop as an Agent would see it now. Protocol §8.1. */
  async desktop(query: DesktopQuery = {}): Promise<readonly string[]> {
    return this.#core.desktop.collect(query);
  }

  /** Which hosts of documents there are, who uses them, and whether there is a resolver. Protocol §8.3. */
  documents(): DocumentsStatus {
    return this.#core.documents.status();
  }

  /** Calls `listener` at every such event from now on. @returns a function that takes it off again. */
  on<E extends keyof ComputerEvents>(event: E, listener: (...args: ComputerEvents[E]) => void): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /**
   * Starts the configured MCP servers. Waits for none of them: their states come as events, their tools are announced
   * when they are there. A second call does nothing.
   */
  start(): void {
    this.#assertOpen();
    const inputs = this.#core.servers.inputs.definitions;
    this.#starting ??= this.#core.servers.setConfig({ ...this.#config, inputs }).catch((error: unknown) => {
      // A failed start of a server is its state; this is the Computer closing meanwhile.
      this.#shared.logger.debug({ problem: messageOf(error) }, 'The MCP servers were not all started');
    });
  }

  /** Settled when every server that `start` began to start has come to an outcome: running or not. */
  async settled(): Promise<void> {
    await this.#starting;
  }

  /**
   * Connects to the Server; after that the connection and the membership come back by themselves. Replaces a connection
   * that was there before.
   *
   * @param options - instead of those given at construction, one by one; `signal` gives up.
   * @throws ProtocolVersionError (4008), which is never retried; ConnectionError with the Server's `code` when it
   *   refused (401 …); TypeError when an option is wrong; the signal's reason.
   */
  async connect(options: ComputerConnectionOptions & { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.#assertOpen();
    const { signal, ...given } = options;
    const { logger, profile } = this.#shared;
    await this.#link.connect(connectionOptionsOf({ ...this.#options, ...given }, { logger, profile }), signal);
  }

  /** Ends the connection; the MCP servers go on. Idempotent. */
  async disconnect(): Promise<void> {
    await this.#link.close();
  }

  /**
   * Joins an office, leaving the one before; after a reconnect it is joined again by itself.
   *
   * @param options - `name` instead of the Computer's own.
   * @throws JoinRefusedError with the Server's code and reason; TypeError when a name breaks the rules of Protocol §1,
   *   or before `connect`; ConnectionError; RequestTimeoutError.
   */
  async joinOffice(officeId: string, options: { readonly name?: string } = {}): Promise<void> {
    this.#assertOpen();
    await this.#link.join({ officeId, name: options.name ?? this.#shared.name });
  }

  /** Leaves the office; does nothing outside one. */
  async leaveOffice(): Promise<void> {
    await this.#link.leave();
  }

  /** Starts an MCP server; always possible, also in a crash loop. @throws ServerNotFoundError, ServerStartError. */
  async startServer(name: string): Promise<void> {
    await this.#core.servers.manager.start(name);
  }

  /** Stops an MCP server and waits until nothing of it is left. @throws ServerNotFoundError. */
  async stopServer(name: string): Promise<void> {
    await this.#core.servers.manager.stop(name);
  }

  /** Starts an MCP server anew, with fresh inputs where they were cleared. Throws as {@link Computer.startServer}. */
  async restartServer(name: string): Promise<void> {
    await this.#core.servers.manager.restart(name);
  }

  /** Takes `disabled` off an MCP server and starts it. Throws as {@link Computer.startServer}. */
  async enableServer(name: string): Promise<void> {
    await this.#core.servers.enable(name);
  }

  /** Sets `disabled` for an MCP server and stops it. @throws ServerNotFoundError. */
  async disableServer(name: string): Promise<void> {
    await this.#core.servers.disable(name);
  }

  /**
   * Adds an MCP server and starts it; it stays in the configuration when its start fails.
   *
   * @param config - as a configuration file has it; everything with a default may be left out. Protocol §7.1.
   * @throws ConfigError naming the field, or when the name is taken; ServerStartError.
   */
  async addServer(name: string, config: unknown): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.add(readServerEntry(name, config));
  }

  /** Gives an MCP server another configuration. @throws ConfigError, ServerNotFoundError. */
  async updateServer(name: string, config: unknown): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.update(readServerEntry(name, config));
  }

  /** Removes an MCP server and waits until nothing of it is left. @throws ServerNotFoundError. */
  async removeServer(name: string): Promise<void> {
    await this.#core.servers.remove(name);
  }

  /**
   * Makes this the configuration: starts what is new, ends what is gone, restarts only what changed. Before `start` it
   * is only kept for it.
   */
  async setConfig(config: ComputerConfig): Promise<void> {
    this.#assertOpen();
    this.#config = config;
    if (this.#starting !== undefined) await this.#core.servers.setConfig(config);
    else this.#core.servers.inputs.define(config.inputs);
  }

  /** The definitions of the inputs, in order; what may be secret in them is masked. Protocol §7.2. */
  inputs(): readonly McpServerInput[] {
    return this.#core.servers.inputs.shown();
  }

  /** What is known of the value of each input: whether there is one, and where it came from. */
  inputValues(): readonly InputValueStatus[] {
    return this.#core.servers.inputs.values();
  }

  /**
   * Adds an input, or puts its definition in the place of the one with its id. The servers that use it are started anew
   * if that can change its value; a stopped or disabled one stays so. A later `setConfig` brings definitions of its own.
   *
   * @param definition - as a configuration file has it. Protocol §7.2.
   * @returns when those starts have come to an outcome; failed ones do not reject, the state tells.
   * @throws ConfigError naming the field.
   */
  async setInput(definition: unknown): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.inputs.set(definition);
  }

  /** Takes an input and its value out. Servers as in {@link Computer.setInput}. @throws InputError when there is none. */
  async removeInput(id: string): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.inputs.remove(id);
  }

  /**
   * Gives an input a value, which stays, in memory only, until it is cleared or its definition does not allow it any
   * more; an open question for it is given up. Servers as in {@link Computer.setInput}.
   *
   * @param value - any JSON value but null; for a `pickString` one of its options.
   * @throws InputError when there is no such input or it cannot have this value.
   */
  async setInputValue(id: string, value: unknown): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.inputs.setValue(id, value);
  }

  /** Forgets the value of one input, or of all, so that it is asked for again. Servers as in {@link Computer.setInput}. */
  async clearInput(id?: string): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.inputs.clear(id);
  }

  /**
   * Logs in at a protected MCP server: opens the page of its authorization server in a browser on this machine, waits
   * for the person, keeps the tokens, and starts the server anew. OAuth 2.1 with PKCE; a server that nobody registered
   * this Computer at gets it registered. A second call for the same login joins the first.
   *
   * @throws ServerNotFoundError, InputError; LoginError whose `failure` says why; ServerStartError; the signal's reason.
   */
  async login(name: string, options: ServerLoginOptions = {}): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.logins.login(name, options);
  }

  /** Whether a login may help an MCP server that wants one: not one whose configuration has credentials. */
  canLogin(name: string): boolean {
    return this.#core.servers.logins.canLogin(name);
  }

  /** Forgets the login at an MCP server, which needs one from then on. @throws ServerNotFoundError, LoginError. */
  async logout(name: string): Promise<void> {
    await this.#core.servers.logins.logout(name);
  }

  /**
   * Registers what turns documents into URIs, in place of one that was there. Protocol §8.3.
   *
   * @returns a function that takes it off again, unless another one has taken its place.
   */
  registerDpeResolver(resolver: DpeResolver): () => void {
    this.#core.documents.resolver = resolver;
    return () => {
      if (this.#core.documents.resolver === resolver) this.#core.documents.resolver = undefined;
    };
  }

  /** Takes the resolver off, whichever it is. */
  unregisterDpeResolver(): void {
    this.#core.documents.resolver = undefined;
  }

  /** Leaves, ends running calls, stops every MCP server and waits until nothing of them is left. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#core.endCalls();
    // What was ended is answered within this turn: only then the connection may go.
    await new Promise((resolve) => setImmediate(resolve));
    await this.#link.close();
    await this.#core.close();
    await this.#starting;
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new TypeError('The Computer was closed');
  }
}
