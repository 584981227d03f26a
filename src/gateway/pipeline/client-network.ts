import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** One customer's line has at least a /64, and within it any number of addresses. */
const NETWORK_GROUPS = 4;

/** What a client without a key is counted by: its IPv4 address, or the /64 network of its IPv6 address. */
export function clientNetwork(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(ip)) return ip;
  const [head = '', tail] = ip.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const middle = Array.from({ length: Math.max(GROUPS - before.length - after.length, 0) }, () => '0');
  const groups = [...before, ...middle, ...after].slice(0, NETWORK_GROUPS);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

function groupsOf(text: string): readonly string[] {
  // An IPv4 address at the end stands for two groups; it is never among the first four.
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
