import type { DocumentFetcher } from './fetcher.js';

/** From where documents are fetched, and how much of them. Protocol §8.4. */
export interface DocumentOptions {
  /**
   * Fetchers by scheme, such as `{ s3: fetchFromS3 }`, beside `http`, `https`, `data` and, in Node, `file`; one of these
   * names takes the place of ours.
   */
  readonly fetchers?: Readonly<Record<string, DocumentFetcher>>;
  /**
   * Whether `file:` URIs are read: they mean files of the Computer's machine. Node only.
   * @default whether the Server is on loopback
   */
  readonly allowFiles?: boolean;
  /**
   * Folders from which pages may be read as files, beside the folder of the document's own file.
   * @default none
   */
  readonly fileFolders?: readonly string[];
  /**
   * Origins on loopback or in private networks, such as `http://10.0.0.5:9000`, that pages and redirects may lead to
   * beside the access URI's own origin; `all` allows every one. In browsers the browser's own rules hold.
   * @default none
   */
  readonly privateOrigins?: 'all' | readonly string[];
  /** How large one fetch may be, in bytes, after decompression. @default 64_000_000 */
  readonly maxFetchBytes?: number;
  /** How much all fetches of one opened document may be, in bytes. @default unlimited */
  readonly maxTotalBytes?: number;
  /** How long one fetch may take, redirects and reading included, in milliseconds. @default 30_000 */
  readonly fetchTimeoutMs?: number;
  /** How many redirects one fetch follows; in browsers the browser's own limit holds. @default 5 */
  readonly maxRedirects?: number;
  /** How many manifests may lead from one to the next until a page has its elements. @default 8 */
  readonly maxManifests?: number;
  /** The time, in milliseconds since 1970, that `_meta.expires_at` is held against. @default Date.now */
  readonly now?: () => number;
}

/** The options, filled in. */
export interface DocumentSettings {
  readonly fetchers: ReadonlyMap<string, DocumentFetcher>;
  readonly allowFiles: boolean;
  readonly fileFolders: readonly string[];
  readonly privateOrigins: 'all' | readonly string[];
  readonly maxFetchBytes: number;
  readonly maxTotalBytes: number;
  readonly fetchTimeoutMs: number;
  readonly maxRedirects: number;
  readonly maxManifests: number;
  readonly now: () => number;
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const SCHEME = /^[a-z][a-z0-9+.-]*$/i;

/** Whether a Server is on this very machine, so that its `file:` URIs mean files here. Protocol §8.4. */
function isOnLoopback(serverUrl: string): boolean {
  return URL.canParse(serverUrl) && LOOPBACK_HOST.test(new URL(serverUrl).hostname);
}

/**
 * Fills in the defaults. What is given for one call goes before what the Agent was made with.
 *
 * @throws TypeError naming the option that is wrong.
 */
export function documentSettings(
  serverUrl: string,
  general: DocumentOptions = {},
  special: DocumentOptions = {},
): DocumentSettings {
  const options = { ...general, ...defined(special) };
  return {
    fetchers: fetcherMap({ ...general.fetchers, ...special.fetchers }),
    allowFiles: options.allowFiles ?? isOnLoopback(serverUrl),
    fileFolders: options.fileFolders ?? [],
    privateOrigins: readOrigins(options.privateOrigins ?? []),
    maxFetchBytes: atLeast(1, 'maxFetchBytes', options.maxFetchBytes ?? 64_000_000),
    maxTotalBytes: atLeast(1, 'maxTotalBytes', options.maxTotalBytes ?? Number.POSITIVE_INFINITY),
    fetchTimeoutMs: atLeast(1, 'fetchTimeoutMs', options.fetchTimeoutMs ?? 30_000),
    maxRedirects: atLeast(0, 'maxRedirects', options.maxRedirects ?? 5),
    maxManifests: atLeast(1, 'maxManifests', options.maxManifests ?? 8),
    now: options.now ?? Date.now,
  };
}

function defined(options: DocumentOptions): DocumentOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function fetcherMap(fetchers: Readonly<Record<string, DocumentFetcher>>): ReadonlyMap<string, DocumentFetcher> {
  const entries = Object.entries(fetchers).map(([scheme, fetcher]) => {
    const wrong = `documents.fetchers: "${scheme}" must be`;
    if (!SCHEME.test(scheme)) throw new TypeError(`${wrong} a scheme without its colon, such as "s3"`);
    if (typeof fetcher !== 'function') throw new TypeError(`${wrong} a function`);
    return [scheme.toLowerCase(), fetcher] as const;
  });
  return new Map(entries);
}

function readOrigins(origins: 'all' | readonly string[]): 'all' | readonly string[] {
  if (origins === 'all') return origins;
  return origins.map((origin) => {
    if (!URL.canParse(origin) || new URL(origin).origin === 'null') {
      throw new TypeError(`documents.privateOrigins: "${origin}" is no origin, such as "http://10.0.0.5:9000"`);
    }
    return new URL(origin).origin;
  });
}

function atLeast(min: number, name: string, value: number): number {
  if (!(value >= min)) throw new TypeError(`documents.${name} must be a number of at least ${min}, got ${value}`);
  return value;
}
