import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { assertProperty } from '../../testing/random.ts';
import { computeFeeFactor, computeLotsFee, toContracts, toMicroPrice } from './lots.ts';
import { computeVenueFee, estimateVenueFee } from '../venue-fee.ts';

describe('computeVenueFee', () => {
  it('returns the fee of a recorded purchase', () => {
    expect(computeVenueFee(700, 12_270_000n, 369_998n)).toBe(200_210n);
  });

  it('is the same for a price and its opposite', () => {
    for (const price of [1_000n, 123_000n, 499_000n]) {
      expect(computeVenueFee(700, 770_000n, price)).toBe(computeVenueFee(700, 770_000n, 1_000_000n - price));
    }
  });

  it('is what the books charge, for any fee, size and price', () => {
    const property = fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 500_000_000_000 }),
      fc.integer({ min: 1, max: 999 }),
      (feeBps, lots, price) =>
        BigInt(computeLotsFee(lots, computeFeeFactor(feeBps, price))) ===
        computeVenueFee(feeBps, toContracts(lots), toMicroPrice(price)),
    );
    assertProperty(property, { cases: 5_000, seed: 4_201, against: 'the exact fee' });
  });
});

describe('estimateVenueFee', () => {
  it('returns the published table for one contract and for a hundred', () => {
    const table = [
      [10_000n, 10_000n, 70_000n],
      [100_000n, 10_000n, 630_000n],
      [250_000n, 20_000n, 1_320_000n],
      [400_000n, 20_000n, 1_680_000n],
    ] as const;
    for (const [price, one, hundred] of table) {
      expect(estimateVenueFee(700, 1_000_000n, price)).toBe(one);
      expect(estimateVenueFee(700, 100_000_000n, price)).toBe(hundred);
    }
  });
});
