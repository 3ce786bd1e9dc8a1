import { isDeepStrictEqual } from 'node:util';
import { TypedEvents, type Unsubscribe } from '../../client/index.js';
import { silentLogger, type Logger } from '../../protocol/index.js';
import { ConfigError } from './config-error.js';
import { FolderWatches } from './folder-watches.js';
import { mergeConfigs, type ComputerConfig } from './parse-config.js';
import { readConfigFile } from './read-config-files.js';

/** What a {@link ConfigWatcher} tells. */
export interface ConfigWatcherEvents {
  /** The files say something else now. */
  changed: [config: ComputerConfig];
  /** A file cannot be used: what it said last stays in force. Said once as long as it stays so. */
  problem: [error: ConfigError];
  /** The files were read once more, whatever came of it. */
  checked: [];
}

/** How to make a {@link ConfigWatcher}. */
export interface ConfigWatcherOptions {
  /**
   * How long the files have to be quiet before they are read, in milliseconds; ten times that at most. What cannot be
   * used for five times that long is a problem: before, it may be half written.
   *
   * @default 100
   */
  readonly quietMs?: number;
  /** Gets errors of listeners. @default silent */
  readonly logger?: Logger;
}

/**
 * Reads configuration files and keeps looking at them. What counts is what they mean: comments, blanks and saving
 * without a change tell nothing. Of a file that does not parse or vanishes, the last good content stays in force.
 *
 * @example
 * await using watcher = new ConfigWatcher(['mcp.json']);
 * const computer = new Computer({ config: await watcher.start() });
 * watcher.on('changed', (config) => computer.setConfig(config));
 */
export class ConfigWatcher implements AsyncDisposable {
  readonly #files: readonly string[];
  readonly #quietMs: number;
  readonly #events: TypedEvents<ConfigWatcherEvents>;
  readonly #watches: FolderWatches;
  /** What each file said last when it could be read. */
  readonly #good = new Map<string, ComputerConfig>();
  /** What was said last about each file that cannot be used; `undefined` as a key: about all together. */
  readonly #problems = new Map<string | undefined, string>();
  /** Since when each of them cannot be used, while nothing was said yet. */
  readonly #doubts = new Map<string | undefined, number>();
  /** The folders that the system does not watch, which was said. */
  readonly #unwatched = new Set<string>();
  #config: ComputerConfig | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the first activity came that was not answered yet. */
  #activeSince: number | undefined;
  #reading: Promise<void> = Promise.resolve();
  #closed = false;

