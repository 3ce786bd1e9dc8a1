import type * as AgentBase from 'agent-base';
import type * as HttpProxy from 'http-proxy-agent';
import type * as HttpsProxy from 'https-proxy-agent';
import type * as Socks from 'socks';
import type * as SocksProxy from 'socks-proxy-agent';
import type * as Undici from 'undici';
import { ConnectionError } from './errors.js';

/** The libraries for proxies and authorities, by their names. */
interface Libraries {
  'agent-base': typeof AgentBase;
  'http-proxy-agent': typeof HttpProxy;
  'https-proxy-agent': typeof HttpsProxy;
  socks: typeof Socks;
  'socks-proxy-agent': typeof SocksProxy;
  undici: typeof Undici;
}

/**
 * Loads a library that only Node has a use for, and only when it is needed: no bundler may follow the name.
 *
 * @throws ConnectionError when it is not there.
 */
export async function loadLibrary<N extends keyof Libraries>(name: N): Promise<Libraries[N]> {
  try {
    return (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as Libraries[N];
  } catch (cause) {
    throw new ConnectionError(`The library for the proxy could not be loaded: ${name}. Proxies need Node.js`, {
      cause,
    });
  }
}
