import type { McpServer } from '@modelcontextprotocol/server';
import { ChangeNotices } from './change-notices.js';
import type { McpResource } from './mcp-resource.js';
import { present } from './options.js';
import { PagedList } from './paged-list.js';
import type { ResourceContent } from './resource-content.js';
import { isForClient, ResourceError } from './resource-error.js';
import { ResourceSet, type McpTemplate } from './resource-set.js';
import { prepareServer, type ResourceHandlers } from './sdk-server.js';

const hubs = new WeakMap<McpServer, ResourceHub>();

/**
 * Answers `resources/*` of one MCP server for its windows and documents, and leaves everything else to the handlers
 * that stood there before: what the author registers by himself is listed behind them.
 */
export class ResourceHub {
  readonly set = new ResourceSet();
  readonly notices: ChangeNotices;
  readonly #server: McpServer['server'];
  readonly #pages = new PagedList();

  /**
   * The hub of a server, made when there is none.
   *
   * @param helper - the name of the function that was called, for messages.
   * @throws TypeError, Error as `prepareServer`.
   */
  static of(helper: string, server: McpServer): ResourceHub {
    const known = hubs.get(server);
    if (known !== undefined) return known;
    const handlers = prepareServer(helper, server);
    const hub = new ResourceHub(server.server);
    hub.#answerLists(handlers);
    hub.#answerReads(handlers);
    hub.#answerSubscriptions(handlers);
    hubs.set(server, hub);
    return hub;
  }

  private constructor(server: McpServer['server']) {
    this.#server = server;
    this.notices = new ChangeNotices(server, (error) => {
      this.report(error);
    });
  }

  /** Tells the author, through `onerror` of his server, what the client is not told. */
  report(error: unknown): void {
    try {
      this.#server.onerror?.(error instanceof Error ? error : new Error(String(error)));
    } catch {
      // What he makes of it is no business of the client.
    }
  }

  #answerLists({ list, templates }: ResourceHandlers): void {
    this.#server.setRequestHandler('resources/list', async (request, context) => {
      this.notices.clientAsked(context);
      const cursor = request.params?.cursor;
      if (cursor !== undefined && !PagedList.isCursor(cursor)) return withResources([], await list?.(request, context));
      const load = (): Promise<readonly McpResource[]> => this.set.list(context.mcpReq.signal);
      const page = await this.#guard('The resources could not be listed', () => this.#pages.page(cursor, load));
      const { resources, nextCursor } = page;
      if (nextCursor !== undefined) return { resources: [...resources], nextCursor };
      return withResources(resources, await list?.(withoutCursor(request), context));
    });
    this.#server.setRequestHandler('resources/templates/list', async (request, context) => {
      const own = request.params?.cursor === undefined ? this.set.templates() : [];
      const theirs = await templates?.(request, context);
      const others = (theirs?.['resourceTemplates'] ?? []) as McpTemplate[];
      return { ...theirs, resourceTemplates: [...own, ...others] };
    });
  }

  #answerReads({ read }: ResourceHandlers): void {
    this.#server.setRequestHandler('resources/read', async (request, context) => {
      this.notices.clientAsked(context);
      const wanted = { uri: request.params.uri, signal: context.mcpReq.signal };
      const contents = await this.#guard('The resource could not be read', () => this.set.read(wanted));
      if (contents !== undefined) return { contents };
      if (read === undefined) throw ResourceError.invalidParams('There is no such resource');
      return (await read(request, context)) as { contents: ResourceContent[] };
    });
  }

  #answerSubscriptions({ subscribe, unsubscribe }: ResourceHandlers): void {
    const { subscriptions } = this.notices;
    this.#server.setRequestHandler('resources/subscribe', async (request, context) => {
      await subscribe?.(request, context);
      subscriptions.add(request.params.uri);
      return {};
    });
    this.#server.setRequestHandler('resources/unsubscribe', async (request, context) => {
      subscriptions.remove(request.params.uri);
      await unsubscribe?.(request, context);
      return {};
    });
  }

  /** What fails in the author's functions may name paths, addresses or secrets: the client gets one sentence. */
  async #guard<T>(sentence: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      if (isForClient(error)) throw error;
      this.report(error);
      throw ResourceError.internal(sentence);
    }
  }
}

interface ListRequest {
  readonly params?: { readonly cursor?: string | undefined } | undefined;
}

/** The same request for a first page. */
function withoutCursor<T extends ListRequest>(request: T): T {
  return { ...request, params: present({ ...request.params, cursor: undefined }) };
}

function withResources(
  own: readonly McpResource[],
  theirs: Readonly<Record<string, unknown>> | undefined,
): { resources: McpResource[] } {
  return { ...theirs, resources: [...own, ...((theirs?.['resources'] ?? []) as McpResource[])] };
}
