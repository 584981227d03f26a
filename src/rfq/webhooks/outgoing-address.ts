import { lookup as resolveHost } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Networks to which no public host name should resolve. Each address family has its own list, because a `BlockList`
 * treats every IPv4 address as part of `::ffff:0:0/96`.
 */
const PRIVATE_V4 = new BlockList();
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
  PRIVATE_V4.addSubnet(network, prefix, 'ipv4');
}
const PRIVATE_V6 = new BlockList();
for (const [network, prefix] of [
  // IPv6 forms of IPv4 addresses. Where they lead depends on the machine. The first network also contains `::` and
  // `::1`.
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['100::', 64],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE_V6.addSubnet(network, prefix, 'ipv6');
}

/** Whether the address is in a private, local or reserved network. */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 0) return true;
  return family === 4 ? PRIVATE_V4.check(ip, 'ipv4') : PRIVATE_V6.check(ip, 'ipv6');
}

/** Returns the host of a URL in the form that `net` accepts: an IPv6 address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Finds out why a URL cannot be used for a webhook.
 * @param allowsPrivate - Whether private addresses and connections without TLS are allowed.
 * @returns the reason as a sentence; null if the URL can be used
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

/** Resolves the name of a host, as `dns.lookup` does. */
export type LookupHost = LookupFunction;

/** Resolves names with the operating system's resolver. */
export const SYSTEM_LOOKUP: LookupHost = (hostname, options, callback) => {
  resolveHost(hostname, options, callback);
};

/**
 * Resolves names with `lookup`, and fails if any address of a name is private. It runs for each new connection, which
 * then goes to an address that was checked, so a name that resolves to a private address later is refused as well.
 */
export function publicLookup(lookup: LookupHost): LookupHost {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '');
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const [first] = addresses;
      if (first === undefined) return callback(new Error(`${hostname} leads to no address`), '');
      const refused = addresses.find(({ address }) => isPrivateAddress(address));
      if (refused !== undefined)
        return callback(new Error(`${hostname} leads to the private address ${refused.address}`), '');
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
