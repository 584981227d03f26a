import { type IpAddress, isIpv4, formatIp, parseForwardedIp } from '../../platform/firewall/ip-address.ts';

/** A client as its address tells it. */
export interface Client {
  /** Null when the address is none, as behind a proxy that writes something else. */
  readonly address: IpAddress | null;
  readonly network: string;
}

/** One customer's line has at least a /64, and within it any number of addresses. */
const NETWORK_GROUPS = 4;
/** Clients send several requests; when there are more than this many, all are forgotten. */
const MAX_REMEMBERED = 10_000;

/** What a client without a key is counted by: its IPv4 address, or the /64 network of its IPv6 address. */
export function clientNetwork(ip: string): string {
  return networkOf(ip, parseForwardedIp(ip));
}

/** Reads addresses, each once while it is remembered. */
export function clientReader(): (ip: string) => Client {
  const remembered = new Map<string, Client>();
  return (ip) => {
    const known = remembered.get(ip);
    if (known !== undefined) return known;
    const address = parseForwardedIp(ip);
    const client = { address, network: networkOf(ip, address) };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(ip, client);
    return client;
  };
}

function networkOf(ip: string, address: IpAddress | null): string {
  if (address === null) return ip;
  if (isIpv4(address)) return formatIp(address);
  const groups = address.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
