const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const IPV6_GROUP = /^[\da-f]{1,4}$/i;
const IPV6_GROUPS = 8;
/** The bits before an IPv4 address that is written as an IPv6 address. */
const MAPPED_BITS = 96;
const MAPPED = 0xffffn;

interface ParsedIp {
  readonly value: bigint;
  readonly bits: 32 | 128;
}

/**
 * Says what is wrong with an address or a network, while it is typed; null: nothing. The server judges it in the same way when
 * it is saved.
 */
export function checkNetwork(text: string): string | null {
  const [address = '', suffix, more] = text.split('/');
  const ip = parseIpv4(address) ?? parseIpv6(address);
  if (ip === null || more !== undefined)
    return 'An address or a network, such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.';
  const isMapped = ip.bits === 128 && ip.value >> 32n === MAPPED;
  const least = isMapped ? MAPPED_BITS : 0;
  if (suffix === undefined) return null;
  const length = /^\d{1,3}$/.test(suffix) ? Number(suffix) : -1;
  if (length < least || length > ip.bits)
    return `The number behind the slash is from ${least} to ${ip.bits}.`;
  const first = (ip.value >> BigInt(ip.bits - length)) << BigInt(ip.bits - length);
  return first === ip.value ? null : `This network begins with ${formatIp(first, ip.bits)}/${length}.`;
}

function parseIpv4(text: string): ParsedIp | null {
  const [, ...parts] = IPV4.exec(text) ?? [];
  const isSound =
    parts.length === 4 && parts.every((part) => Number(part) < 256 && String(Number(part)) === part);
  if (!isSound) return null;
  return { value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n), bits: 32 };
}

function parseIpv6(text: string): ParsedIp | null {
  const halves = text.split('::');
  if (halves.length > 2 || !text.includes(':')) return null;
  const [head, tail] = halves.map((half) => parseGroups(half));
  if (head === null || head === undefined || tail === null) return null;
  const missing = IPV6_GROUPS - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...new Array<bigint>(missing).fill(0n), ...(tail ?? [])];
  return { value: groups.reduce((value, group) => (value << 16n) | group, 0n), bits: 128 };
}

/** Returns groups of 16 bits, of which the last two may be written as an IPv4 address; null if the text is none. */
function parseGroups(text: string): readonly bigint[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: bigint[] = [];
  for (const [index, part] of parts.entries()) {
    const embedded = index === parts.length - 1 ? parseIpv4(part) : null;
    if (embedded !== null) groups.push(embedded.value >> 16n, embedded.value & 0xffffn);
    else if (IPV6_GROUP.test(part)) groups.push(BigInt(`0x${part}`));
    else return null;
  }
  return groups;
}

function formatIp(value: bigint, bits: 32 | 128): string {
  const [size, separator, radix] = bits === 32 ? ([8n, '.', 10] as const) : ([16n, ':', 16] as const);
  const count = bits / Number(size);
  const mask = (1n << size) - 1n;
  return Array.from({ length: count }, (_, index) =>
    ((value >> (BigInt(count - 1 - index) * size)) & mask).toString(radix),
  ).join(separator);
}
