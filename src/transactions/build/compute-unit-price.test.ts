import { describe, expect, it } from 'vitest';
import { bps } from '../../solana/units.ts';
import { computeUnitPrice } from './compute-unit-price.ts';

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
