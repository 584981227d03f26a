import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../../common/refusal.ts';
import {
  countAddressBits,
  compareIps,
  formatIp,
  type IpAddress,
  isIpv4,
  parseIp,
  computeAddressRange,
} from './ip-address.ts';

/** A range of addresses of one kind, its ends included. */
export interface IpNetwork {
  readonly first: IpAddress;
  readonly last: IpAddress;
}

const NETWORK = /^([^/%]+)(?:\/(\d{1,3}))?$/;
/** An IPv4 network that is written as an IPv6 network has this many bits before its own. */
const MAPPED_BITS = 96;

/**
 * Parses `203.0.113.7`, `203.0.113.0/24` or `2001:db8::/32`.
 * @throws Refused when the text is neither an address nor a network, or has bits beyond the network's length
 */
export function parseNetwork(text: string): IpNetwork {
  const { address, length } = splitNetwork(text);
  const network = computeAddressRange(address, length);
  if (compareIps(network.first, address) !== 0) {
    throw refused(text, `the network's first address: ${formatIp(network.first)}/${length}`);
  }
  return network;
}

/**
 * As `parseNetwork`, but accepts any address of the network in place of its first one.
 * @throws Refused when the text is neither an address nor a network
 */
export function parseEnclosingNetwork(text: string): IpNetwork {
  const { address, length } = splitNetwork(text);
  return computeAddressRange(address, length);
}

function splitNetwork(text: string): { readonly address: IpAddress; readonly length: number } {
  const [, before = '', suffix] = NETWORK.exec(text) ?? [];
  const address = parseIp(before);
  if (address === null) throw refused(text, 'an IP address or a network such as 203.0.113.0/24');
  const mapped = isIpv4(address) && before.includes(':');
  const length =
    suffix === undefined ? countAddressBits(address) : Number(suffix) - (mapped ? MAPPED_BITS : 0);
  if (length >= 0 && length <= countAddressBits(address)) return { address, length };
  const [least, most] = mapped
    ? [MAPPED_BITS, MAPPED_BITS + countAddressBits(address)]
    : [0, countAddressBits(address)];
  throw refused(text, `a network whose length is from ${least} to ${most}`);
}

/** Whether an address is in one of several networks. */
export type NetworkTest = (address: IpAddress) => boolean;

/**
 * Sorts the networks once, so that a test is a binary search.
 *
 * @example
 * ```ts
 * import { parseIp } from './ip-address.ts';
 * import { compileNetworks, parseNetwork } from './networks.ts';
 *
 * const isOffice = compileNetworks(['203.0.113.0/24', '2001:db8::/32'].map(parseNetwork));
 * const address = parseIp('203.0.113.7');
 * console.log(address !== null && isOffice(address)); // true
 * ```
 */
export function compileNetworks(networks: readonly IpNetwork[]): NetworkTest {
  const ipv4 = disjoint(networks.filter(({ first }) => isIpv4(first)));
  const ipv6 = disjoint(networks.filter(({ first }) => !isIpv4(first)));
  return (address) => contains(isIpv4(address) ? ipv4 : ipv6, address);
}

/** Drops networks that lie within another one. Two networks of one kind are either disjoint or nested. */
function disjoint(networks: readonly IpNetwork[]): readonly IpNetwork[] {
  const sorted = [...networks].sort(
    (one, other) => compareIps(one.first, other.first) || compareIps(other.last, one.last),
  );
  const kept: IpNetwork[] = [];
  for (const network of sorted) {
    const before = kept.at(-1);
    if (before === undefined || compareIps(network.first, before.last) > 0) kept.push(network);
  }
  return kept;
}

function contains(networks: readonly IpNetwork[], address: IpAddress): boolean {
  let low = 0;
  let high = networks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const network = networks[middle];
    if (network === undefined) return false;
    if (compareIps(address, network.first) < 0) high = middle;
    else if (compareIps(address, network.last) > 0) low = middle + 1;
    else return true;
  }
  return false;
}

function refused(text: string, right: string): Refused {
  return new Refused('invalid-value', `the network is ${formatForError(text)}, but must be ${right}`);
}
