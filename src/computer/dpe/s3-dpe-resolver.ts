import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';
import { abortable, othersNetwork, type NetworkOptions, type NetworkSettings } from '../../client/index.js';
import type { JsonObject } from '../../protocol/index.js';
import { contentName } from './content-name.js';
import { documentSource, type DocumentReference, type InlineDocument } from './document-source.js';
import { DocumentStore } from './document-store.js';
import type { DpeResolver, DpeResolverHint, ResolvedResource } from './dpe-resolver.js';
import { placeReference, type ReferenceOptions } from './references.js';
import { S3Store, type S3ClientLike, type S3Credentials } from './s3-store.js';

/**
 * Settings of an {@link S3DpeResolver}. `proxy` and `ca` hold for the store, but not with a `client`, and for what
 * references are copied from.
 */
export interface S3DpeResolverOptions extends Pick<NetworkOptions, 'proxy' | 'ca'> {
  /** Must exist. */
  readonly bucket: string;
  /**
   * Goes before the names of the documents, such as `agents/documents`.
   *
   * @default none
   */
  readonly prefix?: string | undefined;
  /** @default what the AWS SDK finds in the environment or the profile; with an endpoint, `us-east-1` else */
  readonly region?: string | undefined;
  /**
   * The address of a store that is not AWS, such as `http://127.0.0.1:9000`. It stands in the addresses that Agents
   * get: they must reach it too.
   *
   * @default AWS
   */
  readonly endpoint?: string | undefined;
  /**
   * Whether the bucket stands in the path of addresses, and not in their host.
   *
   * @default true with an endpoint
   */
  readonly forcePathStyle?: boolean | undefined;
  /**
   * Keys, or what gets them whenever they are needed.
   *
   * @default what the AWS SDK finds: the environment, a profile, the role of the machine …
   */
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  /**
   * An `S3Client` of `@aws-sdk/client-s3` instead of region, endpoint, style and credentials. It stays open.
   *
   * @default one that is made for this resolver, and ended by `close()`
   */
  readonly client?: S3ClientLike | undefined;
  /**
   * How long an address is valid, in seconds; at most seven days. With credentials that expire sooner it ends with them.
   *
   * @default 3600
   */
  readonly expiresInSeconds?: number | undefined;
  /**
   * The largest document, in bytes.
   *
   * @default 268435456 (256 MB)
   */
  readonly maxDocumentBytes?: number | undefined;
  /** What happens to documents that an MCP server has elsewhere. */
  readonly references?: ReferenceOptions | undefined;
}

/** A document on its way to the store. */
interface NamedDocument {
  /** After its content. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly mimeType: string | undefined;
  readonly chunks: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const DEFAULT_EXPIRY_SECONDS = 3600;
/** A limit of the signature. */
const MAX_EXPIRY_SECONDS = 7 * 24 * 3600;
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

/**
 * Keeps documents in a bucket of S3, or of a store that speaks its language, and answers addresses that are signed and
 * expire: for Agents anywhere that reach the store. It needs the packages `@aws-sdk/client-s3` and
 * `@aws-sdk/s3-request-presigner`, which are loaded with the first document.
 *
 * Documents are named after their content, so that each is uploaded once; names tell nothing of where they come from.
 * Nothing is ever removed: let a lifecycle rule of the bucket do that, some days after the upload. The credentials need
 * `s3:PutObject` and `s3:GetObject` on the prefix, and `s3:AbortMultipartUpload` to clear up behind large uploads that
 * fail.
 *
 * Tested against versitygw, which checks signatures and expiry; not against AWS itself, MinIO, Ceph and others.
 * Protocol §8.3, §8.4.
 */
export class S3DpeResolver implements DpeResolver, AsyncDisposable {
  readonly #options: S3DpeResolverOptions;
  readonly #prefix: string;
  readonly #expiresInSeconds: number;
  readonly #maxBytes: number;
  readonly #network: NetworkSettings | undefined;
  #store: Promise<S3Store> | undefined;
  #closed = false;

  /** @throws TypeError naming the option that is wrong. */
  constructor(options: S3DpeResolverOptions) {
    const { expiresInSeconds = DEFAULT_EXPIRY_SECONDS, maxDocumentBytes = DEFAULT_MAX_BYTES } = options;
    assertOptions(options);
    if (!Number.isInteger(expiresInSeconds) || expiresInSeconds < 1 || expiresInSeconds > MAX_EXPIRY_SECONDS) {
      throw new TypeError(`expiresInSeconds: expected 1 to ${MAX_EXPIRY_SECONDS}`);
    }
    if (!(maxDocumentBytes > 0)) throw new TypeError('maxDocumentBytes: expected a positive number');
    this.#options = options;
    this.#network = othersNetwork(options);
    this.#prefix = options.prefix === undefined ? '' : `${options.prefix.replace(/\/$/, '')}/`;
    this.#expiresInSeconds = expiresInSeconds;
    this.#maxBytes = maxDocumentBytes;
  }

