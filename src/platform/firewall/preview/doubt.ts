import { compareIps, isIpv4 } from '../ip-address.ts';
import { parseNetwork } from '../networks.ts';
import type { RuleCondition } from '../rule.ts';
import type { KnownText, LoggedRequest } from './logged-request.ts';

/** Why the log cannot tell whether a condition holds. */
export const DOUBTS = ['header', 'key', 'ip', 'path'] as const;
export type Doubt = (typeof DOUBTS)[number];

/**
 * Makes a function that says why the log cannot tell whether a condition holds for a request; it returns null where the log
 * can tell.
 */
export function createDoubtFinder(condition: RuleCondition): (request: LoggedRequest) => Doubt | null {
  const { type, values } = condition;
  switch (type) {
    case 'method':
    case 'country':
      return () => null;
    case 'key':
      return ({ knownKey }) => (knownKey === null ? 'key' : null);
    case 'path':
      return ({ knownPath }) => (isPrefixDoubtful(values, knownPath) ? 'path' : null);
    case 'header': {
      const name = condition.name ?? '';
      return ({ knownHeaders }) => (isValueDoubtful(values, knownHeaders.get(name)) ? 'header' : null);
    }
    case 'ip':
      return createAddressDoubt(values);
  }
}

/** Whether one of the prefixes may go on where the known part of the path ends. */
function isPrefixDoubtful(prefixes: readonly string[], { text, isWhole }: KnownText): boolean {
  if (isWhole || prefixes.some((prefix) => text.startsWith(prefix))) return false;
  return prefixes.some((prefix) => prefix.startsWith(text));
}

/** @param known - Undefined: the log does not keep this header. */
function isValueDoubtful(values: readonly string[], known: KnownText | undefined): boolean {
  if (known === undefined) return true;
  return !known.isWhole && values.some((value) => value.startsWith(known.text));
}

/** Networks that are smaller than the /64 that is logged may or may not hold the address. */
function createAddressDoubt(values: readonly string[]): (request: LoggedRequest) => Doubt | null {
  const networks = values.map(parseNetwork).filter(({ first }) => !isIpv4(first));
  return ({ network }) => {
    if (network === null) return null;
    const smaller = networks.some(({ first, last }) =>
      compareIps(first, network.first) > 0 || compareIps(last, network.last) < 0
        ? compareIps(first, network.last) <= 0 && compareIps(last, network.first) >= 0
        : false,
    );
    const isHeld = networks.some(
      ({ first, last }) => compareIps(first, network.first) <= 0 && compareIps(last, network.last) >= 0,
    );
    return smaller && !isHeld ? 'ip' : null;
  };
}
