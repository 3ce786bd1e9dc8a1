import type * as Undici from 'undici';
import { HttpWays, loadLibrary, nodeProcess, type NetworkSettings } from '../../client/index.js';

/** Limit for a TCP and TLS connection, in milliseconds: that of Node's own `fetch`. */
const CONNECT_MS = 10_000;

/** What is loaded with the first document that needs it. */
interface Loaded {
  readonly library: typeof Undici;
  readonly ways: HttpWays;
}

/**
 * How documents are fetched over HTTP in a network that wants something of it: through the proxy for their URL, with the
 * authorities to trust. What needs neither goes as Node does it by itself, and in a browser everything as the browser does.
 */
export class DocumentWays {
  readonly #network: NetworkSettings | undefined;
  #loading: Promise<Loaded> | undefined;
  #loaded: Loaded | undefined;

  constructor(network: NetworkSettings) {
    this.#network = nodeProcess() === undefined ? undefined : network;
  }

  /**
   * As the global `fetch`.
   *
   * @throws what that throws; TypeError when the application chose something that is no proxy.
   */
  async fetch(url: URL, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
    const network = this.#network;
    if (network === undefined || (network.proxyFor(url) === undefined && network.tlsFor('others') === undefined)) {
      return await fetch(url, init);
    }
    const { library, ways } = await this.#load(network);
    // It may have been closed meanwhile, and would open anew.
    init.signal.throwIfAborted();
    const response: unknown = await library.fetch(url, { ...(init as object), dispatcher: ways.to(url) });
    return response as Response;
  }

  /** What to say behind a problem on the way to a URL: nothing, or which proxy may be to blame. */
  through(url: URL | string): string {
    return this.#loaded?.ways.through(url) ?? '';
  }

  /** Ends every connection; the signals of what is under way have to be aborted before. Idempotent. */
  async close(): Promise<void> {
    const loaded = await this.#loading?.catch(() => undefined);
    await loaded?.ways.close();
  }

  #load(network: NetworkSettings): Promise<Loaded> {
    this.#loading ??= loadLibrary('undici').then((library) => {
      this.#loaded = { library, ways: new HttpWays(library, { network, connectTimeoutMs: CONNECT_MS }) };
      return this.#loaded;
    });
    return this.#loading;
  }
}
