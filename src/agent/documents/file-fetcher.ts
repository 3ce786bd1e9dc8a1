import { nodeProcess } from '../../client/index.js';
import { DocumentError } from './document-error.js';
import type { DocumentSettings } from './document-options.js';
import type { DocumentFetcher, FetchRequest } from './fetcher.js';

const CHUNK_BYTES = 256 * 1024;

const modulesOf = (node: NonNullable<ReturnType<typeof nodeProcess>>) => ({
  fs: node.getBuiltinModule('node:fs/promises'),
  path: node.getBuiltinModule('node:path'),
  url: node.getBuiltinModule('node:url'),
});
type Modules = ReturnType<typeof modulesOf>;

/**
 * Reads `file:` URIs: the Computer's answer where files are allowed at all, and of what stands in a document only the
 * files that lie below its own folder, or below one that the application lists. Protocol §8.4.
 *
 * @returns `undefined` where there are no files: in a browser.
 */
export function fileFetcher(
  settings: Pick<DocumentSettings, 'allowFiles' | 'fileFolders'>,
): DocumentFetcher | undefined {
  const inNode = nodeProcess();
  if (inNode === undefined) return undefined;
  return async (uri, request) => {
    const { place, purpose } = request;
    if (!settings.allowFiles) {
      const hint = 'the Server is not on loopback; allow it by the option documents.allowFiles';
      throw new DocumentError('refused', place, `it is a file of another machine, as far as is known: ${hint}`);
    }
    const node = modulesOf(inNode);
    const path = await realPath(node, pathOf(node, uri, request), request);
    if (purpose === 'page' && !isWithin(node, path, await foldersOf(node, request, settings))) {
      const hint = 'allow it by the option documents.fileFolders';
      throw new DocumentError('refused', place, `it is a file outside the folder of its document; ${hint}`);
    }
    await assertReadable(node, path, request);
    return { body: chunksOf(node, path, request), uri };
  };
}

function pathOf(node: Modules, uri: string, { place }: FetchRequest): string {
  try {
    const { host } = new URL(uri);
    if (host !== '') throw new TypeError(`its host is "${host}", which is not this machine`);
    const path = node.url.fileURLToPath(uri);
    if (path.includes('\0')) throw new TypeError('a name cannot hold a null byte');
    return path;
  } catch (error) {
    throw new DocumentError('refused', place, `its file: URI names no file here: ${(error as Error).message}`);
  }
}

/** Where a path really leads, links followed. */
async function realPath(node: Modules, path: string, { place }: FetchRequest): Promise<string> {
  try {
    return await node.fs.realpath(path);
  } catch (error) {
    throw unreadable(error, place);
  }
}

async function foldersOf(
  node: Modules,
  request: FetchRequest,
  { fileFolders }: Pick<DocumentSettings, 'fileFolders'>,
): Promise<string[]> {
  const { accessUri } = request;
  const own = /^file:/i.test(accessUri)
    ? [node.path.dirname(await realPath(node, pathOf(node, accessUri, request), request))]
    : [];
  const listed = await Promise.all(fileFolders.map((folder) => node.fs.realpath(folder).catch(() => undefined)));
  return [...own, ...listed.filter((folder) => folder !== undefined)];
}

function isWithin(node: Modules, path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = node.path.relative(folder, path);
    return way !== '' && way !== '..' && !way.startsWith(`..${node.path.sep}`) && !node.path.isAbsolute(way);
  });
}

async function assertReadable(node: Modules, path: string, { place, maxBytes }: FetchRequest): Promise<void> {
  const found = await node.fs.stat(path).catch((error: unknown) => {
    throw unreadable(error, place);
  });
  if (!found.isFile()) throw new DocumentError('refused', place, 'its file: URI names no regular file');
  if (found.size > maxBytes) {
    throw new DocumentError('too-large', place, `${found.size} bytes, the limit is ${maxBytes}`);
  }
}

/** Opens the file when it is read: what nobody reads has nothing to close. */
async function* chunksOf(
  node: Modules,
  path: string,
  { place }: FetchRequest,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Should it be a pipe by now, opening must not wait for whoever writes to it.
  const { O_RDONLY, O_NONBLOCK } = node.fs.constants as { O_RDONLY: number; O_NONBLOCK?: number };
  const file = await node.fs.open(path, O_RDONLY | (O_NONBLOCK ?? 0)).catch((error: unknown) => {
    throw unreadable(error, place);
  });
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(new Uint8Array(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function unreadable(error: unknown, place: FetchRequest['place']): DocumentError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new DocumentError('unreachable', place, `its file cannot be read: ${code}`, { cause: error });
}
