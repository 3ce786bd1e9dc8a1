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
  ['224.0.0.0', 3],
] as const;
const PRIVATE_V6 = [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const;

/** What is used of Node's `BlockList`, which this part must not load: it runs in browsers too. */
interface SubnetList {
  addSubnet(network: string, prefix: number, type?: 'ipv4' | 'ipv6'): void;
}

/**
 * Puts every private network on a list.
 *
 * @returns the list.
 */
export function withPrivateNetworks<L extends SubnetList>(list: L): L {
  for (const [network, bits] of PRIVATE_V4) {
    list.addSubnet(network, bits, 'ipv4');
    // An IPv4 address within an IPv6 one is found by its IPv4 form (`::ffff:`); behind a translator it has a prefix.
    list.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6');
  }
  for (const [network, bits] of PRIVATE_V6) list.addSubnet(network, bits, 'ipv6');
  return list;
}
