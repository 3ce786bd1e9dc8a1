import { createHash, randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { open, rename, rm, utimes, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { contentName, fileEnding } from './content-name.js';
import type { InlineDocument } from './document-source.js';
import { PrivateFolder } from './private-folder.js';
import { RecentDocuments } from './recent-documents.js';
import { DRAFT, removeOldFiles, type StoredDocument, type StoreLimits } from './stored-files.js';

/** Where documents are kept, and how many. */
export interface DocumentStoreOptions {
  /**
   * Where the files are written; made if it is not there. Only this user can read it. Several processes may share it.
   *
   * @default a new folder below `parent`, removed by `close()`
   */
  readonly folder?: string | undefined;
  /**
   * Where that new folder is made, such as a folder for caches; made if it is not there.
   *
   * @default the system's folder for temporary files
   */
  readonly parent?: string | undefined;
  /**
   * The largest document, in bytes.
   *
   * @default 268435456 (256 MB)
   */
  readonly maxDocumentBytes?: number | undefined;
  /**
   * How much all documents may have, in bytes. The ones unused for longest are removed to make room.
   *
   * @default 2147483648 (2 GB)
   */
  readonly maxTotalBytes?: number | undefined;
  /**
   * How long a document stays that nobody asks for, in milliseconds.
   *
   * @default 86400000 (a day)
   */
  readonly maxAgeMs?: number | undefined;
}

const MB = 1024 * 1024;
/** How long a document stays in any case once it was given out, in ms. */
const GRACE_MS = 60_000;
/** How often old files are looked for, in ms. */
const SWEEP_MS = 60_000;
/**
 * Keeps documents in files named after their content, each once, and no more and no longer than it may. Nothing is held
 * in memory as a whole.
 */
export class DocumentStore {
  readonly #options: Pick<StoreLimits, 'maxTotalBytes' | 'maxAgeMs'> & { readonly maxDocumentBytes: number };
  readonly #wanted: Pick<DocumentStoreOptions, 'folder' | 'parent'>;
  readonly #now: () => number;
  readonly #reading = new Map<string, number>();
  readonly #recent = new RecentDocuments();
  #folder: Promise<PrivateFolder> | undefined;
  /** Of the folder, once it is there. */
  #path: string | undefined;
  /** As far as this process knows, in bytes. */
  #total = 0;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #sweeper: NodeJS.Timeout | undefined;
  #closed = false;

  /** @throws TypeError naming the limit that is none. */
  constructor(options: DocumentStoreOptions = {}, now: () => number = Date.now) {
    const { maxDocumentBytes = 256 * MB, maxTotalBytes = 2048 * MB, maxAgeMs = 24 * 60 * 60_000 } = options;
    this.#wanted = options;
    this.#options = { maxDocumentBytes, maxTotalBytes, maxAgeMs };
    this.#now = now;
    for (const [name, value] of Object.entries(this.#options)) {
      if (!(value > 0)) throw new TypeError(`${name}: expected a positive number`);
    }
  }

  /** The largest document, in bytes. */
  get maxDocumentBytes(): number {
    return this.#options.maxDocumentBytes;
  }

  /** Makes the folder now. @throws Error when it cannot be used. */
  async prepare(): Promise<void> {
    await this.#open();
  }

  /**
   * Writes a document down, unless it is there.
   *
   * @throws Error when it is too large, there is no room, or it cannot be written; the signal's reason.
   */
  async put(document: InlineDocument, signal: AbortSignal): Promise<StoredDocument> {
    const folder = await this.#open();
    const recent = this.#recent.find(document);
    if (recent !== undefined && this.isThere(recent)) return recent;
    const { size } = document;
    this.#assertSize(size);
    const name = await contentName(document, signal);
    const stored = { name, path: join(folder, name), size };
    if (!this.isThere(stored)) {
      await this.#makeRoom(folder, size);
      await this.#finish(await this.#writeDraft(folder, document.chunks(), signal), stored);
    }
    this.#recent.add(document, stored);
    return stored;
  }

  /** Writes down what comes in pieces. Throws as {@link DocumentStore.put}. */
  async putStream(
    chunks: AsyncIterable<Uint8Array>,
    { mimeType, signal }: { readonly mimeType: string | undefined; readonly signal: AbortSignal },
  ): Promise<StoredDocument> {
    const folder = await this.#open();
    await this.#makeRoom(folder, 0);
    const hash = createHash('sha256');
    const draft = await this.#writeDraft(folder, chunks, signal, (chunk) => hash.update(chunk));
    const name = hash.digest('hex') + fileEnding(mimeType);
    const document = { name, path: join(folder, name), size: draft.size };
    try {
      const isThere = this.isThere(document);
      if (!isThere) await this.#makeRoom(folder, draft.size);
      if (!isThere) return await this.#finish(draft, document);
    } catch (error) {
      await rm(draft.path, { force: true });
      throw error;
    }
    await rm(draft.path, { force: true });
    return document;
  }

  /** Whether a document is still there, whole; it counts as used then. */
  isThere({ name, size }: Pick<StoredDocument, 'name' | 'size'>): boolean {
    if (this.#path === undefined) return false;
    const path = join(this.#path, name);
    // A look at a folder of this machine takes microseconds, waiting for one many times as long.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() !== true || found.size !== size) return false;
    const now = this.#now();
    // Told to other processes, too; not each time, which would cost more than it tells.
    if (now - found.mtimeMs > GRACE_MS / 4) utimes(path, now / 1000, now / 1000).catch(() => undefined);
    return true;
  }

  /**
   * Opens a document for reading; it stays until it is closed.
   *
   * @param name - as {@link StoredDocument.name}; anything else is not there.
   * @returns `undefined` when it is not there.
   */
  async read(
    name: string,
  ): Promise<{ readonly size: number; readonly handle: FileHandle; close(): Promise<void> } | undefined> {
    if (!/^[0-9a-f]{64}\.[a-z]+$/.test(name)) return undefined;
    const path = join(await this.#open(), name);
    this.#reading.set(path, (this.#reading.get(path) ?? 0) + 1);
    const release = (): void => {
      const left = (this.#reading.get(path) ?? 1) - 1;
      if (left > 0) this.#reading.set(path, left);
      else this.#reading.delete(path);
    };
    try {
      const handle = await open(path, 'r');
      const { size } = await handle.stat();
      const close = async (): Promise<void> => {
        release();
        await handle.close();
      };
      return { size, handle, close };
    } catch {
      release();
      return undefined;
    }
  }

  /** Removes the folder if it was made for this store alone; a given one stays. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#sweeper);
    const folder = await this.#folder?.catch(() => undefined);
    await folder?.close();
  }

  async #open(): Promise<string> {
    if (this.#closed) throw new Error('The resolver is closed');
    if (this.#path !== undefined) return this.#path;
    const { folder, parent } = this.#wanted;
    this.#folder ??= folder === undefined ? PrivateFolder.temporary(parent) : PrivateFolder.given(folder);
    try {
      this.#path = (await this.#folder).path;
      return this.#path;
    } catch (error) {
      // The cause may be mended by then.
      this.#folder = undefined;
      throw error;
    }
  }

  #assertSize(size: number): void {
    const { maxDocumentBytes, maxTotalBytes } = this.#options;
    const limit = Math.min(maxDocumentBytes, maxTotalBytes);
    if (size > limit) throw new Error(`The document is larger than the limit of ${limit} bytes`);
  }

  async #makeRoom(folder: string, wanted: number): Promise<void> {
    const { maxTotalBytes } = this.#options;
    if (this.#total + wanted > maxTotalBytes || this.#now() - this.#sweptAt > SWEEP_MS)
      await this.#sweep(folder, wanted);
    if (this.#total + wanted > maxTotalBytes) {
      throw new Error(`The store for documents is full: all of its ${this.#total} bytes are in use`);
    }
  }

  async #sweep(folder: string, wanted: number): Promise<void> {
    const now = this.#now;
    this.#sweptAt = now();
    const isInUse = (path: string): boolean => this.#reading.has(path);
    this.#total = await removeOldFiles(folder, wanted, { ...this.#options, graceMs: GRACE_MS, isInUse, now });
    clearTimeout(this.#sweeper);
    if (this.#closed) return;
    // Old documents go also when nobody asks for new ones.
    this.#sweeper = setTimeout(() => void this.#sweep(folder, 0).catch(() => undefined), SWEEP_MS);
    this.#sweeper.unref();
  }

  async #writeDraft(
    folder: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    signal: AbortSignal,
    onChunk?: (chunk: Uint8Array) => void,
  ): Promise<Draft> {
    const path = join(folder, `${randomUUID()}${DRAFT}`);
    signal.throwIfAborted();
    const handle = await open(path, 'wx', 0o600);
    let size = 0;
    try {
      for await (const chunk of chunks) {
        signal.throwIfAborted();
        size += chunk.byteLength;
        this.#assertSize(size);
        onChunk?.(chunk);
        await handle.writeFile(chunk);
      }
      await handle.close();
      return { path, size };
    } catch (error) {
      await handle.close();
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Others see the whole file or none. */
  async #finish(draft: Draft, document: StoredDocument): Promise<StoredDocument> {
    const now = this.#now() / 1000;
    await utimes(draft.path, now, now);
    await rename(draft.path, document.path);
    this.#total += document.size;
    return document;
  }
}

interface Draft {
  readonly path: string;
  readonly size: number;
}
