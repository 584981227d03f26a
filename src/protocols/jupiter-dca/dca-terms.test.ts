import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { assertProperty } from '../../testing/random.ts';
import {
  createCloseDca,
  createOpenDca,
  createOpenDcaV1,
  type DcaTerms,
  decodeDcaTerms,
} from './dca-instructions.ts';

describe('decodeDcaTerms', () => {
  it('returns what both forms of the instruction were created with', () => {
    const property = fc.property(TERMS, fc.boolean(), fc.boolean(), (terms, isOlder, closes) => {
      const opening = { user, inputMint, outputMint, idx: 7n, ...terms };
      const { data } = isOlder ? createOpenDcaV1(opening, closes) : createOpenDca(opening);
      expect(decodeDcaTerms(data)).toEqual(terms);
      expect(() => decodeDcaTerms(data.subarray(0, 20))).toThrow(/terms of a DCA order/);
    });
    assertProperty(property, { cases: 300, seed: 20_261_131 });
  });

  it('returns null for other instructions', () => {
    const order = { address: user, user, inputMint, outputMint, inAccount: user, outAccount: user };
    expect(decodeDcaTerms(createCloseDca(order).data)).toBeNull();
    expect(decodeDcaTerms(new Uint8Array(3))).toBeNull();
  });
});

const [user, inputMint, outputMint] = [1, 2, 3].map(
  (byte) => createKeypairFromSeed(new Uint8Array(32).fill(byte)).address,
) as [Address, Address, Address];

const u64 = fc.bigInt(0n, (1n << 64n) - 1n);
const i64 = fc.bigInt(-(1n << 63n), (1n << 63n) - 1n);
const TERMS: fc.Arbitrary<DcaTerms> = fc.record({
  inAmount: u64,
  inAmountPerCycle: u64,
  cycleFrequency: i64,
  minOutAmount: fc.option(u64, { nil: undefined }),
  maxOutAmount: fc.option(u64, { nil: undefined }),
  startAt: fc.option(i64, { nil: undefined }),
});
