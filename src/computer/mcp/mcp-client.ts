import { Client, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { TypedEvents } from '../../client/index.js';
import { isJsonObject, type JsonObject, type Logger } from '../../protocol/index.js';
import { FrameTap } from './frame-tap.js';
import { errorFrame, type Frame, type FrameId } from './frames.js';
import {
  IDENTITY,
  readListing,
  type ListedResource,
  type ListedTemplate,
  type ListedTool,
  type Listing,
  type ListKind,
} from './lenient-lists.js';
import {
  CapabilityMissingError,
  ServerStartError,
  UpstreamAuthError,
  UpstreamError,
  type ConnectionEnding,
} from './mcp-errors.js';
import { fetchAllPages, type PageLimits } from './pager.js';
import { ServerHealth } from './server-health.js';
import type { ServerLogSink } from './server-log.js';
import { ServerRequests, type Root, type ServerRequestHandlers } from './server-requests.js';
import { toCallError, toStartError } from './upstream-error-map.js';
import { UpstreamRequests, type RequestOptions } from './upstream-requests.js';
import type { UpstreamTransport } from './upstream-transport.js';

const METHOD_NOT_FOUND = -32601;
const DEFAULT_CALLS_IN_PARALLEL = 32;

/** What happens on a session. */
export interface McpClientEvents {
  toolsChanged: [];
  resourcesChanged: [];
  resourceUpdated: [uri: string];
  /** `health` tells what is wrong, if anything is. */
  healthChanged: [];
  /** The session is over; once, also after `close()`. */
  closed: [ending: ConnectionEnding];
}

/** How to make a {@link McpClient}. */
export interface McpClientOptions {
  /** Name of the MCP server in the configuration. */
  readonly server: string;
  /** A fresh transport; the client owns it. */
  readonly transport: UpstreamTransport & { readonly challenge?: { readonly scope?: string } };
  /** What we say who we are. */
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly logger: Logger;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** What the server is told of as its roots now. @default none */
  readonly roots?: () => readonly Root[];
  /** What answers the server's requests. @default nothing: they are declined */
  readonly serverRequests?: ServerRequestHandlers | undefined;
  readonly pageLimits?: PageLimits;
  /** Gets the server's messages to the log. */
  readonly log?: Pick<ServerLogSink, 'message'> | undefined;
  /** Tool calls that run at a time; more wait in order. @default 32 */
  readonly callsInParallel?: number;
}

/** How long `connect()` may take and what ends it early. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * One live session with one MCP server. The SDK makes the handshake; requests go beside it ({@link FrameTap}), ours
 * ({@link UpstreamRequests}) and the server's ({@link ServerRequests}), so that they arrive as they were written.
 * Used once: a new session is a new client.
 */
export class McpClient {
  readonly events: TypedEvents<McpClientEvents>;
  /** What is wrong with the server, although the session lives. */
  readonly health: ServerHealth;

  readonly #options: McpClientOptions;
  readonly #requests: UpstreamRequests;
  readonly #serverRequests: ServerRequests;
  readonly #client: Client;
  #initializeId: FrameId | undefined;
  #initialized: JsonObject = {};
  #closed = false;

  constructor(options: McpClientOptions) {
    const { server, transport, clientInfo, logger, redact } = options;
    this.#options = options;
    this.events = new TypedEvents((error, event) => {
      logger.error({ server, event, err: error }, 'A listener of an MCP session failed');
    });
    this.health = new ServerHealth(() => {
      this.events.emit('healthChanged');
    });
    transport.onhealth = (aspect, problem) => {
      this.health.set(aspect, problem);
    };
    this.#requests = new UpstreamRequests({
      server,
      callsInParallel: options.callsInParallel ?? DEFAULT_CALLS_IN_PARALLEL,
      send: (message) => transport.send(message),
      sendError: (error) => this.#sendError(error),
      redact,
      onListenerError: (error) => {
        logger.error({ server, err: error }, 'A progress callback failed');
      },
    });
    this.#serverRequests = new ServerRequests({
      server,
      handlers: options.serverRequests ?? {},
      roots: options.roots ?? (() => []),
      send: (message) => transport.send(message),
      logger,
      redact,
    });
    this.#client = new Client({ ...clientInfo }, { capabilities: this.#serverRequests.capabilities });
    this.#client.onerror = (error) => {
      logger.debug({ server, problem: redact(error.message) }, 'The MCP connection reported a problem');
    };
  }

  /** Name of the MCP server in the configuration. */
  get server(): string {
    return this.#options.server;
  }

  /** The capabilities that the server declared, as it wrote them; empty before `connect()`. */
  get capabilities(): JsonObject {
    const { capabilities } = this.#initialized;
    return isJsonObject(capabilities) ? capabilities : {};
  }

  /** Whether the server declared that it tells when its list of resources is another one. */
  get announcesResources(): boolean {
    const { resources } = this.capabilities;
    return isJsonObject(resources) && resources['listChanged'] === true;
  }

  /** Whether the server declared that its resources can be subscribed to. */
  get canSubscribe(): boolean {
    const { resources } = this.capabilities;
    return isJsonObject(resources) && resources['subscribe'] === true;
  }

  /** The end of the server's standard error, without secrets. */
  stderrTail(): string {
    return this.#options.transport.stderrTail();
  }

  /**
   * Opens the transport and makes the handshake. When it fails the transport is closed, and that is awaited.
   *
   * @throws ServerStartError, with exit code and the end of stderr where there was a process.
   */
  async connect({ timeoutMs, signal }: ConnectOptions): Promise<void> {
    const { transport, server } = this.#options;
    const tap = new FrameTap(
      transport,
      (frame) => this.#incoming(frame),
      (message) => {
        this.#outgoing(message);
      },
    );
    tap.onclose = () => {
      this.#onClosed();
    };
    const cut = new Cut(timeoutMs, signal);
    try {
      const connecting = this.#client.connect(tap, { timeout: Math.min(timeoutMs + 1_000, 2 ** 31 - 1) });
      connecting.catch(() => undefined);
      await Promise.race([connecting, cut.promise]);
    } catch (error) {
      const early = transport.ending;
      await this.close();
      throw this.#connectError(error, early?.closedByUs === true ? undefined : early);
    } finally {
      cut.clear();
    }
    // Between the handshake and now the server may have gone.
    const { ending } = transport;
    if (ending !== undefined) {
      throw new ServerStartError(ending.refused ?? 'exited', `${ending.reason} (server "${server}")`, { ending });
    }
  }

  /**
   * Sends any request. The result is the object that the server sent.
   *
   * @throws UpstreamError, UpstreamAuthError, CallTimeoutError, CallCancelledError.
   */
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    return this.#requests.request(method, params, options);
  }

  /** Calls a tool under its own name with exactly these arguments. Throws as {@link McpClient.request}. */
  callTool(name: string, args: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    return this.#requests.request('tools/call', { name, arguments: args }, options);
  }

  /** All pages of the tools; none when the server does not offer tools. Throws as {@link McpClient.request}. */
  listTools(options?: RequestOptions): Promise<Listing<ListedTool>> {
    return this.#listAll('tools', 'tools/list', options);
  }

  /** All pages of the resources; none when the server does not offer any. Throws as {@link McpClient.request}. */
  listResources(options?: RequestOptions): Promise<Listing<ListedResource>> {
    return this.#listAll('resources', 'resources/list', options);
  }

  /** All pages of the resource templates. Throws as {@link McpClient.request}. */
  listResourceTemplates(options?: RequestOptions): Promise<Listing<ListedTemplate>> {
    return this.#listAll('resourceTemplates', 'resources/templates/list', options);
  }

  /**
   * One page of the resources, as the server sent it.
   *
   * @throws CapabilityMissingError when the server does not offer resources; else as {@link McpClient.request}.
   */
  async listResourcesPage(cursor?: string | null, options?: RequestOptions): Promise<JsonObject> {
    this.#needResources();
    return this.request('resources/list', typeof cursor === 'string' ? { cursor } : {}, options);
  }

  /** Reads a resource; the URI goes up exactly as given. Throws as {@link McpClient.listResourcesPage}. */
  async readResource(uri: string, options?: RequestOptions): Promise<JsonObject> {
    this.#needResources();
    return this.request('resources/read', { uri }, options);
  }

  /** Asks for `resourceUpdated` events of a URI. */
  async subscribe(uri: string, options?: RequestOptions): Promise<void> {
    await this.request('resources/subscribe', { uri }, options);
  }

  /** Takes a subscription back. */
  async unsubscribe(uri: string, options?: RequestOptions): Promise<void> {
    await this.request('resources/unsubscribe', { uri }, options);
  }

  /** Tells the server that its roots are others now. */
  async rootsChanged(): Promise<void> {
    await this.#serverRequests.rootsChanged();
  }

  /** Ends the session; what waits fails. Awaits the end of the child process. A second call waits for the first. */
  async close(): Promise<void> {
    this.#serverRequests.close();
    await this.#options.transport.close();
    this.#onClosed();
  }

  async #listAll<Kind extends ListKind>(kind: Kind, method: string, options: RequestOptions | undefined) {
    const { server, pageLimits } = this.#options;
    const offered = kind === 'tools' ? this.capabilities['tools'] : this.capabilities['resources'];
    if (offered === undefined || offered === null) return readListing(server, kind, { items: [], problems: [] });
    try {
      const fetchPage = (cursor?: string): Promise<JsonObject> =>
        this.request(method, cursor === undefined ? {} : { cursor }, options);
      const pages = await fetchAllPages(fetchPage, { key: kind, identity: IDENTITY[kind] }, pageLimits);
      return readListing(server, kind, pages);
    } catch (error) {
      if (!(error instanceof UpstreamError) || error.code !== METHOD_NOT_FOUND) throw error;
      return readListing(server, kind, { items: [], problems: [`the server does not know ${method}`] });
    }
  }

  #needResources(): void {
    const { resources } = this.capabilities;
    if (resources === undefined || resources === null) throw new CapabilityMissingError(this.server, 'resources');
  }

  #outgoing(message: JSONRPCMessage): void {
    if ('method' in message && message.method === 'initialize' && 'id' in message) this.#initializeId = message.id;
  }

  #incoming(frame: Frame): Frame | undefined {
    if (this.#requests.accept(frame) || this.#serverRequests.accept(frame)) return undefined;
    if ('method' in frame) return this.#notified(frame.method, frame.params) ? undefined : frame;
    if ('result' in frame && frame.id === this.#initializeId) return this.#readInitialize(frame.result, frame.id);
    return frame;
  }

  /** Keeps the answer to the handshake whole, and gives the SDK, which is strict about it, only what it needs. */
  #readInitialize(result: JsonObject, id: FrameId): Frame {
    this.#initialized = result;
    const { protocolVersion, instructions } = result;
    if (typeof protocolVersion !== 'string') {
      return errorFrame(id, 'The server answered the handshake without a protocolVersion');
    }
    const info = typeof instructions === 'string' ? { instructions } : undefined;
    const serverInfo = { name: this.server, version: '0' };
    return { jsonrpc: '2.0', id, result: { protocolVersion, capabilities: {}, serverInfo, ...info } };
  }

  #notified(method: string, params: JsonObject | undefined): boolean {
    if (method === 'notifications/tools/list_changed') this.events.emit('toolsChanged');
    else if (method === 'notifications/resources/list_changed') this.events.emit('resourcesChanged');
    else if (method === 'notifications/message') this.#options.log?.message(params);
    else if (method !== 'notifications/resources/updated') return false;
    else if (typeof params?.['uri'] === 'string') this.events.emit('resourceUpdated', params['uri']);
    return true;
  }

  #onClosed(): void {
    if (this.#closed) return;
    this.#closed = true;
    const ending = this.#options.transport.ending ?? { reason: `MCP server "${this.server}" was not started` };
    this.#requests.end(ending);
    this.#serverRequests.close();
    this.events.emit('closed', ending);
  }

  #sendError(error: unknown): Error {
    const { transport } = this.#options;
    if (transport.ending === undefined) {
      const callError = toCallError(this.server, error, transport.challenge);
      callError.message = this.#options.redact(callError.message);
      if (callError instanceof UpstreamAuthError) this.health.set('login', REFUSED[callError.kind]);
      return callError;
    }
    return new UpstreamError(this.server, transport.ending.reason, { ending: transport.ending, cause: error });
  }

  #connectError(error: unknown, ending: ConnectionEnding | undefined): ServerStartError {
    const known = toStartError(error);
    if (error instanceof ServerStartError && error.failure !== 'timeout') return known;
    if (ending !== undefined) {
      return new ServerStartError(ending.refused ?? 'exited', ending.reason, { ending, cause: error });
    }
    const stderrTail = this.stderrTail();
    const details = stderrTail === '' ? undefined : { reason: known.message, stderrTail };
    return new ServerStartError(known.failure, this.#options.redact(known.message), { ending: details, cause: error });
  }
}

/** How a server that runs shows that it refused a request. */
const REFUSED = {
  required: 'it refused a request for want of a login',
  failed: 'it refused a request because the credentials do not suffice',
};

/** Rejects when the time is up or the signal aborts, until it is cleared. */
class Cut {
  readonly promise: Promise<never>;
  readonly clear: () => void;

  constructor(timeoutMs: number, signal: AbortSignal | undefined) {
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    this.promise = new Promise((_, reject) => {
      onAbort = () => {
        reject(new ServerStartError('cancelled', 'The start was cancelled'));
      };
      timer = setTimeout(
        () => {
          reject(new ServerStartError('timeout', `The server did not finish the handshake within ${timeoutMs} ms`));
        },
        Math.min(timeoutMs, 2 ** 31 - 1),
      );
      if (signal?.aborted === true) onAbort();
      signal?.addEventListener('abort', onAbort);
    });
    this.promise.catch(() => undefined);
    this.clear = () => {
      clearTimeout(timer);
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    };
  }
}
