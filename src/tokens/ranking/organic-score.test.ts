import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { boughtBy } from '../../testing/test-tokens.ts';
import {
  toOrganicLabel,
  computeOrganicScore,
  type OrganicSignals,
  computeOrganicScale,
  getOrganicSignals,
} from './organic-score.ts';

describe('computeOrganicScore', () => {
  it('is 100 for the tokens that the scale is of, and between 0 and 100 for all others', () => {
    expect(computeOrganicScore(BIG, SCALE)).toBe(100);
    assertProperty(
      fc.property(anySignals, (each) => {
        const score = computeOrganicScore(each, SCALE);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
      }),
      { cases: 100, seed: 7 },
    );
  });

  it('never falls when a signal grows', () => {
    assertProperty(
      fc.property(anySignals, anySignals, (one, other) => {
        const more = Object.fromEntries(
          Object.entries(one).map(([name, value]) => [
            name,
            Math.max(value ?? 0, other[name as keyof OrganicSignals] ?? 0),
          ]),
        ) as unknown as OrganicSignals;
        expect(computeOrganicScore(more, SCALE)).toBeGreaterThanOrEqual(computeOrganicScore(one, SCALE));
      }),
      { cases: 100, seed: 7 },
    );
  });

  it('counts growth from small numbers most', () => {
    const early =
      computeOrganicScore(signals(200, 20, 20, 20), SCALE) -
      computeOrganicScore(signals(100, 10, 10, 10), SCALE);
    const late =
      computeOrganicScore(signals(200_100, 2_010, 210, 210), SCALE) -
      computeOrganicScore(signals(200_000, 2_000, 200, 200), SCALE);
    expect(early).toBeGreaterThan(10 * late);
  });

  it('is 0 for a token that fewer than two wallets traded, and where traders are not known', () => {
    expect(computeOrganicScore(signals(1e9, 1e9, 1, 1), SCALE)).toBe(0);
    expect(computeOrganicScore(signals(1e9, 1e9, 0, 0), SCALE)).toBe(0);
    expect(computeOrganicScore({ ...BIG, traders: null }, SCALE)).toBe(0);
    expect(computeOrganicScore(signals(10, 2, 2, 2), SCALE)).toBeGreaterThan(0);
  });

  it('is the mean of the signals that are known', () => {
    expect(computeOrganicScore({ ...BIG, holders: null }, SCALE)).toBe(100);
    const withoutHolders = computeOrganicScore({ ...signals(0, 0, 1e3, 0), holders: null }, SCALE);
    expect(withoutHolders).toBeCloseTo(100 / 3, 10);
  });
});

describe('computeOrganicScale', () => {
  it('is the 99th percentile of each signal, which a single giant does not set', () => {
    const many = Array.from({ length: 300 }, () => signals(99, 9, 9, 9));
    const scale = computeOrganicScale([...many, signals(1e12, 1e9, 1e9, 1e9)]);
    expect(scale).toEqual({ volume: 2, holders: 1, traders: 1, buyers: 1 });
    expect(computeOrganicScale([])).toEqual({ volume: 0, holders: 0, traders: 0, buyers: 0 });
  });
});

describe('getOrganicSignals', () => {
  it('takes the organic part of the volume, and does not know it if a part is unknown', () => {
    const stats = boughtBy(9, 500, { buyOrganicVolume: 20, sellOrganicVolume: 3, numOrganicBuyers: 4 });
    expect(getOrganicSignals(stats, 7)).toEqual({ volume: 23, holders: 7, traders: 9, buyers: 4 });
    expect(getOrganicSignals({ ...stats, sellOrganicVolume: null }, null)).toMatchObject({
      volume: null,
      holders: null,
    });
    expect(getOrganicSignals(null, 7)).toEqual({ volume: 0, holders: 7, traders: 0, buyers: 0 });
  });
});

describe('toOrganicLabel', () => {
  it.each([
    [0, 'low'],
    [29.99, 'low'],
    [30, 'medium'],
    [69.99, 'medium'],
    [70, 'high'],
    [100, 'high'],
  ])('calls %d %s', (score, label) => {
    expect(toOrganicLabel(score)).toBe(label);
  });
});

const signals = (volume: number, holders: number, traders: number, buyers: number): OrganicSignals => ({
  volume,
  holders,
  traders,
  buyers,
});
const BIG = signals(1e6, 1e4, 1e3, 1e3);
const SCALE = computeOrganicScale([BIG]);
const amount = fc.double({ min: 0, max: 1e12, noNaN: true });
const count = fc.integer({ min: 2, max: 1_000_000 });
const anySignals = fc.tuple(amount, count, count, count).map((values) => signals(...values));
