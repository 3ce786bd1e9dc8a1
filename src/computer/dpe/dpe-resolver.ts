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
  /**
   * `expires_at`: until when the URI works, in ISO 8601; the same answer is given again to others until shortly before.
   * `etag`: tells this content from another.
   */
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
   * @param hint - `agent` and `reqId` are those of the first of several requests that wait for the same document.
   * @param options - `signal` is aborted when the time of all of them is up, or the Computer closes.
   * @throws whatever it likes: the Agent gets 4013 `resolver_error`, the log the message.
   */
  resolve(
    dpeUri: string,
    contents: readonly JsonObject[],
    hint: DpeResolverHint,
    options: { readonly signal: AbortSignal },
  ): Promise<ResolvedResource>;

  /**
   * Whether an answer may be given again: asked each time, when the document has not changed since. With or without
   * this method an answer is given again until shortly before its `_meta.expires_at`, or for five minutes at most where
   * it has none.
   */
  isCurrent?(resolved: ResolvedResource, dpeUri: string): boolean | Promise<boolean>;

  /** A document has changed, or may have, since the answer that was kept for it. Must not throw. */
  forget?(dpeUri: string): void;
}