  /**
   * Loads the AWS SDK and looks for region and credentials, without a request to the store: to hear of what is missing
   * at the start and not with the first document.
   *
   * @throws Error that says what to install or to set.
   */
  async prepare(): Promise<void> {
    await (await this.#open()).checkCredentials();
  }

  /** @throws Error when the document has no bytes or too many, or the store fails; it holds no secret. */
  async resolve(
    dpeUri: string,
    contents: readonly JsonObject[],
    hint: Pick<DpeResolverHint, 'mimeType'>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ResolvedResource> {
    const source = documentSource(dpeUri, contents, hint);
    return source.kind === 'reference' ? this.#place(source, signal) : this.#keepInline(source, signal);
  }

  /** Ends the connections to the store; what is under way fails. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const store = await this.#store?.catch(() => undefined);
    store?.[Symbol.dispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #keepInline(document: InlineDocument, signal: AbortSignal): Promise<ResolvedResource> {
    const { size, mimeType } = document;
    if (size > this.#maxBytes) throw new Error(`The document is larger than the limit of ${this.#maxBytes} bytes`);
    const name = await contentName(document, signal);
    return this.#keep({ name, size, mimeType, chunks: () => document.chunks() }, signal);
  }

  async #place(reference: DocumentReference, signal: AbortSignal): Promise<ResolvedResource> {
    // The name is known when the last byte is, and the store wants it first: a copy is made on disk, for that long.
    const spool = new DocumentStore({ maxDocumentBytes: this.#maxBytes, maxTotalBytes: this.#maxBytes });
    try {
      const how = { ...this.#options.references, network: this.#network, signal };
      const placed = await placeReference(reference, spool, how);
      if (placed.kind === 'elsewhere') return placed.resolved;
      const { document, mimeType } = placed;
      return await this.#keep({ ...document, mimeType, chunks: () => piecesOf(document.path) }, signal);
    } finally {
      await spool.close();
    }
  }

  async #keep({ name, size, mimeType, chunks }: NamedDocument, signal: AbortSignal): Promise<ResolvedResource> {
    const store = await abortable(this.#open(), signal);
    const key = this.#prefix + name;
    const contentType = contentTypeOf(mimeType);
    const found = await store.head(key, signal);
    // What a rule is about to remove is uploaded anew: its age begins again, and it is there as long as the address.
    const isThere = found?.size === size && found.removedAt > Date.now() + this.#expiresInSeconds * 1000;
    const etag = isThere ? found.etag : await store.put({ key, contentType, size, chunks: chunks() }, signal);
    // Another document with the same bytes may have been of another type.
    const override = isThere && found.contentType !== contentType ? contentType : undefined;
    const settings = { expiresInSeconds: this.#expiresInSeconds, contentType: override };
    const { uri, expiresAt } = await abortable(store.sign(key, settings), signal);
    const meta = { expires_at: expiresAt.toISOString(), ...(etag === undefined ? {} : { etag }) };
    return { uri, mimeType, size, _meta: meta };
  }

  async #open(): Promise<S3Store> {
    if (this.#closed) throw new Error('The resolver is closed');
    this.#store ??= S3Store.open({ ...this.#options, network: this.#network });
    try {
      return await this.#store;
    } catch (error) {
      // What is missing may be there the next time.
      this.#store = undefined;
      throw error;
    }
  }
}

function assertOptions({ bucket, prefix, endpoint, client, ...others }: S3DpeResolverOptions): void {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new TypeError('bucket: expected 3 to 63 lower-case letters, digits, dots and hyphens');
  }
  if (prefix !== undefined && !isPrefix(prefix)) {
    throw new TypeError('prefix: expected letters, digits and . _ - between slashes, such as "agents/documents"');
  }
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    throw new TypeError('endpoint: expected an http: or https: address without user, query and fragment');
  }
  const { region, forcePathStyle, credentials } = others;
  if (region !== undefined && !/^[A-Za-z0-9-]{1,64}$/.test(region)) {
    throw new TypeError('region: expected a name such as "eu-central-1"');
  }
  if (client !== undefined && [endpoint, region, forcePathStyle, credentials].some((value) => value !== undefined)) {
    throw new TypeError('client: goes instead of region, endpoint, forcePathStyle and credentials, not with them');
  }
}

function isPrefix(prefix: string): boolean {
  return (
    prefix.length <= 512 &&
    /^[\w.-]+(\/[\w.-]+)*\/?$/.test(prefix) &&
    !prefix.split('/').some((part) => /^\.+$/.test(part))
  );
}

function isEndpoint(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, username, password, search, hash } = new URL(endpoint);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '');
}

/** A MIME type comes from an MCP server: a header takes only what is one. */
function contentTypeOf(mimeType: string | undefined): string {
  const isSafe = mimeType !== undefined && /^[\w.+-]+\/[\w.+-]+( *;[\x20-\x7e]*)?$/.test(mimeType);
  return isSafe && mimeType.length <= 255 ? mimeType : 'application/octet-stream';
}

/** A file in pieces that are good until the next is asked for: a new one each time would pile up until it is collected. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const handle = await open(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(READ_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, piece.length);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
