import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AgentConnectOpts } from 'agent-base';
import { loadLibrary, proxyAgent, proxyLabel, type NetworkSettings } from '../../client/index.js';

/** As the AWS SDK's own agents. */
const KEPT = { keepAlive: true, maxSockets: 50 } as const;

/** What requests to a store go by. */
export interface S3Agent {
  /** For `http:` and `https:`. Whoever holds it destroys it. */
  readonly agent: HttpAgent;
  /** What to say behind a problem: nothing, or which proxy may be to blame. */
  readonly through: () => string;
}

/** Makes an agent that takes for each request the way that its URL wants. */
export async function openS3Agent(network: NetworkSettings): Promise<S3Agent> {
  const { Agent } = await loadLibrary('agent-base');
  const secureContext = network.tlsFor('others');
  const ways = new Map<string, Promise<HttpAgent>>();
  let through = '';
  const open = async (proxy: URL | undefined, isSecure: boolean): Promise<HttpAgent> => {
    if (proxy !== undefined) return await proxyAgent(proxy, { toProxy: secureContext, toServer: secureContext });
    return isSecure ? new HttpsAgent({ ...KEPT, secureContext }) : new HttpAgent(KEPT);
  };
  const agent = new (class extends Agent {
    override async connect(_request: ClientRequest, options: AgentConnectOpts): Promise<HttpAgent> {
      const proxy = network.proxyFor(urlOf(options));
      through = proxy === undefined ? '' : ` (through the proxy ${proxyLabel(proxy)})`;
      const key = proxy?.href ?? String(options.secureEndpoint);
      const way = ways.get(key) ?? open(proxy, options.secureEndpoint);
      ways.set(key, way);
      return await way;
    }

    override destroy(): void {
      super.destroy();
      for (const way of ways.values()) {
        way.then(
          (made) => {
            made.destroy();
          },
          () => undefined,
        );
      }
      ways.clear();
    }
  })();
  return { agent, through: () => through };
}

function urlOf({ secureEndpoint, host = 'localhost', port }: AgentConnectOpts): URL {
  const name = host.includes(':') ? `[${host}]` : host;
  return new URL(`${secureEndpoint ? 'https' : 'http'}://${name}:${port}`);
}
