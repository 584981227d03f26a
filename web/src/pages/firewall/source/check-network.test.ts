import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNetwork } from '../../../../../src/platform/firewall/networks.ts';
import { ipv4, ipv6, networkAround } from '../../../../../src/testing/platform/firewall-rules.ts';
import { assertProperty } from '../../../../../src/testing/random.ts';
import { checkNetwork } from './check-network.ts';

describe('checkNetwork', () => {
  it('accepts what the server accepts, and nothing else', () => {
    assertProperty(
      fc.property(text, (given) => {
        expect([given, checkNetwork(given) === null]).toEqual([given, isAccepted(given)]);
      }),
      { cases: 5_000, seed: 20_261_133 },
    );
  });

  it.each([
    ['203.0.113.7/24', 'This network begins with 203.0.113.0/24.'],
    ['2001:db8::1/32', 'This network begins with 2001:db8:0:0:0:0:0:0/32.'],
    ['203.0.113.0/33', 'The number behind the slash is from 0 to 32.'],
  ])('says what would be right for %s', (given, said) => expect(checkNetwork(given)).toBe(said));
});

const address = fc.oneof(
  ipv4,
  ipv6,
  fc.ipV4(),
  fc.ipV6(),
  ipv4.map((ip) => `::ffff:${ip}`),
);
const text = fc.oneof(
  address,
  fc.tuple(address, fc.nat({ max: 140 })).map(([ip, length]) => `${ip}/${length}`),
  fc.tuple(ipv4, fc.nat({ max: 32 })).map(([ip, length]) => networkAround(ip, length)),
  fc.tuple(ipv6, fc.nat({ max: 128 })).map(([ip, length]) => networkAround(ip, length)),
  fc.string({ unit: fc.constantFrom('0', '1', '255', 'f', ':', '::', '.', '/', ' ', 'g'), maxLength: 12 }),
);

function isAccepted(given: string): boolean {
  try {
    parseNetwork(given);
    return true;
  } catch {
    return false;
  }
}
