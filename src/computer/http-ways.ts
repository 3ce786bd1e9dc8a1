import type { Socket } from 'node:net';
import { Agent, buildConnector, Pool, ProxyAgent, type Dispatcher } from 'undici';
import { proxyLabel, type NetworkSettings } from '../client/index.js';

/** What {@link HttpWays} work with. */
export interface HttpWaysOptions {
  /** Absent: everything goes directly, and Node's own authorities are trusted. */
  readonly network?: NetworkSettings | undefined;
  /** Limit for a TCP and TLS connection, in ms. */
  readonly connectTimeoutMs: number;
}

/** An answer may take as long as it likes: whoever waits for it has a limit. */
const NO_LIMITS = { headersTimeout: 0, bodyTimeout: 0 } as const;

/** The ways from here to HTTP servers: directly or through a proxy, each made when it is first wanted. */
export class HttpWays {
  readonly #options: HttpWaysOptions;
  readonly #ways = new Map<string, Dispatcher>();

  constructor(options: HttpWaysOptions) {
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
    const { network, connectTimeoutMs: timeout } = this.#options;
    const secureContext = network?.tlsFor('others');
    const tls = { timeout, ...(secureContext === undefined ? {} : { secureContext }) };
    if (proxy === undefined) return new Agent({ ...NO_LIMITS, connect: tls });
    if (proxy.protocol.startsWith('socks')) return new Agent({ ...NO_LIMITS, connect: throughSocks(proxy, tls) });
    return new ProxyAgent({
      ...NO_LIMITS,
      uri: proxy.href,
      // Many proxies let no tunnel lead to port 80.
      proxyTunnel: false,
      requestTls: tls,
      proxyTls: tls,
      clientFactory: tunnels,
      factory: (origin, settings) => new Pool(origin, Object.assign({}, settings, NO_LIMITS)),
    });
  }
}

/** The connections with a proxy, which throw what it answers instead of a tunnel: undici would lose it. */
function tunnels(origin: URL, settings: object): Dispatcher {
  const pool = new Pool(origin, settings);
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
function throughSocks(proxy: URL, tls: buildConnector.BuildOptions): buildConnector.connector {
  const secured = buildConnector(tls);
  const open = async ({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> => {
    const [{ SocksClient }, { SocksProxyAgent }] = await Promise.all([import('socks'), import('socks-proxy-agent')]);
    const { socket } = await SocksClient.createConnection({
      proxy: new SocksProxyAgent(proxy).proxy,
      destination: { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) },
      command: 'connect',
      ...(tls.timeout == null ? {} : { timeout: tls.timeout }),
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
        callback(error as Error, null);
      },
    );
  };
}
