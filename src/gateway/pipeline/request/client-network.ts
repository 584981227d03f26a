import { type IpAddress, isIpv4, formatIp, parseForwardedIp } from '../../../platform/firewall/ip-address.ts';

/** A client, read from its address. */
export interface RequestClient {
  /** Null if the text is not an IP address, as behind a proxy that writes something else. */
  readonly address: IpAddress | null;
  /** See `toClientNetwork`. */
  readonly network: string;
}

/** One customer's line has at least a /64 network, and any number of addresses in it. */
const NETWORK_GROUPS = 4;
/** Addresses that are remembered, because most clients send several requests. All are forgotten when it is full. */
const MAX_REMEMBERED = 10_000;

/**
 * Returns what a client without a key is counted by.
 * @param ip - As the connection or a trusted proxy gives it.
 * @returns its IPv4 address, the /64 network of its IPv6 address, or `ip` itself if it is not an address
 *
 * @example
 * ```ts
 * import { toClientNetwork } from './client-network.ts';
 *
 * toClientNetwork('203.0.113.7'); // '203.0.113.7'
 * toClientNetwork('2001:db8:1:2:3:4:5:6'); // '2001:db8:1:2::/64'
 * ```
 */
export function toClientNetwork(ip: string): string {
  return formatNetwork(ip, parseForwardedIp(ip));
}

/** Creates a function that parses a client's address, and remembers the last 10,000 of them. */
export function createClientReader(): (ip: string) => RequestClient {
  const remembered = new Map<string, RequestClient>();
  return (ip) => {
    const known = remembered.get(ip);
    if (known !== undefined) return known;
    const address = parseForwardedIp(ip);
    const client = { address, network: formatNetwork(ip, address) };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(ip, client);
    return client;
  };
}

function formatNetwork(ip: string, address: IpAddress | null): string {
  if (address === null) return ip;
  if (isIpv4(address)) return formatIp(address);
  const groups = address.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
