import { Buffer } from 'node:buffer';
import { createHash, randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../../protocol/index.js';
import type { DpeResolver, DpeResolverHint, ResolvedResource } from './dpe-resolver.js';

/** Settings of a {@link FileDpeResolver}. */
export interface FileDpeResolverOptions {
  /**
   * Where the files are written; made if it is not there. Only this user can read it.
   *
   * @default a new folder for temporary files, removed by `close()`
   */
  readonly folder?: string;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': '.json',
  'application/pdf': '.pdf',
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
};

/**
 * Writes documents to files named after their content, and answers `file:` URIs: for an Agent on the same machine, as
 * the same user. Bytes and MIME type are kept as they were read. Protocol §8.3, §8.4.
 */
export class FileDpeResolver implements DpeResolver, AsyncDisposable {
  readonly #wanted: string | undefined;
  #folder: Promise<string> | undefined;
  #closed = false;

  constructor(options: FileDpeResolverOptions = {}) {
    this.#wanted = options.folder;
  }

  /**
   * @throws Error when there is neither text nor blob, or the file cannot be written.
   */
  async resolve(
    dpeUri: string,
    contents: readonly JsonObject[],
    hint: Pick<DpeResolverHint, 'mimeType'>,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ResolvedResource> {
    const content = contents.find((item) => item['uri'] === dpeUri && hasBytes(item)) ?? contents.find(hasBytes);
    if (content === undefined) throw new Error('The document has neither text nor blob content');
    const bytes = bytesOf(content);
    const mimeType = typeof content['mimeType'] === 'string' ? content['mimeType'] : hint.mimeType;
    const folder = await this.#privateFolder();
    signal.throwIfAborted();
    const name = createHash('sha256').update(bytes).digest('hex') + extensionOf(mimeType);
    const path = join(folder, name);
    const known = await stat(path).catch(() => undefined);
    if (known?.size !== bytes.length) await writeWhole(path, bytes, signal);
    return { uri: pathToFileURL(path).href, mimeType, size: bytes.length };
  }

  /** Removes the folder if it was made for this resolver alone; a given one stays. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    const folder = await this.#folder?.catch(() => undefined);
    if (this.#wanted === undefined && folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #privateFolder(): Promise<string> {
    if (this.#closed) throw new Error('The resolver is closed');
    this.#folder ??= makeFolder(this.#wanted);
    try {
      return await this.#folder;
    } catch (error) {
      // The cause may be mended by then.
      this.#folder = undefined;
      throw error;
    }
  }
}

async function makeFolder(wanted: string | undefined): Promise<string> {
  if (wanted === undefined) return mkdtemp(join(tmpdir(), 'a2c-documents-'));
  const folder = resolve(wanted);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  // A link, or a folder of another user, would let others choose or read what the Agent gets.
  if (!found.isDirectory()) throw new Error('The folder for documents is not a folder');
  if (process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new Error('The folder for documents belongs to another user');
  }
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
  return folder;
}

/** Others see the whole file or none. */
async function writeWhole(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(draft, bytes, { mode: 0o600, signal });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function hasBytes(content: JsonObject): boolean {
  return typeof content['text'] === 'string' || typeof content['blob'] === 'string';
}

function bytesOf({ text, blob }: JsonObject): Uint8Array {
  return typeof text === 'string' ? Buffer.from(text, 'utf8') : Buffer.from(String(blob), 'base64');
}

function extensionOf(mimeType: string | undefined): string {
  const type = (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (Object.hasOwn(EXTENSIONS, type)) return EXTENSIONS[type] ?? '.bin';
  return type.endsWith('+json') ? '.json' : '.bin';
}
