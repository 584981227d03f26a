import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { bps } from '../../solana/units.ts';
import { computeUnitPrice, computePriorityFee } from './priority-fee.ts';

describe('computePriorityFee', () => {
  it('follows what others pay, up to 0.005 SOL', () => {
    expect(computePriorityFee(null, 3_000n, 100_000)).toEqual({ price: 3_000n, lamports: 300n });
    expect(computePriorityFee(null, 0n, 100_000)).toEqual({ price: 0n, lamports: 0n });
    expect(computePriorityFee(null, 10n ** 12n, 100_000)).toEqual({
      price: 50_000_000n,
      lamports: 5_000_000n,
    });
  });

  it('never exceeds the requested fee, and comes close to it', () => {
    const given = fc.bigInt({ min: 1n, max: 10_000_000_000n });
    const limit = fc.integer({ min: 1, max: 1_400_000 });
    assertProperty(
      fc.property(given, limit, fc.bigInt({ min: 0n, max: 1n << 40n }), (lamports, units, recent) => {
        const exact = computePriorityFee({ lamports, kind: 'exactFee' }, recent, units);
        expect(exact.lamports).toBeLessThanOrEqual(lamports);
        expect(lamports - exact.lamports).toBeLessThanOrEqual(1n + BigInt(units) / 1_000_000n);
        const capped = computePriorityFee({ lamports, kind: 'maxCap' }, recent, units);
        expect(capped.lamports).toBeLessThanOrEqual(exact.lamports);
        expect(capped.price).toBeLessThanOrEqual(computePriorityFee(null, recent, units).price);
      }),
      { cases: 100, seed: 31 },
    );
  });
});

const samples = [500n, 100n, 400n, 200n, 300n].map((microLamports, slot) => ({
  slot: BigInt(slot),
  microLamports,
}));

describe('computeUnitPrice', () => {
  it.each([
    [0, 100n],
    [2_000, 100n],
    [2_500, 200n],
    [5_000, 300n],
    [7_500, 400n],
    [9_000, 500n],
    [10_000, 500n],
  ])('takes the nearest rank at %i basis points', (percentile, expected) => {
    expect(computeUnitPrice(samples, bps(percentile))).toBe(expected);
  });

  it('is 0 when no transaction competed', () => {
    expect(computeUnitPrice([], bps(5_000))).toBe(0n);
  });

  it('does not reorder the samples it was given', () => {
    const given = [...samples];
    computeUnitPrice(given, bps(5_000));
    expect(given).toEqual(samples);
  });
});
