import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  isPrivateAddress,
  isPrivateHost,
  type LookupHost,
  findUrlProblem,
  createPublicLookup,
} from './outgoing-address.ts';

describe('isPrivateAddress', () => {
  it.each(['8.8.8.8', '9.9.9.9', '172.32.0.1', '11.0.0.0', '2606:4700::1111', '2a00:1450::1', '192.88.98.1'])(
    'allows %s',
    (ip) => expect(isPrivateAddress(ip)).toBe(false),
  );

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1'],
    ...['172.31.255.255', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::a00:1', '2002:7f00:1::'],
    ...['2001:0:1::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fec0::1', 'ff02::1', 'maker.example', ''],
    ...['192.88.99.1', '192.0.2.1', '198.51.100.1', '203.0.113.7', '168.63.129.16', '192.0.0.192'],
    ...['100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::1%eth0', '2001:4860::1%eth0'],
    ...['::ffff:808:808', '::ffff:0:8.8.8.8', '64:ff9b::808:808', '64:ff9b:1::1', '100::1', '100:0:0:1::1'],
    ...['2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:808:808::', '3ffe::1', '3fff::1'],
    ...['5f00::1', '200::1', '4000::1', '8000::1'],
  ])('refuses %j', (ip) => expect(isPrivateAddress(ip)).toBe(true));
});

describe('isPrivateHost', () => {
  it.each(['maker.example', 'internal.example', 'metadata.example', 'local.example.', '8.8.8.8'])(
    'allows %s',
    (host) => expect(isPrivateHost(host)).toBe(false),
  );

  it.each([
    ...['metadata.google.internal', 'METADATA.google.Internal.', 'instance-data.ec2.internal', 'metadata'],
    ...[
      'instance-data',
      'localhost',
      'maker.localhost',
      'printer.local',
      'router.home.arpa',
      '169.254.169.254',
    ],
  ])('refuses %s', (host) => expect(isPrivateHost(host)).toBe(true));
});

describe('findUrlProblem', () => {
  it.each(['https://maker.example/rfq', 'https://8.8.8.8', 'https://[2606:4700::1111]:8443/rfq'])(
    'allows %s',
    (url) => expect(findUrlProblem(url, false)).toBeNull(),
  );

  // The URL parser writes every form of an IPv4 address as four decimal numbers.
  it.each([
    ...['https://127.0.0.1', 'https://127.1', 'https://2130706433', 'https://0x7f.1', 'https://017700000001'],
    ...['https://[::1]', 'https://[::ffff:127.0.0.1]', 'https://10.0.0.8:8443/rfq'],
    ...[
      'https://metadata.google.internal',
      'https://localhost',
      'https://168.63.129.16',
      'https://[5f00::1]',
    ],
  ])('refuses %s because it is private', (url) => {
    expect(findUrlProblem(url, false)).toContain('private address');
    expect(findUrlProblem(url, true)).toBeNull();
  });

  it.each([
    ['http://maker.example', 'must be an https URL'],
    ['ftp://maker.example', 'must be an http or https URL'],
    ['maker.example', 'must be an http or https URL'],
    ['https://user:word@maker.example', 'a user or a password'],
    ['https://maker.example?key=1', 'a query or a fragment'],
    ['https://maker.example#rfq', 'a query or a fragment'],
  ])('refuses %s', (url, why) => expect(findUrlProblem(url, false)).toContain(why));
});

describe('createPublicLookup', () => {
  it('returns exactly the addresses that it has judged, in both forms of the question', async () => {
    const addresses = ['9.9.9.9', '2606:4700::1111'];
    expect(await resolve(createPublicLookup(lookupOf(addresses)), false)).toBe('9.9.9.9');
    expect(await resolve(createPublicLookup(lookupOf(addresses)), true)).toEqual([
      { address: '9.9.9.9', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('fails if any of the addresses is private, because a connection tries one after the other', async () => {
    for (const addresses of [['127.0.0.1'], ['9.9.9.9', '10.0.0.1'], ['2606:4700::1111', '::1']]) {
      for (const all of [true, false]) {
        const found = resolve(createPublicLookup(lookupOf(addresses)), all);
        await expect(found).rejects.toThrow('maker.example leads to the private address');
      }
    }
  });

  it('judges each question again, so that a name cannot lead elsewhere later', async () => {
    const lookup = createPublicLookup(lookupOf(['9.9.9.9'], ['169.254.169.254']));
    expect(await resolve(lookup, false)).toBe('9.9.9.9');
    await expect(resolve(lookup, false)).rejects.toThrow('the private address 169.254.169.254');
  });

  it('fails if the name leads to no address, or cannot be resolved', async () => {
    await expect(resolve(createPublicLookup(lookupOf([])), false)).rejects.toThrow('leads to no address');
    const failing: LookupHost = (_hostname, _options, callback) => callback(new Error('no such name'), '');
    await expect(resolve(createPublicLookup(failing), true)).rejects.toThrow('no such name');
  });
});

/** Answers each question with the next list. */
function lookupOf(...answers: readonly (readonly string[])[]): LookupHost {
  const left = [...answers];
  return (_hostname, _options, callback) => {
    const addresses = (left.shift() ?? []).map((address) => ({ address, family: isIP(address) }));
    callback(null, addresses);
  };
}

function resolve(lookup: LookupHost, all: boolean): Promise<string | readonly LookupAddress[]> {
  return new Promise((resolved, reject) => {
    lookup('maker.example', { all }, (error, found) => (error === null ? resolved(found) : reject(error)));
  });
}
