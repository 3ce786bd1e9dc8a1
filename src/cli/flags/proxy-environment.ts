import { BlockList, isIP } from 'node:net';
import { UsageError } from '../failure.js';

/** Environment variables, as in `process.env`. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and who says so. */
export interface ChosenProxy {
  readonly proxy: string;
  /** `--proxy`, or the name of the environment variable. */
  readonly from: string;
}

const PROXY_URL = /^(https?|socks(4|4a|5|5h)?):\/\/[^/]/i;

/** What never goes through a proxy: it would look for it on its own machine. */
const THIS_MACHINE = 'localhost .localhost 127.0.0.0/8 ::1';

/**
 * The proxy for a URL, by the customs of the environment: `HTTPS_PROXY` or `HTTP_PROXY` by the scheme, else `ALL_PROXY`,
 * each in small letters first; not for what `NO_PROXY` names, and never for this machine.
 *
 * @param flag - a proxy that takes the place of those in the environment.
 * @throws UsageError naming the variable that is no proxy, without repeating it: it may hold credentials.
 */
export function proxyFor(url: URL, env: Environment, flag?: string): ChosenProxy | undefined {
  const { value: except = '' } = lookUp(env, 'no_proxy') ?? {};
  if (isExcepted(url, `${except} ${THIS_MACHINE}`)) return undefined;
  if (flag !== undefined) return { proxy: proxyUrl('--proxy', flag), from: '--proxy' };
  const scheme = url.protocol === 'http:' || url.protocol === 'ws:' ? 'http_proxy' : 'https_proxy';
  const found = lookUp(env, scheme) ?? lookUp(env, 'all_proxy');
  return found && { proxy: proxyUrl(found.name, found.value), from: found.name };
}

/**
 * The URL of a proxy as somebody wrote it. Without a scheme it is an HTTP proxy, whatever goes through it.
 *
 * @param from - the flag or variable that it comes from.
 * @throws UsageError naming that, without repeating the text: it may hold credentials.
 */
export function proxyUrl(from: string, text: string): string {
  const url = text.includes('://') ? text : `http://${text}`;
  if (PROXY_URL.test(url) && URL.canParse(url)) return url;
  throw new UsageError(`${from}: expected the URL of a proxy, such as http://proxy.example.com:3128`);
}

function lookUp(env: Environment, name: string): { readonly name: string; readonly value: string } | undefined {
  for (const written of [name, name.toUpperCase()]) {
    const value = env[written]?.trim();
    if (value !== undefined && value !== '') return { name: written, value };
  }
  return undefined;
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'https:': '443', 'wss:': '443' };

/** Whether one of the entries fits: `*`, a host, a domain with what is below it, an address, a network; each may have a port. */
function isExcepted(url: URL, entries: string): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? '') : url.port;
  return entries.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const [, bracketed, plain, entryPort = port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
    // What has more colons than one is an IPv6 address without brackets.
    const name = (bracketed ?? plain ?? entry).toLowerCase();
    return name !== '' && entryPort === port && (isIP(host) === 0 ? isBelow(host, name) : isWithin(host, name));
  });
}

function isBelow(host: string, name: string): boolean {
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isWithin(address: string, name: string): boolean {
  const [network = '', bits] = name.split('/');
  const family = isIP(network) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(network) === 0 || isIP(network) !== isIP(address)) return false;
  const list = new BlockList();
  if (bits === undefined) list.addAddress(network, family);
  else if (!/^\d{1,3}$/.test(bits) || Number(bits) > (family === 'ipv4' ? 32 : 128)) return false;
  else list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
}
