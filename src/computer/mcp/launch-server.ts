import { abortable } from '../../client/index.js';
import type { McpServerConfig } from '../../protocol/index.js';
import { InputError } from '../inputs/input-error.js';
import type { HostedServer } from './hosted-server.js';
import type { ListedTool, Listing } from './lenient-lists.js';
import { McpClient, type McpClientOptions } from './mcp-client.js';
import { ServerStartError, type ConnectionEnding } from './mcp-errors.js';
import { makeTransport, type TransportContext } from './open-transports.js';
import type { Root } from './server-requests.js';
import type { StartThrottle } from './start-throttle.js';
import type { Session } from './supervisor.js';
import { httpStatusOf, toStartError } from './upstream-error-map.js';

/** What starting a server takes. */
export interface LaunchContext
  extends
    Pick<TransportContext, 'authorizerOf' | 'network' | 'log'>,
    Pick<McpClientOptions, 'clientInfo' | 'logger' | 'redact' | 'serverRequests' | 'pageLimits' | 'callsInParallel'> {
  /** The roots of a server as they are now. */
  readonly rootsOf: (server: string) => readonly Root[];
  /**
   * Fills in the inputs of a configuration; called at every start. Throws InputError or ServerStartError (`needs-input`,
   * `bad-config`); every other error counts as `bad-config`.
   */
  readonly render: (config: McpServerConfig) => Promise<McpServerConfig>;
  readonly throttle: StartThrottle;
  /** For connecting and the first list of tools, in ms; waiting for inputs and for a free slot does not count. */
  readonly startTimeoutMs: number;
}

/** A server that runs: its session and what it listed at first. */
export interface LiveServer extends Session {
  readonly client: McpClient;
  readonly listing: Listing<ListedTool>;
  /** The server said that its tools changed while it was listing them: they are to be listed once more. */
  readonly isStale: boolean;
}

/**
 * Starts a server: renders its configuration, connects, lists its tools. Leaves nothing behind when it fails.
 *
 * @throws ServerStartError.
 */
export async function launchServer(
  { config, sseFallback }: HostedServer,
  context: LaunchContext,
  signal: AbortSignal,
): Promise<LiveServer> {
  const rendered = await render(config, context, signal);
  const release = await context.throttle.acquire(signal);
  try {
    const deadline = Date.now() + context.startTimeoutMs;
    try {
      return await connect(rendered, context, { signal, deadline });
    } catch (error) {
      if (sseFallback !== true || !speaksNoStreamableHttp(error)) throw error;
      return await connect(rendered, context, { signal, deadline, kind: 'sse' });
    }
  } finally {
    release();
  }
}

async function render(config: McpServerConfig, context: LaunchContext, signal: AbortSignal): Promise<McpServerConfig> {
  try {
    return await abortable(context.render(config), signal);
  } catch (error) {
    if (error instanceof ServerStartError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ServerStartError(error instanceof InputError ? 'needs-input' : 'bad-config', message, { cause: error });
  }
}

/** A 4xx for the handshake is how an older server shows itself; 401 and 403 are about the credentials. */
function speaksNoStreamableHttp(error: unknown): boolean {
  const status = error instanceof ServerStartError ? httpStatusOf(error.cause) : undefined;
  return status !== undefined && status >= 400 && status < 500 && status !== 401 && status !== 403;
}

async function connect(
  config: McpServerConfig,
  context: LaunchContext,
  { signal, deadline, kind }: { signal: AbortSignal; deadline: number; kind?: 'sse' },
): Promise<LiveServer> {
  const { name: server } = config;
  const roots = (): readonly Root[] => context.rootsOf(server);
  const client = new McpClient({ ...context, server, roots, transport: makeTransport(config, context, kind) });
  const closed = new Promise<ConnectionEnding>((resolve) => {
    client.events.on('closed', resolve);
  });
  try {
    await client.connect({ timeoutMs: Math.max(1, deadline - Date.now()), signal });
    let isStale = false;
    const off = client.events.on('toolsChanged', () => {
      isStale = true;
    });
    const listing = await client.listTools({ timeoutMs: Math.max(1, deadline - Date.now()), signal });
    off();
    return { client, listing, isStale, closed, tools: listing.items.length, close: () => client.close() };
  } catch (error) {
    await client.close();
    const { failure, message, ending } = toStartError(error);
    const known = ending ?? { reason: message, stderrTail: client.stderrTail() };
    throw new ServerStartError(failure, message, {
      ending: known,
      cause: error instanceof ServerStartError ? error.cause : error,
    });
  }
}
