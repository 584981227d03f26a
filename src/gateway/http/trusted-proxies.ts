import { parseForwardedIp } from '../../platform/firewall/ip-address.ts';
import { compileNetworks, networkAround } from '../../platform/firewall/networks.ts';

/**
 * Creates a function that tells whether an address belongs to a trusted proxy. The address may be written as sockets and
 * proxies write it: with a port, in brackets, or an IPv4 address mapped to IPv6.
 * @param proxies - Addresses and networks.
 *
 * @example
 * ```ts
 * import { trustIn } from './trusted-proxies.ts';
 *
 * const isTrusted = trustIn(['10.0.0.0/8']);
 * isTrusted('::ffff:10.1.2.3'); // true
 * ```
 */
export function trustIn(proxies: readonly string[]): (address: string | undefined) => boolean {
  const isTrusted = compileNetworks(proxies.map(networkAround));
  return (text = '') => {
    const address = parseForwardedIp(text);
    return address !== null && isTrusted(address);
  };
}
