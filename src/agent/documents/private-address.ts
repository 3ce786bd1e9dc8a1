import { abortable } from '../../client/index.js';
import { nodeProcess } from './node-builtins.js';

const net = () => nodeProcess()?.getBuiltinModule('node:net');
type Net = NonNullable<ReturnType<typeof net>>;

/** What is not the public internet: this machine, its networks, and what is never an address of one server. */
const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
const PRIVATE_V6 = [
  ['::', 127],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const;

let blocked: InstanceType<Net['BlockList']> | undefined;

/**
 * Whether a host is on this machine or in a private network: by its address, by its name, and by what its name stands
 * for now. In a browser nothing is: there the browser's own rules hold.
 *
 * @param host - as `URL.hostname` has it.
 */
export async function isPrivateHost(host: string, signal: AbortSignal): Promise<boolean> {
  const node = net();
  if (node === undefined) return false;
  const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (node.isIP(name) !== 0) return isPrivateAddress(node, name);
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return (await addressesOf(name, signal)).some((address) => isPrivateAddress(node, address));
}

/** None for a name that stands for nothing: fetching from it fails by itself. */
async function addressesOf(name: string, signal: AbortSignal): Promise<string[]> {
  const dns = nodeProcess()?.getBuiltinModule('node:dns/promises');
  const lookup = dns?.lookup(name, { all: true }).catch(() => []) ?? Promise.resolve([]);
  return (await abortable(lookup, signal)).map(({ address }) => address);
}

function isPrivateAddress(node: Net, address: string): boolean {
  blocked ??= blockList(node);
  return blocked.check(address, node.isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

function blockList(node: Net): InstanceType<Net['BlockList']> {
  const list = new node.BlockList();
  for (const [network, bits] of PRIVATE_V4) {
    // An IPv4 address within an IPv6 one is found by its IPv4 form (`::ffff:`); behind a translator it has a prefix.
    list.addSubnet(network, bits);
    list.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
  }
  for (const [network, bits] of PRIVATE_V6) list.addSubnet(network, bits, 'ipv6');
  return list;
}
