import type { McpServer, ServerContext } from '@modelcontextprotocol/server';

/** A handler as the SDK keeps it: it judges the request by itself. */
type Handler = (request: unknown, context: ServerContext) => Promise<Readonly<Record<string, unknown>>>;

const METHODS = {
  list: 'resources/list',
  templates: 'resources/templates/list',
  read: 'resources/read',
  subscribe: 'resources/subscribe',
  unsubscribe: 'resources/unsubscribe',
} as const;

/** What answers requests for resources. */
export type ResourceHandlers = { readonly [method in keyof typeof METHODS]: Handler | undefined };

/** The accessor that the SDK offers to those who extend its `Server`. */
interface Extensible {
  readonly _getRequestHandler?: (method: string) => Handler | undefined;
}

/**
 * Makes a server of the official SDK ready to serve resources: its capabilities, and its own handlers, which go on
 * answering for what the author registers by himself.
 *
 * @param helper - the name of the function that was called, for messages.
 * @returns the handlers that stand there now.
 * @throws TypeError when it is no `McpServer` of the official SDK, Error when it is too late to declare capabilities.
 */
export function prepareServer(helper: string, server: McpServer): ResourceHandlers {
  const inner = (server as Partial<McpServer> | undefined)?.server;
  if (inner === undefined || typeof (inner as unknown as Extensible)._getRequestHandler !== 'function') {
    throw new TypeError(`${helper}: server: expected an McpServer of "@modelcontextprotocol/server" 2.4 or later`);
  }
  if (inner.transport === undefined) {
    inner.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
    installOwnHandlers(server);
  } else if (!canStillServe(inner)) {
    throw new Error(
      `${helper}: server: it is connected already; call ${helper} before connect(), or make it with the capabilities { resources: { subscribe: true, listChanged: true } }`,
    );
  }
  return handlersOf(inner);
}

function handlersOf(inner: McpServer['server']): ResourceHandlers {
  const { _getRequestHandler: accessor } = inner as unknown as Extensible;
  const entries = Object.entries(METHODS).map(([name, method]) => [name, accessor?.call(inner, method)]);
  return Object.fromEntries(entries) as ResourceHandlers;
}

function canStillServe(inner: McpServer['server']): boolean {
  const { subscribe, listChanged } = inner.getCapabilities().resources ?? {};
  return subscribe === true && listChanged === true && handlersOf(inner).list !== undefined;
}

/** The SDK installs its handlers with the first resource, and refuses to when others stand there. */
function installOwnHandlers(server: McpServer): void {
  const { list, templates, read } = handlersOf(server.server);
  if (list !== undefined || templates !== undefined || read !== undefined) return;
  server.registerResource('placeholder', 'a2c-smcp:placeholder', {}, () => ({ contents: [] })).remove();
}
