import { Buffer } from 'node:buffer';
import type * as S3 from '@aws-sdk/client-s3';
import type * as Presigner from '@aws-sdk/s3-request-presigner';
import { linkedSignal, type NetworkSettings } from '../../client/index.js';
import { openS3Agent, type S3Agent } from './s3-agent.js';
import { s3Failure, statusOf } from './s3-failure.js';

/** Keys for a store. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** When they expire; no address is given that claims to be valid for longer. */
  readonly expiration?: Date;
}

/** An `S3Client` of `@aws-sdk/client-s3`, as far as it is used here. */
export interface S3ClientLike {
  readonly config: object;
  send(command: never, options?: never): Promise<unknown>;
}

/** Where the store is, and who we are there. */
export interface S3StoreOptions {
  readonly bucket: string;
  readonly region?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly forcePathStyle?: boolean | undefined;
  readonly credentials?: S3Credentials | (() => Promise<S3Credentials>) | undefined;
  readonly client?: S3ClientLike | undefined;
  /** The way there; absent: the AWS SDK's own. */
  readonly network?: NetworkSettings | undefined;
}

/** What is stored under a key. */
export interface StoredObject {
  readonly size: number | undefined;
  readonly contentType: string | undefined;
  /** As HTTP writes it, in quotes. */
  readonly etag: string | undefined;
  /** When a lifecycle rule removes it, in ms since 1970; `Infinity` when none does. */
  readonly removedAt: number;
}

/** Bytes on their way to the store. */
export interface S3Upload {
  readonly key: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  readonly chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/** An address to fetch an object from. */
export interface SignedAddress {
  readonly uri: string;
  readonly expiresAt: Date;
}

/** What is larger goes up in parts of this size, one after the other: the least that S3 takes, as it is held in memory. */
const PART_BYTES = 5 * 1024 * 1024;
/** A limit of S3. */
const MAX_PARTS = 10_000;
/** For clearing up behind an upload that failed. */
const CLEAN_UP_MS = 5_000;

/** One bucket of an S3-compatible store, through the AWS SDK, which is loaded when it is opened. */
export class S3Store implements Disposable {
  readonly #sdk: Sdk;
  readonly #client: S3.S3Client;
  readonly #options: S3StoreOptions;
  readonly #agent: S3Agent | undefined;

  private constructor(sdk: Sdk, { client, agent }: Made, options: S3StoreOptions) {
    this.#sdk = sdk;
    this.#client = client;
    this.#agent = agent;
    this.#options = options;
  }

  /** @throws Error that says what to install when there is no AWS SDK, or what to set when there is no region. */
  static async open(options: S3StoreOptions): Promise<S3Store> {
    const sdk = await loadSdk();
    return new S3Store(sdk, await makeClient(sdk, options), options);
  }

