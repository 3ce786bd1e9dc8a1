import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { othersNetwork, type NetworkOptions, type NetworkSettings } from '../../client/index.js';
import type { JsonObject } from '../../protocol/index.js';
import { DocumentStore, type DocumentStoreOptions } from './document-store.js';
import type { DpeResolver, DpeResolverHint, ResolvedResource } from './dpe-resolver.js';
import { placeDocument } from './place-document.js';
import type { ReferenceOptions } from './references.js';

/** Settings of a {@link FileDpeResolver}. `proxy` and `ca` hold for what references are copied from. */
export interface FileDpeResolverOptions extends DocumentStoreOptions, Pick<NetworkOptions, 'proxy' | 'ca'> {
  /** What happens to documents that an MCP server has elsewhere. */
  readonly references?: ReferenceOptions;
}

/**
 * Writes documents to files named after their content, and answers `file:` URIs: for an Agent on the same machine, as
 * the same user. Bytes and MIME type are kept as they were read. Files are removed when nobody asked for them for some
 * time, or others need the room: an Agent that finds one gone asks again. Protocol §8.3, §8.4.
 */
export class FileDpeResolver implements DpeResolver, AsyncDisposable {
  readonly #store: DocumentStore;
  readonly #references: ReferenceOptions | undefined;
  readonly #network: NetworkSettings | undefined;

  /** @throws TypeError naming the option that is wrong. */
  constructor(options: FileDpeResolverOptions = {}) {
    const { references, proxy, ca, ...store } = options;
    this.#store = new DocumentStore(store);
    this.#references = references;
    this.#network = othersNetwork({ ...(proxy === undefined ? {} : { proxy }), ...(ca === undefined ? {} : { ca }) });
  }

  /** Makes the folder now, which happens by itself else. @throws Error when it cannot be used. */
  async prepare(): Promise<void> {
    await this.#store.prepare();
  }

  /**
   * @throws Error when there is neither text nor blob, the document is too large, or the file cannot be written.
   */
  async resolve(
    dpeUri: string,
    contents: readonly JsonObject[],
    hint: Pick<DpeResolverHint, 'mimeType'>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ResolvedResource> {
    const how = { references: this.#references, network: this.#network, signal };
    const placed = await placeDocument({ dpeUri, contents, hint }, this.#store, how);
    if (placed.kind === 'elsewhere') return placed.resolved;
    const { path, size } = placed.document;
    return { uri: pathToFileURL(path).href, mimeType: placed.mimeType, size };
  }

  /** Whether the file is still there; it counts as used then. */
  isCurrent({ uri, size }: ResolvedResource): boolean {
    if (!uri.startsWith('file:')) return true;
    return this.#store.isThere({ name: basename(fileURLToPath(uri)), size: size ?? 0 });
  }

  /** Removes the folder if it was made for this resolver alone; a given one stays. Idempotent. */
  async close(): Promise<void> {
    await this.#store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
