import type * as Undici from 'undici';
import type { buildConnector, Dispatcher } from 'undici';
import { loadLibrary } from './load-library.js';
import { proxyLabel, type NetworkSettings } from './network.js';

/** The library: what runs in browsers as well loads it only where it needs it. */
type Library = Pick<typeof Undici, 'Agent' | 'buildConnector' | 'Pool' | 'ProxyAgent'>;

type Socket = NonNullable<buildConnector.Options['httpSocket']>;
/** As `net.LookupFunction`. */
type LookupFunction = NonNullable<Extract<buildConnector.BuildOptions, { readonly port: number }>['lookup']>;

/** What {@link HttpWays} work with. */
export interface HttpWaysOptions {
  /** Absent: everything goes directly, and Node's own authorities are trusted. */
  readonly network?: NetworkSettings | undefined;
  /** Limit for a TCP and TLS connection, in ms. */
  readonly connectTimeoutMs: number;
  /**
   * For how long the other side may keep silent, in ms.
   * @default for ever: whoever waits for an answer has a limit
   */
  readonly silenceMs?: number;
  /** Looks up the names of hosts, but not those of proxies, and not for a proxy, which does that itself. */
  readonly lookup?: LookupFunction | undefined;
}

/** The ways from here to HTTP servers: directly or through a proxy, each made when it is first wanted. */
export class HttpWays {
  readonly #library: Library;
  readonly #options: HttpWaysOptions;
  readonly #ways = new Map<string, Dispatcher>();

  constructor(library: Library, options: HttpWaysOptions) {
    this.#library = library;
    this.#options = options;
  }

  /** The way to a URL. @throws TypeError when the application chose something that is no proxy. */
  to(url: string | URL): Dispatcher {
    const proxy = this.#proxyFor(url);
    const key = proxy?.href ?? '';
    const way = this.#ways.get(key) ?? this.#make(proxy);
    this.#ways.set(key, way);
    return way;
  }

  /** What to say behind a problem on the way to a URL: nothing, or which proxy may be to blame. */
  through(url: string | URL): string {
    try {
      const proxy = this.#proxyFor(url);
      return proxy === undefined ? '' : ` (through the proxy ${proxyLabel(proxy)})`;
    } catch {
      // That was the problem.
      return '';
    }
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.#ways.values()].map((way) => way.destroy()));
    this.#ways.clear();
  }

  #proxyFor(url: string | URL): URL | undefined {
    return this.#options.network?.proxyFor(new URL(url));
  }

  #make(proxy: URL | undefined): Dispatcher {
    const { Agent, Pool, ProxyAgent, buildConnector } = this.#library;
    const { network, connectTimeoutMs: timeout, silenceMs = 0, lookup } = this.#options;
    const limits = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
    const secureContext = network?.tlsFor('others');
    const tls = { timeout, ...(secureContext === undefined ? {} : { secureContext }) };
    if (proxy === undefined) {
      return new Agent({ ...limits, connect: { ...tls, ...(lookup === undefined ? {} : { lookup }) } });
    }
    if (proxy.protocol.startsWith('socks')) {
      return new Agent({ ...limits, connect: throughSocks(proxy, buildConnector(tls), timeout) });
    }
    return new ProxyAgent({
      ...limits,
      uri: proxy.href,
      // Many proxies let no tunnel lead to port 80.
      proxyTunnel: false,
      requestTls: tls,
      proxyTls: tls,
      clientFactory: (origin, settings) => tunnels(new Pool(origin, settings)),
      factory: (origin, settings) => new Pool(origin, Object.assign({}, settings, limits)),
    });
  }
}

/**
 * Why a connection broke, in a word: the code of the socket's error where there is one. `fetch failed` says nothing.
 *
 * @param error - what `fetch` threw.
 */
export function connectionProblem(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  // The code of undici's error for it says nothing.
  const [, status] = cause instanceof Error ? (/^Proxy .*\((\d{3})\)/.exec(cause.message) ?? []) : [];
  if (status !== undefined) return status === '407' ? 'the proxy wants other credentials' : `HTTP status ${status}`;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  if (cause instanceof Error) return cause.message;
  return error instanceof Error ? error.message : String(error);
}

/** The connections with a proxy, which throw what it answers instead of a tunnel: undici would lose it. */
function tunnels(pool: Dispatcher): Dispatcher {
  const open = pool.connect.bind(pool);
  const connect = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const answer = await open(options);
    if (answer.statusCode === 200) return answer;
    answer.socket.on('error', () => undefined).destroy();
    throw new Error(`Proxy response (${answer.statusCode})`);
  };
  return Object.assign(pool, { connect });
}

/** Makes connections through a SOCKS proxy, which undici does not know. */
function throughSocks(proxy: URL, secured: buildConnector.connector, timeout: number): buildConnector.connector {
  const open = async ({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> => {
    const [{ SocksClient }, { SocksProxyAgent }] = await Promise.all([
      loadLibrary('socks'),
      loadLibrary('socks-proxy-agent'),
    ]);
    const { socket } = await SocksClient.createConnection({
      proxy: new SocksProxyAgent(proxy).proxy,
      destination: { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) },
      command: 'connect',
      timeout,
    });
    return socket;
  };
  return (options, callback) => {
    open(options).then(
      (socket) => {
        if (options.protocol === 'https:') secured({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => {
        // The library's error holds the credentials.
        callback(new Error((error as Error).message), null);
      },
    );
  };
}