  /** @throws Error when there are no credentials. */
  async checkCredentials(): Promise<void> {
    try {
      await this.#client.config.credentials();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /**
   * @returns `undefined` when there is no such object, or the store does not say: to those who may not list a bucket it
   *   answers 403 for what is not there.
   * @throws Error when the store cannot be reached or fails.
   */
  async head(key: string, signal: AbortSignal): Promise<StoredObject | undefined> {
    try {
      const command = new this.#sdk.HeadObjectCommand({ ...this.#bucket, Key: key });
      const found = await this.#client.send(command, { abortSignal: signal });
      const { ContentLength: size, ContentType: contentType, ETag: etag } = found;
      return { size, contentType, etag, removedAt: removalOf(found.Expiration) };
    } catch (error) {
      const status = statusOf(error) ?? 0;
      if (status >= 400 && status < 500) return undefined;
      throw this.#failure(error, signal);
    }
  }

  /** @returns the ETag. @throws Error when it is not stored as a whole; nothing of it is left then. */
  async put(upload: S3Upload, signal: AbortSignal): Promise<string | undefined> {
    try {
      return await (upload.size <= PART_BYTES ? this.#putWhole(upload, signal) : this.#putParts(upload, signal));
    } catch (error) {
      throw this.#failure(error, signal);
    }
  }

  /**
   * Signs an address.
   *
   * @param settings - `contentType` is what the store shall say of the object, if not what it was stored with.
   */
  async sign(
    key: string,
    settings: { readonly expiresInSeconds: number; readonly contentType: string | undefined },
  ): Promise<SignedAddress> {
    const { expiresInSeconds, contentType } = settings;
    const override = contentType === undefined ? {} : { ResponseContentType: contentType };
    const signingDate = new Date();
    try {
      const { expiration } = await this.#client.config.credentials();
      const command = new this.#sdk.GetObjectCommand({ ...this.#bucket, Key: key, ...override });
      const uri = await this.#sdk.getSignedUrl(this.#client, command, { expiresIn: expiresInSeconds, signingDate });
      // Signatures know whole seconds.
      const until = Math.floor(signingDate.getTime() / 1000) * 1000 + expiresInSeconds * 1000;
      return { uri, expiresAt: new Date(Math.min(until, expiration?.getTime() ?? Infinity)) };
    } catch (error) {
      throw this.#failure(error);
    }
  }

  [Symbol.dispose](): void {
    if (this.#options.client === undefined) this.#client.destroy();
  }

  get #bucket(): { readonly Bucket: string } {
    return { Bucket: this.#options.bucket };
  }

  async #putWhole({ key, contentType, size, chunks }: S3Upload, signal: AbortSignal): Promise<string | undefined> {
    // Bytes and no stream: what is in memory can be signed, and sent again.
    let body = Buffer.alloc(0);
    for await (const part of inParts(chunks, Math.max(size, 1))) body = part;
    const command = new this.#sdk.PutObjectCommand({
      ...this.#bucket,
      Key: key,
      Body: body,
      ContentLength: body.length,
      ContentType: contentType,
    });
    return (await this.#client.send(command, { abortSignal: signal })).ETag;
  }

  async #putParts(upload: S3Upload, signal: AbortSignal): Promise<string | undefined> {
    const at = { ...this.#bucket, Key: upload.key };
    const start = new this.#sdk.CreateMultipartUploadCommand({ ...at, ContentType: upload.contentType });
    const { UploadId } = await this.#client.send(start, { abortSignal: signal });
    try {
      const parts: S3.CompletedPart[] = [];
      for await (const part of inParts(upload.chunks, partSize(upload.size))) {
        const place = { ...at, UploadId, PartNumber: parts.length + 1 };
        const command = new this.#sdk.UploadPartCommand({ ...place, Body: part, ContentLength: part.length });
        const { ETag } = await this.#client.send(command, { abortSignal: signal });
        parts.push({ ETag, PartNumber: place.PartNumber });
      }
      const end = new this.#sdk.CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts: parts } });
      return (await this.#client.send(end, { abortSignal: signal })).ETag;
    } catch (error) {
      await this.#discard({ ...at, UploadId });
      throw error;
    }
  }

  /** Parts that stay are invisible, and are paid for. */
  async #discard(upload: S3.AbortMultipartUploadCommandInput): Promise<void> {
    const { signal, release } = linkedSignal([], CLEAN_UP_MS);
    try {
      await this.#client.send(new this.#sdk.AbortMultipartUploadCommand(upload), { abortSignal: signal });
    } catch {
      // What made the upload fail is what the caller is told.
    } finally {
      release();
    }
  }

  #failure(error: unknown, signal?: AbortSignal): Error {
    if (signal?.aborted === true) return signal.reason instanceof Error ? signal.reason : new Error('Aborted');
    return s3Failure(error, problemWith(this.#options), this.#agent?.through());
  }
}

type Sdk = Omit<typeof S3, 'default'> & Pick<typeof Presigner, 'getSignedUrl'>;

async function loadSdk(): Promise<Sdk> {
  try {
    const [s3, presigner] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/s3-request-presigner')]);
    return { ...s3, getSignedUrl: presigner.getSignedUrl };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const packages = '@aws-sdk/client-s3 @aws-sdk/s3-request-presigner';
    throw new Error(`Documents in S3 need the AWS SDK, which is not installed: npm install ${packages}`, {
      cause: error,
    });
  }
}

/** A client, and what it goes by, where that is ours. */
interface Made {
  readonly client: S3.S3Client;
  readonly agent?: S3Agent | undefined;
}

async function makeClient(sdk: Sdk, options: S3StoreOptions): Promise<Made> {
  const { client, region, endpoint, credentials, forcePathStyle, network } = options;
  if (client !== undefined) return { client: client as unknown as S3.S3Client };
  const agent = network === undefined ? undefined : await openS3Agent(network);
  const config: S3.S3ClientConfig = {
    forcePathStyle: forcePathStyle ?? endpoint !== undefined,
    // The SHA-256 of the bytes is signed anyway; many stores do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    ...(agent === undefined ? {} : { requestHandler: { httpAgent: agent.agent, httpsAgent: agent.agent } }),
  };
  const made = newClient(sdk, config);
  try {
    await made.config.region();
    return { client: made, agent };
  } catch (error) {
    made.destroy();
    // Stores of one's own have one region, and this is its usual name.
    if (endpoint !== undefined) return { client: newClient(sdk, { ...config, region: 'us-east-1' }), agent };
    throw s3Failure(error, problemWith(options));
  }
}

function newClient(sdk: Sdk, config: S3.S3ClientConfig): S3.S3Client {
  const client = new sdk.S3Client(config);
  // `Expect` makes Node write the headers at once, and the library for proxies would write them a second time.
  if (config.requestHandler !== undefined) client.middlewareStack.remove('addExpectContinueMiddleware');
  return client;
}

function problemWith({ bucket, endpoint = 'S3' }: S3StoreOptions): string {
  return `The bucket "${bucket}" at ${endpoint} cannot be used`;
}

/** @param expiration - such as `expiry-date="Fri, 23 Dec 2033 00:00:00 GMT", rule-id="old"`. */
function removalOf(expiration: string | undefined): number {
  const date = Date.parse(/expiry-date="([^"]*)"/.exec(expiration ?? '')?.[1] ?? '');
  return Number.isNaN(date) ? Infinity : date;
}

function partSize(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
}

/** Bytes in parts of one size, the last one shorter. A part is good until the next is asked for. */
async function* inParts(
  chunks: S3Upload['chunks'],
  bytes: number,
): AsyncGenerator<Buffer<ArrayBuffer>, void, undefined> {
  const part = Buffer.allocUnsafe(bytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let read = 0; read < chunk.length;) {
      const piece = chunk.subarray(read, read + bytes - filled);
      part.set(piece, filled);
      filled += piece.length;
      read += piece.length;
      if (filled < bytes) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
