import { bitsOfText } from './firewall-rules.ts';

const NODE_BYTES = 6;
const SEPARATOR_BYTES = 16;
const MARKER = Buffer.from('ABCDEF4D61784D696E642E636F6D', 'hex');

type Node = [Node | string | null, Node | string | null];

/** Returns a file of the MaxMind format 2.0, with records of 24 bits, that has the countries of these networks. */
export function countryDatabase(countries: Readonly<Record<string, string>>): Buffer {
  return encodeDatabase(countries, (country) => map({ country: map({ iso_code: text(country) }) }));
}

/** Returns a file of the same format with the autonomous systems of these networks, such as `AS64500`. */
export function networkDatabase(systems: Readonly<Record<string, string>>): Buffer {
  return encodeDatabase(systems, (asn) => map({ asn: text(asn) }));
}

function encodeDatabase(
  countries: Readonly<Record<string, string>>,
  recordOf: (value: string) => Buffer,
): Buffer {
  const root: Node = [null, null];
  for (const [network, country] of Object.entries(countries)) insert(root, toNetworkBits(network), country);
  const nodes = nodesUnder(root);
  const data: Buffer[] = [];
  const offsets = new Map<string, number>();
  let size = 0;
  for (const country of new Set(Object.values(countries))) {
    const record = recordOf(country);
    offsets.set(country, size);
    size += record.length;
    data.push(record);
  }
  const tree = Buffer.alloc(nodes.length * NODE_BYTES);
  for (const [index, node] of nodes.entries()) {
    for (const [side, child] of node.entries()) {
      const value =
        child === null
          ? nodes.length
          : typeof child === 'string'
            ? nodes.length + SEPARATOR_BYTES + (offsets.get(child) ?? 0)
            : nodes.indexOf(child);
      tree.writeUIntBE(value, index * NODE_BYTES + side * 3, 3);
    }
  }
  return Buffer.concat([tree, Buffer.alloc(SEPARATOR_BYTES), ...data, MARKER, metadata(nodes.length)]);
}

/** IPv4 networks are stored below `::/96`. */
function toNetworkBits(network: string): string {
  const [address = '', length] = network.split('/');
  const bits = bitsOfText(address).slice(0, Number(length));
  return address.includes(':') ? bits : '0'.repeat(96) + bits;
}

function insert(root: Node, bits: string, country: string): void {
  let node = root;
  for (const [index, bit] of [...bits].entries()) {
    const side = bit === '1' ? 1 : 0;
    const child = node[side];
    if (index === bits.length - 1) node[side] = country;
    else if (Array.isArray(child)) node = child;
    else node = node[side] = [null, null];
  }
}

function nodesUnder(node: Node): Node[] {
  return [node, ...node.flatMap((child) => (Array.isArray(child) ? nodesUnder(child) : []))];
}

function metadata(nodeCount: number): Buffer {
  return map({
    binary_format_major_version: number(5, 2),
    binary_format_minor_version: number(5, 0),
    build_epoch: Buffer.concat([Buffer.from([1, 2]), Buffer.from([1])]),
    database_type: text('Test-Country'),
    description: map({ en: text('made by a test') }),
    ip_version: number(5, 6),
    languages: Buffer.from([0, 4]),
    node_count: number(6, nodeCount),
    record_size: number(5, 24),
  });
}

function map(entries: Readonly<Record<string, Buffer>>): Buffer {
  const parts = Object.entries(entries).flatMap(([name, value]) => [text(name), value]);
  return Buffer.concat([Buffer.from([(7 << 5) | Object.keys(entries).length]), ...parts]);
}

/** @param value - At most 28 characters long. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([(2 << 5) | value.length]), Buffer.from(value)]);
}

/** Encodes a number in two bytes. */
function number(type: 5 | 6, value: number): Buffer {
  return Buffer.from([(type << 5) | 2, value >> 8, value & 0xff]);
}
