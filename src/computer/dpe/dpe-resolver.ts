import type { JsonObject } from '../../protocol/index.js';

/** What a resolver is told beside the content. */
export interface DpeResolverHint {
  /** The MCP server that the content comes from. */
  readonly mcpServerName: string;
  /** As the content or the listed resource says, if either does. */
  readonly mimeType: string | undefined;
  /** The name that the request gives as its Agent's; not proven. */
  readonly agent: string;
  /** The id of the request. */
  readonly reqId: string;
  /** The resource as the MCP server last listed it, if it did. */
  readonly resource: JsonObject | undefined;
}

/** Where the Agent can fetch a document. */
export interface ResolvedResource {
  /** An absolute URI of any scheme. */
  readonly uri: string;
  readonly mimeType?: string | undefined;
  /** In bytes. */
  readonly size?: number | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly annotations?: JsonObject | undefined;
  readonly _meta?: JsonObject | undefined;
}

/**
 * Turns a document into a URI that the Agent can fetch by itself. Registered by the application; the content never
 * crosses Socket.IO. Protocol §8.3.
 */
export interface DpeResolver {
  /**
   * @param dpeUri - the document, without a query.
   * @param contents - `contents` of the MCP server's answer to `resources/read`, as it came; never empty.
   * @param options - `signal` is aborted when the time is up or the Computer closes.
   * @throws whatever it likes: the Agent gets 4013 `resolver_error`, the log the message.
   */
  resolve(
    dpeUri: string,
    contents: readonly JsonObject[],
    hint: DpeResolverHint,
    options: { readonly signal: AbortSignal },
  ): Promise<ResolvedResource>;
}
