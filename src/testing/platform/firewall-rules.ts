import fc from 'fast-check';
import {
  type RuleAction,
  type RuleCondition,
  CONDITION_TYPES,
  type ConditionType,
  type Rule,
  SCOPES,
} from '../../platform/firewall/rule.ts';

/** A few values of each kind, so that rules and requests often match. */
export const PATHS = ['/swap/v2/build', '/swap/v2/order', '/swapped', '/price/v3', '/'];
export const KEYS = ['web', 'ci', 'mobile app'];
export const METHODS = ['GET', 'POST', 'DELETE'];
export const COUNTRIES = ['CH', 'DE', 'US'];
export const HEADER_VALUES = ['ios', 'android', 'iOS'];
export const HEADERS = ['x-app', 'user-agent'];
const PREFIXES = ['/', '/swap', '/swap/', '/swap/v2/build', '/Swap', '/price'];

/** Addresses that are close to each other and to the edges of networks. */
export const ipv4 = fc
  .tuple(fc.constantFrom(10, 203), fc.constantFrom(0, 127, 128, 255), fc.constantFrom(0, 1, 254, 255))
  .map(([a, c, d]) => `${a}.0.${c}.${d}`);
export const ipv6 = fc
  .tuple(
    fc.constantFrom('2001:db8', 'fd00:0'),
    fc.constantFrom('0', '7fff', '8000'),
    fc.constantFrom('0', '1', 'ffff'),
  )
  .map(([head, middle, tail]) => `${head}:${middle}:0:0:0:0:${tail}`);

/** Returns the network of `length` bits that contains `address`, computed on a text of bits. */
export function networkAround(address: string, length: number): string {
  const bits = bitsOfText(address);
  const first = bits.slice(0, length).padEnd(bits.length, '0');
  return `${textOfBits(first)}/${length}`;
}

/** Returns 32 or 128 characters, each 0 or 1. */
export function bitsOfText(address: string): string {
  const [parts, radix, width] = address.includes(':')
    ? ([address.split(':'), 16, 16] as const)
    : ([address.split('.'), 10, 8] as const);
  return parts.map((part) => Number.parseInt(part, radix).toString(2).padStart(width, '0')).join('');
}

function textOfBits(bits: string): string {
  const isIpv4 = bits.length === 32;
  const groups = bits.match(isIpv4 ? /.{8}/g : /.{16}/g) ?? [];
  return groups.map((group) => Number.parseInt(group, 2).toString(isIpv4 ? 10 : 16)).join(isIpv4 ? '.' : ':');
}

const network = fc.oneof(
  ipv4,
  ipv6,
  fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([address, length]) => networkAround(address, length)),
  fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })).map(([address, length]) => networkAround(address, length)),
);

const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 4 });
const VALUES: Readonly<Record<ConditionType, fc.Arbitrary<string[]>>> = {
  path: some(fc.constantFrom(...PREFIXES)),
  key: some(fc.constantFrom(...KEYS)),
  method: some(fc.constantFrom(...METHODS)),
  country: some(fc.constantFrom(...COUNTRIES)),
  header: some(fc.constantFrom(...HEADER_VALUES)),
  ip: some(network),
};

const condition: fc.Arbitrary<RuleCondition> = fc.constantFrom(...CONDITION_TYPES).chain((type) =>
  fc.record({
    type: fc.constant(type),
    name: type === 'header' ? fc.constantFrom(...HEADERS) : fc.constant(null),
    values: VALUES[type],
  }),
);

const action: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record({ type: fc.constantFrom('log', 'deny', 'bypass') }),
  fc.record({
    type: fc.constant('rate-limit' as const),
    limit: fc.integer({ min: 1, max: 20_000 }),
    windowSeconds: fc.integer({ min: 1, max: 3_600 }),
    per: fc.constantFrom(...SCOPES),
  }),
);

/** Rules of one team with distinct ages, in any order. */
export const rules: fc.Arbitrary<Rule[]> = fc
  .array(
    fc.record({
      enabled: fc.boolean().map((off) => !off),
      groups: fc.array(fc.array(condition, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
      action,
      createdAt: fc.nat({ max: 1_000 }),
    }),
    { maxLength: 8 },
  )
  .map((list) =>
    list
      .filter(({ createdAt }, index) => list.findIndex((other) => other.createdAt === createdAt) === index)
      .map((rule, index) => ({ ...rule, id: `id-${index}`, name: `rule ${index}` })),
  );