  /** @param files - later ones win, as in `mergeConfigs`. */
  constructor(files: readonly string[], options: ConfigWatcherOptions = {}) {
    const { quietMs = 100, logger = silentLogger } = options;
    this.#files = [...new Set(files)];
    this.#quietMs = quietMs;
    this.#events = new TypedEvents((error, event) => {
      logger.error({ event, problem: error instanceof Error ? error.message : String(error) }, 'A listener failed');
    });
    this.#watches = new FolderWatches(this.#files, {
      onActivity: () => {
        this.#onActivity();
      },
      onFailure: (folder, code) => {
        if (this.#unwatched.has(folder)) return;
        this.#unwatched.add(folder);
        this.#emit('problem', new ConfigError(`changes are not noticed (${code})`, { field: '', file: folder }));
      },
    });
  }

  /** The configuration in force; `undefined` before the start. */
  get config(): ComputerConfig | undefined {
    return this.#config;
  }

  /** Calls `listener` at every such event from now on. @returns a function that takes it off again. */
  on<E extends keyof ConfigWatcherEvents>(event: E, listener: (...args: ConfigWatcherEvents[E]) => void): Unsubscribe {
    return this.#events.on(event, listener);
  }

  /**
   * Begins to watch and reads the files for the first time.
   *
   * @returns the merged configuration.
   * @throws ConfigError when a file cannot be used: at first there is nothing else that could stay in force. The
   * watcher is closed then.
   */
  async start(): Promise<ComputerConfig> {
    if (this.#closed) throw new Error('This ConfigWatcher is closed');
    this.#watches.arm();
    const reading = this.#readFirst();
    // What happens meanwhile is looked at after it.
    this.#reading = reading.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await reading;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /**
   * Reads the files at once, as a signal from a user may ask for.
   *
   * @returns when that is done and told.
   */
  async reload(): Promise<void> {
    await this.#readAgain(0);
  }

  /** Watches nothing any more and tells nothing any more. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#watches.close();
    await this.#reading;
    this.#events.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #readFirst(): Promise<ComputerConfig> {
    for (const file of this.#files) this.#good.set(file, await readConfigFile(file));
    this.#config = this.#merged();
    return this.#config;
  }

  get #patienceMs(): number {
    return 5 * this.#quietMs;
  }

  #onActivity(): void {
    if (this.#closed) return;
    const now = performance.now();
    this.#activeSince ??= now;
    // A folder that is never quiet is looked at all the same.
    const waitMs = Math.min(this.#quietMs, Math.max(0, this.#activeSince + 10 * this.#quietMs - now));
    clearTimeout(this.#timer);
    this.#readIn(waitMs);
  }

  #readIn(waitMs: number): void {
    this.#timer = setTimeout(() => void this.#readAgain(this.#patienceMs), waitMs);
  }

  /** One after the other, so that an older state is never told after a newer one. */
  async #readAgain(patienceMs: number): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#activeSince = undefined;
    this.#reading = this.#reading.then(() => this.#check(patienceMs));
    await this.#reading;
  }

  async #check(patienceMs: number): Promise<void> {
    if (this.#closed || this.#config === undefined) return;
    // First, so that nothing is missed between reading and watching.
    this.#watches.arm();
    for (const file of this.#files) {
      const read = await this.#attempt(file, patienceMs, () => readConfigFile(file));
      if (read !== undefined) this.#good.set(file, read);
    }
    const merged = await this.#attempt(undefined, patienceMs, () => this.#merged());
    if (merged !== undefined) this.#tellIfChanged(merged);
    if (this.#doubts.size > 0 && this.#timer === undefined && !this.#isClosed()) this.#readIn(this.#patienceMs);
    this.#emit('checked');
  }

  #tellIfChanged(config: ComputerConfig): void {
    const isSame = this.#config !== undefined && isDeepStrictEqual(meaningOf(config), meaningOf(this.#config));
    if (this.#closed || isSame) return;
    this.#config = config;
    this.#emit('changed', config);
  }

  #merged(): ComputerConfig {
    return mergeConfigs(this.#files.flatMap((file) => this.#good.get(file) ?? []));
  }

  async #attempt(
    file: string | undefined,
    patienceMs: number,
    act: () => ComputerConfig | Promise<ComputerConfig>,
  ): Promise<ComputerConfig | undefined> {
    try {
      const config = await act();
      this.#problems.delete(file);
      this.#doubts.delete(file);
      return config;
    } catch (error) {
      const now = performance.now();
      const since = this.#doubts.get(file) ?? now;
      // It may be half written, or about to be put in place of the old one.
      const isPatient = now - since < patienceMs && !this.#problems.has(file);
      if (isPatient) this.#doubts.set(file, since);
      else this.#doubts.delete(file);
      // Nothing but ConfigErrors is thrown; whatever it is, the next change is to be looked at.
      const problem = error instanceof ConfigError ? error : new ConfigError(String(error), { field: '', file });
      if (!isPatient) this.#report(file, problem);
      return undefined;
    }
  }

  #isClosed(): boolean {
    return this.#closed;
  }

  #report(about: string | undefined, error: ConfigError): void {
    if (this.#closed || this.#problems.get(about) === error.message) return;
    this.#problems.set(about, error.message);
    this.#emit('problem', error);
  }

  #emit<E extends keyof ConfigWatcherEvents>(event: E, ...args: ConfigWatcherEvents[E]): void {
    if (!this.#closed) this.#events.emit(event, ...args);
  }
}

/** What a configuration means: the order of servers and inputs counts, that of the fields in them does not. */
function meaningOf({ inputs, servers }: ComputerConfig): unknown {
  return [
    [...inputs],
    [...servers].map(([name, { config, sseFallback, roots }]) => ({ name, config, sseFallback, roots })),
  ];
}
