import { lookup as resolveHost } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Networks that are not public: those that the registry of special-purpose IPv4 addresses of the IANA calls not globally
 * reachable, those whose use has ended, and addresses at which a cloud's hosts reach its internal services. Each address
 * family has its own list, because a `BlockList` treats every IPv4 address as part of `::ffff:0:0/96`.
 */
const PRIVATE_V4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure serves metadata and secrets of a machine here, although the address is in a public network.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE_V4.addSubnet(network, prefix, 'ipv4');
}
/**
 * The only network of which the IANA allocates public IPv6 addresses. Outside of it are loopback, private, link-local
 * and multicast addresses, segment identifiers (`5f00::/16`), and the forms of IPv4 addresses (`::ffff:0:0/96`,
 * `::ffff:0:0:0/96`, `64:ff9b::/96`), of which it depends on the machine where they lead.
 */
const GLOBAL_V6 = new BlockList();
GLOBAL_V6.addSubnet('2000::', 3, 'ipv6');
/** The networks of `GLOBAL_V6` that are not public. */
const PRIVATE_V6 = new BlockList();
for (const [network, prefix] of [
  // Protocol assignments: Teredo, benchmarks, and identifiers that are no addresses.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3ffe::', 16],
  ['3fff::', 20],
] as const) {
  PRIVATE_V6.addSubnet(network, prefix, 'ipv6');
}

/** Whether the address is in a private, local, reserved or documentation network, or is no address. */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip);
  if (family === 4) return PRIVATE_V4.check(ip, 'ipv4');
  // An address with a zone, such as `fe80::1%eth0`, belongs to one link, and a `BlockList` does not take it.
  if (family === 0 || ip.includes('%')) return true;
  return !GLOBAL_V6.check(ip, 'ipv6') || PRIVATE_V6.check(ip, 'ipv6');
}

/** Domains that only private networks resolve, such as `metadata.google.internal`. */
const PRIVATE_DOMAINS: ReadonlySet<string> = new Set([
  'internal',
  'local',
  'localhost',
  'localdomain',
  'lan',
]);

/**
 * Whether a host is not public: an address that `isPrivateAddress` refuses, a name without a domain, such as `metadata`
 * or `instance-data`, or a name that only private networks resolve.
 */
export function isPrivateHost(host: string): boolean {
  if (isIP(host) !== 0) return isPrivateAddress(host);
  const labels = host.toLowerCase().replace(/\.$/, '').split('.');
  const domain = labels.at(-1) ?? '';
  return labels.length === 1 || PRIVATE_DOMAINS.has(domain) || labels.slice(-2).join('.') === 'home.arpa';
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
export function findUrlProblem(text: string, allowsPrivate: boolean): string | null {
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
  if (isPrivateHost(host)) {
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
export function createPublicLookup(lookup: LookupHost): LookupHost {
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
