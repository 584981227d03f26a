import { getBase58Decoder, getBase58Encoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';

describe('encodeBase58', () => {
  it('agrees with the public library, for zeros at the beginning also', () => {
    assertProperty(
      fc.property(fc.nat(3), fc.uint8Array({ maxLength: 80 }), (zeros, rest) => {
        const bytes = Uint8Array.from([...new Array<number>(zeros).fill(0), ...rest]);
        const text = encodeBase58(bytes);
        expect(text).toBe(getBase58Decoder().decode(bytes));
        expect(decodeBase58(text)).toEqual(bytes);
      }),
      { cases: 100, seed: 4413 },
    );
  });
});

describe('decodeBase58', () => {
  it.each(['0', 'O', 'I', 'l', 'a b', '<', '1'.repeat(2049)])('refuses %j', (text) => {
    expect(decodeBase58(text)).toBeNull();
  });

  it('decodes an address to its 32 bytes', () => {
    const mint = 'So11111111111111111111111111111111111111112';
    expect(decodeBase58(mint)).toEqual(new Uint8Array(getBase58Encoder().encode(mint)));
  });
});
