import { lstatSync, realpathSync, statSync, watch, type FSWatcher, type Stats } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

/** One folder that is to be watched. */
interface Folder {
  /** Device and inode: a folder that was removed and made again is another one, although its path is the same. */
  readonly identity: string;
  /** The names in it that matter; absent: every one. */
  readonly names?: ReadonlySet<string>;
}

interface Watch {
  readonly folder: Folder;
  readonly watcher: FSWatcher;
}

/** What is told by {@link FolderWatches}. Neither may throw. */
export interface FolderWatchesListener {
  /** One of the files may be another one now. */
  onActivity(): void;
  /** The system does not watch a folder, `code` says why: `ENOSPC` when too many are watched. */
  onFailure(folder: string, code: string): void;
}

/**
 * Watches the folders of some files, not the files: editors write another file and rename it into place. Where a folder
 * is not there, the nearest one above it is watched until it is.
 */
export class FolderWatches {
  readonly #files: readonly string[];
  readonly #listener: FolderWatchesListener;
  readonly #watches = new Map<string, Watch>();

  /** @param files - relative ones to the working directory. */
  constructor(files: readonly string[], listener: FolderWatchesListener) {
    this.#files = files.map((file) => resolve(file));
    this.#listener = listener;
  }

  /** Watches what is to be watched now. Idempotent; to be called again after each activity, before reading. */
  arm(): void {
    const wanted = foldersOf(this.#files);
    for (const [path, { folder, watcher }] of this.#watches) {
      if (wanted.get(path)?.identity === folder.identity) continue;
      watcher.close();
      this.#watches.delete(path);
    }
    for (const [path, folder] of wanted) {
      const known = this.#watches.get(path);
      if (known === undefined) this.#watch(path, folder);
      else this.#watches.set(path, { folder, watcher: known.watcher });
    }
  }

  /** Watches nothing any more. */
  close(): void {
    for (const { watcher } of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  #watch(path: string, folder: Folder): void {
    try {
      const watcher = watch(path, (_event, name) => {
        if (this.#watches.get(path)?.watcher === watcher && this.#matters(path, name)) this.#listener.onActivity();
      });
      watcher.on('error', (error) => {
        watcher.close();
        if (this.#watches.get(path)?.watcher !== watcher) return;
        this.#watches.delete(path);
        // A folder that is removed ends its watch with an error on Windows: the next look finds what is there now.
        if (statOf(path) === undefined) this.#listener.onActivity();
        else this.#listener.onFailure(path, codeOf(error));
      });
      this.#watches.set(path, { folder, watcher });
    } catch (error) {
      // Gone since it was looked for: the file in it cannot be read either, which is reported.
      if (codeOf(error) !== 'ENOENT') this.#listener.onFailure(path, codeOf(error));
    }
  }

  #matters(path: string, name: string | null): boolean {
    const names = this.#watches.get(path)?.folder.names;
    // A folder that is moved or removed says so with its own name.
    return name === null || names === undefined || names.has(name) || name === basename(path);
  }
}

function foldersOf(files: readonly string[]): ReadonlyMap<string, Folder> {
  const folders = new Map<string, Folder>();
  const add = (path: string, name: string | undefined): void => {
    const found = statOf(path);
    if (found === undefined) {
      if (dirname(path) !== path) add(dirname(path), basename(path));
      return;
    }
    const identity = `${found.dev}:${found.ino}`;
    const known = folders.get(path);
    const names = known === undefined ? new Set<string>() : known.names;
    folders.set(
      path,
      name === undefined || names === undefined ? { identity } : { identity, names: new Set([...names, name]) },
    );
  };
  for (const file of files) {
    // Of a link any name beside it may be a step on its way: `..data` in the folders of Kubernetes.
    const target = linkTarget(file);
    add(dirname(file), target === undefined ? basename(file) : undefined);
    if (target !== undefined) add(dirname(target), basename(target));
  }
  return folders;
}

/** `undefined` for what is not there, or may not be looked at. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Where a link leads; `undefined` for what is none, or leads nowhere. */
function linkTarget(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? realpathSync(file) : undefined;
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}
