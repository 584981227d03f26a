import { isIPv4, isIPv6 } from 'node:net';

/** Groups of 16 bits, the highest first: an IPv4 address has two, an IPv6 address has eight. */
export type IpAddress = readonly number[];

const GROUP_BITS = 16;
const IPV4_GROUPS = 2;
const IPV6_GROUPS = 8;
/** The first six groups of an IPv4 address that is written as an IPv6 address. */
const MAPPED = [0, 0, 0, 0, 0, 0xffff];

/**
 * Parses an IP address. An IPv4 address that is written as `::ffff:1.2.3.4` is that IPv4 address.
 * Returns null when the text is not an IP address.
 */
export function parseIp(text: string): IpAddress | null {
  if (isIPv4(text)) return groupsOfIpv4(text);
  if (!isIPv6(text)) return null;
  const groups = groupsOfIpv6(text);
  return MAPPED.every((group, index) => groups[index] === group) ? groups.slice(MAPPED.length) : groups;
}

const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * Parses an address as proxies write it: some add the port, and put brackets around an IPv6 address.
 * Returns null when the text is not an address.
 */
export function parseForwardedIp(text: string): IpAddress | null {
  const direct = parseIp(text);
  if (direct !== null) return direct;
  const [, v6, v4] = WITH_PORT.exec(text) ?? [];
  return parseIp(v6 ?? v4 ?? '');
}

export function isIpv4(address: IpAddress): boolean {
  return address.length === IPV4_GROUPS;
}

export function formatIp(address: IpAddress): string {
  return isIpv4(address)
    ? address.flatMap((group) => [group >> 8, group & 0xff]).join('.')
    : address.map((group) => group.toString(16)).join(':');
}

/** Returns the number of bits of an address of this kind, 32 or 128. */
export function countAddressBits(address: IpAddress): number {
  return address.length * GROUP_BITS;
}

/** Returns the first and the last address that begin with the first `length` bits of `address`. */
export function computeAddressRange(
  address: IpAddress,
  length: number,
): { readonly first: IpAddress; readonly last: IpAddress } {
  const free = address.map((_, index) => {
    const fixed = Math.min(Math.max(length - index * GROUP_BITS, 0), GROUP_BITS);
    return 0xffff >> fixed;
  });
  return {
    first: address.map((group, index) => group & ~(free[index] ?? 0)),
    last: address.map((group, index) => group | (free[index] ?? 0)),
  };
}

/**
 * Compares two addresses of the same kind.
 * Returns a negative number when `left` is lower, zero when both are equal, a positive number when `left` is higher.
 */
export function compareIps(left: IpAddress, right: IpAddress): number {
  for (let index = 0; index < left.length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function groupsOfIpv4(text: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

function groupsOfIpv6(text: string): number[] {
  const [head = '', tail] = (text.split('%', 1)[0] ?? '').split('::');
  const before = groupsOfPart(head);
  const after = groupsOfPart(tail ?? '');
  const middle = new Array<number>(IPV6_GROUPS - before.length - after.length).fill(0);
  return [...before, ...middle, ...after];
}

function groupsOfPart(text: string): number[] {
  if (text === '') return [];
  return text
    .split(':')
    .flatMap((group) => (group.includes('.') ? groupsOfIpv4(group) : [Number.parseInt(group, 16)]));
}
