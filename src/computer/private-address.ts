import { BlockList, isIP } from 'node:net';
import { withPrivateNetworks } from '../client/index.js';

const PRIVATE = withPrivateNetworks(new BlockList());

/**
 * Whether a host is this very machine, as far as its name tells.
 *
 * @param host - as `URL.hostname` has it.
 */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/**
 * Whether a host is within this machine or its network, as far as its name tells.
 *
 * @param host - as `URL.hostname` has it.
 */
export function isPrivateHost(host: string): boolean {
  return isLoopbackHost(host) || isPrivateAddress(host.replace(/^\[|\]$/g, ''));
}

/** Whether an IP address is one that cannot be reached from everywhere; a name is none. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && PRIVATE.check(address, family === 4 ? 'ipv4' : 'ipv6');
}
