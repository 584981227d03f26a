import { parseForwardedIp } from '../../platform/firewall/ip-address.ts';
import { compileNetworks, networkAround } from '../../platform/firewall/networks.ts';

/**
 * Whether an address is one of a trusted proxy, however sockets and other proxies write it: with a port, in brackets, or
 * an IPv4 address as an IPv6 one.
 * @param proxies addresses and networks
 */
export function trustIn(proxies: readonly string[]): (address: string | undefined) => boolean {
  const isTrusted = compileNetworks(proxies.map(networkAround));
  return (text = '') => {
    const address = parseForwardedIp(text);
    return address !== null && isTrusted(address);
  };
}
