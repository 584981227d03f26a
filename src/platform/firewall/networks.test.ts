import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { parseIp } from './ip-address.ts';
import { compileNetworks, parseNetwork } from './networks.ts';
import { bitsOfText, ipv4, ipv6, networkAround } from '../../testing/platform/firewall-rules.ts';

describe('compileNetworks', () => {
  it.each([
    [['203.0.113.0/24'], '203.0.113.255', true],
    [['203.0.113.0/24'], '203.0.114.0', false],
    [['203.0.113.7'], '203.0.113.7', true],
    [['0.0.0.0/0'], '255.255.255.255', true],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '10.0.0.1', false],
    [['::/0'], '2001:db8::1', true],
    [['2001:db8::/33'], '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff', true],
    [['2001:db8::/33'], '2001:db8:8000::', false],
    [['::ffff:10.0.0.0/104'], '10.255.0.1', true],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8', '10.0.0.0/16', '10.1.0.0/16'], '10.200.0.0', true],
    [['fe80::/10'], 'fe80::1%eth0', true],
    // Some libraries read this obsolete form as the IPv4 address.
    [['1.2.3.0/24'], '::1.2.3.4', false],
    [['::/96'], '::1.2.3.4', true],
  ])('%j have %s: %s', (networks, address, expected) => {
    expect(contains(networks, address)).toBe(expected);
  });

  it('contain exactly the addresses that begin with the network’s bits', () => {
    const address = fc.oneof(ipv4, ipv6);
    const network = fc
      .tuple(address, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([inside, share]) => networkAround(inside, Math.round(share * bitsOfText(inside).length)));
    assertProperty(
      fc.property(fc.array(network, { maxLength: 12 }), address, (networks, asked) => {
        const expected = networks.some((text) => {
          const [first = '', length] = text.split('/');
          const [bits, own] = [bitsOfText(first), bitsOfText(asked)];
          return bits.length === own.length && own.startsWith(bits.slice(0, Number(length)));
        });
        expect(contains(networks, asked)).toBe(expected);
      }),
      { cases: 2_000, seed: SEED },
    );
  });

  it.each([
    ['10.0.0.5/8', "the network's first address: 10.0.0.0/8"],
    ['2001:db8::1/32', "the network's first address: 2001:db8:0:0:0:0:0:0/32"],
    ['10.0.0.0/33', 'a network whose length is from 0 to 32'],
    ['::ffff:10.0.0.0/8', 'a network whose length is from 96 to 128'],
    ['10.0.0', 'an IP address or a network'],
    ['fe80::1%eth0', 'an IP address or a network'],
    ['10.0.0.0/', 'an IP address or a network'],
    ['', 'an IP address or a network'],
  ])('refuse %j', (text, message) => {
    expect(() => parseNetwork(text)).toThrow(message);
  });
});

const SEED = 20_261_121;

function contains(networks: readonly string[], address: string): boolean {
  const ip = parseIp(address);
  if (ip === null) throw new Error(`${address} is no address`);
  return compileNetworks(networks.map(parseNetwork))(ip);
}
