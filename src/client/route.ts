import type * as AgentBase from 'agent-base';
import type { ManagerOptions } from 'socket.io-client';
import { loadLibrary } from './load-library.js';
import { proxyLabel, type NetworkSettings, type SecureContext } from './network.js';
import { nodeProcess } from './node-builtins.js';
import { describeCode } from './tls-problem.js';

/** How one attempt to connect goes to the Server. */
export interface Route {
  /** What Socket.IO needs for it. */
  readonly options: Partial<ManagerOptions>;
  /** What went wrong on the way to the Server, as far as this is known. */
  readonly problem: () => string | undefined;
}

const DIRECT: Route = { options: {}, problem: () => undefined };

/**
 * The way to the Server: directly, or through the proxy that was chosen for its URL.
 *
 * @throws ConnectionError when the libraries for proxies are missing; TypeError when the application chose no proxy URL.
 */
export async function openRoute(url: URL, network: NetworkSettings): Promise<Route> {
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:';
  const secureContext = isSecure ? network.tlsFor('server') : undefined;
  const proxy = network.proxyFor(httpUrl(url));
  if (proxy === undefined) return secureContext === undefined ? DIRECT : { ...DIRECT, options: secured(secureContext) };
  let problem: string | undefined;
  const note = (found: string): void => {
    problem ??= `the proxy ${proxyLabel(proxy)} ${found}`;
  };
  const agent = await proxyAgent(proxy, { toProxy: network.tlsFor('others'), toServer: secureContext }, note);
  return { options: withAgent(agent), problem: () => problem };
}

function secured(secureContext: SecureContext): Route['options'] {
  const https = nodeProcess()?.getBuiltinModule('node:https');
  return https === undefined ? {} : withAgent(new https.Agent({ secureContext }));
}

/** Socket.IO's type of the option knows names of agents only. */
function withAgent(agent: object): Route['options'] {
  return { agent: agent as unknown as string };
}

/** Proxies are chosen by `http:` and `https:`. */
function httpUrl(url: URL): URL {
  return new URL(url.href.replace(/^ws/, 'http'));
}

type Note = (problem: string) => void;

/** With what TLS is spoken on each part of the way. */
interface Contexts {
  readonly toProxy: SecureContext | undefined;
  readonly toServer: SecureContext | undefined;
}

/**
 * An agent for `node:http` and `node:https` that goes by a proxy.
 *
 * @param note - hears what is wrong with the proxy.
 * @throws ConnectionError when the libraries for proxies are missing.
 */
export async function proxyAgent(
  proxy: URL,
  contexts: Contexts,
  note: Note = () => undefined,
): Promise<AgentBase.Agent> {
  const { toProxy, toServer } = contexts;
  if (proxy.protocol.startsWith('socks')) {
    const { SocksProxyAgent } = await loadLibrary('socks-proxy-agent');
    return towards(toServer, watched(new SocksProxyAgent(proxy), note));
  }
  const [{ Agent }, { HttpProxyAgent }, { HttpsProxyAgent }] = await Promise.all([
    loadLibrary('agent-base'),
    loadLibrary('http-proxy-agent'),
    loadLibrary('https-proxy-agent'),
  ]);
  const tls = toProxy === undefined ? {} : { secureContext: toProxy };
  const tunnel = towards(toServer, watched(new HttpsProxyAgent(proxy, tls), note));
  tunnel.on('proxyConnect', ({ statusCode }: { statusCode: number }) => {
    if (statusCode !== 200) note(answer(statusCode));
  });
  const plain = watched(new HttpProxyAgent(proxy, tls), note);
  return new (class extends Agent {
    // Many proxies let no tunnel lead to port 80; a WebSocket does not come through one without.
    override connect(request: Parameters<AgentBase.Agent['connect']>[0], options: AgentBase.AgentConnectOpts) {
      return options.secureEndpoint || request.hasHeader('upgrade') ? tunnel : plain;
    }
  })();
}

/** What the libraries are given is for the proxy. The options of their agents count for what is behind it. */
function towards<A extends AgentBase.Agent>(secureContext: SecureContext | undefined, agent: A): A {
  agent.options = { ...agent.options, secureContext };
  return agent;
}

function answer(status: number): string {
  if (status === 407) return 'wants other credentials: HTTP status 407';
  return `makes no connection to it: HTTP status ${status}`;
}

/** Tells when the proxy itself cannot be reached: the library's error does not say whose it is. */
function watched<A extends AgentBase.Agent>(agent: A, note: Note): A {
  const connect = agent.connect.bind(agent);
  agent.connect = async (...args) => {
    try {
      return await connect(...args);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      note(`cannot be reached or used: ${code === undefined ? message : describeCode(code)}`);
      throw error;
    }
  };
  return agent;
}
