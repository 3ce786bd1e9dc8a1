import { abortable, nodeProcess, withPrivateNetworks } from '../../client/index.js';

const net = () => nodeProcess()?.getBuiltinModule('node:net');
type Net = NonNullable<ReturnType<typeof net>>;

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
  blocked ??= withPrivateNetworks(new node.BlockList());
  return blocked.check(address, node.isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
