import { TypedEvents, type Membership, type Unsubscribe } from '../client/index.js';
import type { CallToolResult, McpServerInput, SmcpTool, ToolMeta } from '../protocol/index.js';
import type { AccessRules } from './access/access-rules.js';
import type { PausedState } from './access/call-gate.js';
import { announceChanges } from './announce-changes.js';
import type { CallHistoryEntry } from './calls/call-history.js';
import { readOwnCall, type OwnToolCall } from './calls/own-call.js';
import type { RunningCall } from './calls/running-calls.js';
import type { OwnCallOptions } from './calls/tool-calls.js';
import { ComputerCore } from './computer-core.js';
import type { ComputerEvents, HostedServerStatus } from './computer-events.js';
import {
  configOf,
  connectionOptionsOf,
  type ComputerConnectionOptions,
  type ComputerOptions,
} from './computer-options.js';
import { readServerEntry, type ComputerConfig } from './config/parse-config.js';
import { configText, writeConfig, type WrittenConfig } from './config/write-config.js';
import type { DesktopStatus } from './desktop/desktop-status.js';
import type { DesktopQuery } from './desktop/desktop.js';
import type { DocumentsStatus } from './dpe/documents.js';
import type { DpeResolver } from './dpe/dpe-resolver.js';
import type { ListedDocument } from './dpe/host-index.js';
import { registerHandlers } from './handlers.js';
import { messageOf } from './hosting.js';
import type { InputValueStatus } from './inputs/input-resolver.js';
import { explainTool, toolDetails, type ToolDetails, type ToolExplanation } from './mcp/index.js';
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
      origin: () => ({ agent: this.#link.agentName, officeId: this.membership?.officeId }),
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

  /** The documents that the MCP servers list, server by server; of one that is down what it listed last. Protocol §4.3. */
  listedDocuments(): readonly ListedDocument[] {
    return this.#core.documents.list();
  }

  /** Which hosts of documents there are, who uses them, and whether there is a resolver. Protocol §8.3. */
  documents(): DocumentsStatus {
    return this.#core.documents.status();
  }

  /**
   * Why the desktop is as it is: for each server whether it takes part, what it lists, and what of that is not shown.
   * Looks at the windows first, which takes as long as {@link Computer.desktop}.
   */
  async desktopStatus(): Promise<DesktopStatus> {
    return this.#core.desktopStatus();
  }

  /** What is known of a tool, by the name that Agents call; one that is not listed is found by its own name too. */
  tool(name: string): ToolDetails | undefined {
    return toolDetails(name, this.#core.servers.manager.toolFacts());
  }

  /** Why a name cannot be called; `undefined` when it can. */
  explainTool(name: string): ToolExplanation | undefined {
    return explainTool(name, this.#core.servers.manager.toolFacts());
  }

  /**
   * The last lines that an MCP server wrote for a person, oldest first, over all its runs: its standard error, and its
   * MCP messages to the log. Without secrets; 64 KiB and 200 messages are kept.
   *
   * @throws ServerNotFoundError.
   */
  serverLog(name: string): readonly string[] {
    return this.#core.servers.manager.serverLog(name);
  }

  /**
   * The present configuration as a configuration file would have it, with everything that was changed while the Computer
   * ran. Placeholders are as they were written, and so are literals that may be secrets: it is for the owner's own
   * file, and nobody else. `readConfig` of it gives the same servers and inputs; names such as `10` and `2` stand
   * first in an object, and where their order counts {@link Computer.configurationText} has it.
   */
  configuration(): WrittenConfig {
    return writeConfig(this.#presentConfig());
  }

  /** The same as the text of a file, which `parseConfig` reads, servers in order. */
  configurationText(): string {
    return configText(this.#presentConfig());
  }

  /** The owner's pause; `undefined` while calls are let through. */
  get paused(): PausedState | undefined {
    return this.#core.gate.paused;
  }

  /**
   * Answers every call of an Agent with 4002 from now on, until {@link Computer.resume}. What runs, or is being
   * confirmed, goes on; see {@link Computer.stopCalls}. Tools, desktop and documents stay as they are.
   *
   * @param reason - Agents are told; the first 500 characters.
   */
  pause(reason?: string): void {
    this.#events.emit('paused', this.#core.gate.pause(reason));
  }

  /** Lets calls through again; does nothing when the Computer is not paused. */
  resume(): void {
    if (this.#core.gate.resume()) this.#events.emit('resumed');
  }

  /** The rules that decide which calls of Agents are let through. */
  get access(): AccessRules {
    return this.#core.gate.access;
  }

  /** Other rules from now on; calls that run go on. @throws TypeError naming the field. */
  setAccess(rules: AccessRules): void {
    this.#core.gate.access = rules;
  }

  /** The calls that run now, the owner's own too, oldest first; names are without secrets. */
  runningCalls(): readonly RunningCall[] {
    return this.#core.calls.list();
  }

  /**
   * Ends running calls: their MCP servers are told as at a cancel, and they are answered with `isError` and 4003, saying
   * that the owner stopped them.
   *
   * @param reqId - ends the calls of this id only, as {@link Computer.runningCalls} has it.
   * @returns how many were ended.
   */
  stopCalls(reqId?: string): number {
    return this.#core.calls.stop(reqId);
  }

  /**
   * Calls a tool as the Computer's owner. The call goes the way of an Agent's (aliases, `forbidden_tools`, validation,
   * confirmation, budget, VRL, history, events, audit), where it is marked `local`; pause and access rules, which are
   * about Agents, do not stop it.
   *
   * @returns the result; a failure is one with `isError`.
   * @throws TypeError naming the field of the request that is wrong; the signal's reason.
   */
  async callTool(request: OwnToolCall, options: OwnCallOptions = {}): Promise<CallToolResult> {
    this.#assertOpen();
    return this.#core.calls.executeOwn(readOwnCall(request, this.name), options);
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
    this.#core.checkAudit();
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

  /**
   * Merges fields into the metadata of one tool, such as `{ auto_apply: true }`; null takes a field out. Nothing is
   * restarted. Protocol §7.3.
   *
   * @param tool - the tool's own name on that server.
   * @throws ServerNotFoundError; ConfigError naming the field.
   */
  async setToolMeta(server: string, tool: string, patch: ToolMeta): Promise<void> {
    this.#assertOpen();
    await this.#core.servers.setToolMeta(server, tool, patch);
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
   * Fills in every `${input:ID}` and `${env:NAME}` in a JSON value, asking for what is missing; a text that is exactly
   * one placeholder takes the value's own type. The outcome holds secrets in clear; what came from inputs stays known
   * to the redactor.
   *
   * @throws InputError when an id is not defined, naming those that were probably meant, or something has no value;
   *   TypeError when the value nests too deep; the signal's reason.
   */
  async render(value: unknown, options: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
    this.#assertOpen();
    return this.#core.servers.inputs.renderValue(value, options.signal);
  }

  /** A copy of a JSON value in which every secret that this Computer knows of is masked. */
  redact<T>(value: T): T {
    return this.#shared.redactor.redactValue(value) as T;
  }

  /**
   * Tells the office that configuration and tools may be others now, so that Agents fetch them again. Real changes are
   * told without it. Protocol §3.2.
   *
   * @returns whether it was told: false outside an office.
   */
  notifyUpdate(): boolean {
    const told = this.#link.announce('server:update_tool_list');
    return this.#link.announce('server:update_config') && told;
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

  #presentConfig(): ComputerConfig {
    const { config, inputs } = this.#core.servers;
    // Before the start nothing is hosted yet; inputs can be changed all the same.
    return this.#starting === undefined ? { ...this.#config, inputs: inputs.definitions } : config;
  }

  #assertOpen(): void {
    if (this.#closed !== undefined) throw new TypeError('The Computer was closed');
  }
}
