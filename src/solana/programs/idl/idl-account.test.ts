import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { address } from '../../address.ts';
import { deriveIdlAddress, encodeIdlAccount } from './idl-account.ts';

describe('deriveIdlAddress', () => {
  it('gives the addresses at which mainnet has the interfaces', () => {
    // Computed with idlAddress of npm @coral-xyz/anchor 0.31.
    expect(deriveIdlAddress(address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'))).toBe(
      'C88XWfp26heEmDkmfSzeXP7Fd7GQJ2j9dDTUsyiZbUTa',
    );
  });
});

describe('encodeIdlAccount', () => {
  it.each([4, 65_533, 65_535, 65_536, 200_000])('stores a JSON of %i bytes, which zlib reads', (length) => {
    const idl = ['x'.repeat(length - 4)];
    const data = Buffer.from(encodeIdlAccount(idl));
    expect(data.subarray(0, 8).toString('hex')).toBe('184662bf3a907b9e');
    expect(data.subarray(8, 40)).toEqual(Buffer.alloc(32));
    expect(data.readUInt32LE(40)).toBe(data.length - 44);
    const json = inflateSync(data.subarray(44)).toString();
    expect(json).toHaveLength(length);
    expect(JSON.parse(json)).toEqual(idl);
  });
});
