import type { JsonObject } from '../../protocol/index.js';
import { etagOf } from './document-answer.js';
import { DocumentServer } from './document-server.js';
import { DocumentStore } from './document-store.js';
import type { DpeResolver, DpeResolverHint, ResolvedResource } from './dpe-resolver.js';
import { hostInUrl, httpDpeSettings, type HttpDpeResolverOptions, type HttpDpeSettings } from './http-dpe-options.js';
import { placeDocument } from './place-document.js';
import { SignedUrls } from './signed-urls.js';

/** The longest MIME type that a URL carries, in characters. */
const MAX_TYPE_LENGTH = 200;

/**
 * Serves documents from the Computer under `http:` URLs that are signed, expire, and cannot be guessed: for Agents on
 * this machine or in its network, in browsers too. Whoever has a URL can read that document until it expires, and nothing
 * else. `GET` and `HEAD`, byte ranges, validators, CORS. Protocol §8.3, §8.4.
 *
 * @example
 * await using documents = await HttpDpeResolver.listen();
 * await using computer = new Computer({ documents, servers });
 */
export class HttpDpeResolver implements DpeResolver, AsyncDisposable {
  /** Where the documents are: what every URL begins with. */
  readonly url: string;
  readonly #settings: HttpDpeSettings;
  readonly #store: DocumentStore;
  readonly #urls: SignedUrls;
  readonly #server: DocumentServer;

  private constructor(settings: HttpDpeSettings, parts: HttpDpeParts) {
    const { host, publicUrl } = settings;
    this.#settings = settings;
    this.#store = parts.store;
    this.#urls = parts.urls;
    this.#server = parts.server;
    this.url = publicUrl ?? `http://${hostInUrl(host)}:${parts.server.port}`;
  }

  /**
   * Begins to listen.
   *
   * @throws TypeError naming the option that is wrong; Error when the folder cannot be used, or with a `code` such as
   *   EADDRINUSE.
   */
  static async listen(options: HttpDpeResolverOptions = {}): Promise<HttpDpeResolver> {
    const settings = httpDpeSettings(options);
    const store = new DocumentStore(settings.store, settings.now);
    await store.prepare();
    const urls = new SignedUrls(settings.secret, settings.now);
    const server = await DocumentServer.listen({ ...settings, store, urls }, settings).catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
    return new HttpDpeResolver(settings, { store, urls, server });
  }

  /**
   * @returns the URL, with `_meta.expires_at` and `_meta.etag`.
   * @throws Error when there is neither text nor blob, the document is too large, or it cannot be written.
   */
  async resolve(
    dpeUri: string,
    contents: readonly JsonObject[],
    hint: Pick<DpeResolverHint, 'mimeType'>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ResolvedResource> {
    const { references, network, now, lifetimeMs } = this.#settings;
    const placed = await placeDocument({ dpeUri, contents, hint }, this.#store, { references, network, signal });
    if (placed.kind === 'elsewhere') return placed.resolved;
    const { mimeType, document } = placed;
    const { name, size } = document;
    const isShort = (mimeType ?? '').length <= MAX_TYPE_LENGTH;
    const expiresAt = Math.floor((now() + lifetimeMs) / 1000) * 1000;
    return {
      uri: this.#urls.sign(this.url, { name, mimeType: isShort ? mimeType : undefined, expiresAt }),
      mimeType,
      size,
      _meta: { expires_at: new Date(expiresAt).toISOString(), etag: etagOf(name) },
    };
  }

  /** Whether the document is still kept; it counts as used then. */
  isCurrent({ uri, size }: ResolvedResource): boolean {
    if (!uri.startsWith(this.url)) return true;
    const signed = this.#urls.check(uri);
    return typeof signed === 'object' && this.#store.isThere({ name: signed.name, size: size ?? 0 });
  }

  /** Takes no more requests, waits a moment for those who are reading, and removes a folder of its own. Idempotent. */
  async close(): Promise<void> {
    await this.#server.close();
    await this.#store.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

interface HttpDpeParts {
  readonly store: DocumentStore;
  readonly urls: SignedUrls;
  readonly server: DocumentServer;
}
