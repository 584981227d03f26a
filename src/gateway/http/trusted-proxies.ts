import { parseForwardedIp } from '../../platform/firewall/ip-address.ts';
import { compileNetworks, parseEnclosingNetwork } from '../../platform/firewall/networks.ts';

/**
 * Creates a function that tells whether an address belongs to a trusted proxy. The address may be written as sockets and
 * proxies write it: with a port, in brackets, or an IPv4 address mapped to IPv6.
 * @param proxies - Addresses and networks.
 *
 * @example
 * ```ts
 * import { createProxyCheck } from './trusted-proxies.ts';
 *
 * const isTrusted = createProxyCheck(['10.0.0.0/8']);
 * isTrusted('::ffff:10.1.2.3'); // true
 * ```
 */
export function createProxyCheck(proxies: readonly string[]): (address: string | undefined) => boolean {
  const isTrusted = compileNetworks(proxies.map(parseEnclosingNetwork));
  return (text = '') => {
    const address = parseForwardedIp(text);
    return address !== null && isTrusted(address);
  };
}
