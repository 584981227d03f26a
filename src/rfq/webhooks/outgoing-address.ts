import { lookup as resolveHost } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that a name on the Internet has no reason to lead to. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
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
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  // IPv4 addresses in other clothes: what they lead to depends on the machine.
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** Whether the address is in a private, local or reserved network. */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 0) return true;
  return PRIVATE.check(ip, family === 4 ? 'ipv4' : 'ipv6');
}

/** The host of a URL as `net` knows it, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Why a webhook may not have this URL.
 * @param allowsPrivate whether private addresses and connections without TLS are allowed
 * @returns a sentence; null if it may
 */
export function problemOfUrl(text: string, allowsPrivate: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return 'a webhook must be an http or https URL';
  }
  if (url.username !== '' || url.password !== '')
    return 'a webhook URL must not contain a user or a password';
  if (url.search !== '' || url.hash !== '') return 'a webhook URL must not contain a query or a fragment';
  if (allowsPrivate) return null;
  if (url.protocol === 'http:') {
    return 'a webhook must be an https URL unless webhook-private-addresses is set';
  }
  const host = hostOf(url);
  if (isIP(host) !== 0 && isPrivateAddress(host)) {
    return `a webhook must not be at the private address ${host} unless webhook-private-addresses is set`;
  }
  return null;
}

/**
 * Resolves names as `dns.lookup` does, and fails for those that lead to a private address. It is asked for each new
 * connection, so a name that is changed later is refused, too.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  resolveHost(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '');
    const refused = addresses.find(({ address }) => isPrivateAddress(address));
    const [first] = addresses;
    if (refused !== undefined || first === undefined) {
      return callback(new Error(`${hostname} leads to the private address ${refused?.address}`), '');
    }
    return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
