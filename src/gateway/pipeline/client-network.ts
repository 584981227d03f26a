import { isIpv4, formatIp, parseIp } from '../../platform/firewall/ip-address.ts';

/** One customer's line has at least a /64, and within it any number of addresses. */
const NETWORK_GROUPS = 4;

/** What a client without a key is counted by: its IPv4 address, or the /64 network of its IPv6 address. */
export function clientNetwork(ip: string): string {
  const address = parseIp(ip);
  if (address === null) return ip;
  if (isIpv4(address)) return formatIp(address);
  const groups = address.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
