import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { arrangeLevels, coverLevels, findCrossing, KEPT_LEVELS } from './book-levels.ts';

describe('arrangeLevels', () => {
  it('sorts the levels, drops empty ones, and keeps five per side', () => {
    const prices = [3n, 1n, 7n, 5n, 0n, 6n, 2n];
    const { bids, asks } = arrangeLevels({
      bids: prices.map((price) => level(price)),
      asks: [...prices.map((price) => level(price + 10n)), level(9n, 0n)],
    });
    expect(bids.map(({ price }) => price)).toEqual([7n, 6n, 5n, 3n, 2n]);
    expect(asks.map(({ price }) => price)).toEqual([10n, 11n, 12n, 13n, 15n]);
  });

  it('keeps the crossed prices of the public example makers', () => {
    const volumes = [1n, 10n, 100n, 1_000n, 5_000n];
    const streamed = {
      bids: volumes.map((volume) => level(200_140n, volume)),
      asks: volumes.map((volume) => level(199_861n, volume)),
    };
    expect(arrangeLevels(streamed)).toEqual(streamed);
    expect(findCrossing(streamed)).toEqual({ bid: 200_140n, ask: 199_861n });
  });

  it('returns the best streamed levels, whatever is streamed', () => {
    assertProperty(
      fc.property(levels, levels, (sentBids, sentAsks) => {
        const { bids, asks } = arrangeLevels({ bids: sentBids, asks: sentAsks });
        const best = (sent: typeof sentBids, sign: 1n | -1n) =>
          sent
            .filter(({ price, volume }) => price > 0n && volume > 0n)
            .sort((one, other) => Number(sign * (one.price - other.price)))
            .slice(0, KEPT_LEVELS);
        expect(bids).toEqual(best(sentBids, -1n));
        expect(asks).toEqual(best(sentAsks, 1n));
      }),
      { cases: 2_000, seed: SEED },
    );
  });
});

describe('findCrossing', () => {
  it('finds a best bid above the best ask', () => {
    expect(findCrossing({ bids: [level(6n)], asks: [level(5n), level(7n)] })).toEqual({ bid: 6n, ask: 5n });
  });

  it('finds nothing in a book whose best prices are equal, or that has one side', () => {
    expect(findCrossing({ bids: [level(5n)], asks: [level(5n)] })).toBeNull();
    expect(findCrossing({ bids: [level(5n)], asks: [] })).toBeNull();
  });
});

describe('coverLevels', () => {
  it('cuts the first level that the balance does not cover, and drops the levels after it', () => {
    const asks = [level(10n, 100n), level(11n, 100n), level(12n, 100n)];
    expect(coverLevels(asks, 150n, null)).toEqual({
      levels: [level(10n, 100n), level(11n, 50n)],
      cutTo: 50n,
    });
    expect(coverLevels(asks, 100n, null)).toEqual({ levels: [level(10n, 100n)], cutTo: null });
    expect(coverLevels(asks, 300n, null)).toEqual({ levels: asks, cutTo: null });
    expect(coverLevels(asks, 0n, null)).toEqual({ levels: [], cutTo: null });
  });

  it('pays bids in quote atoms', () => {
    const bids = [level(2_000n, 1_000n), level(1_500n, 1_000n)];
    expect(coverLevels(bids, 3_500n, 1_000n)).toEqual({ levels: bids, cutTo: null });
    expect(coverLevels(bids, 3_499n, 1_000n)).toEqual({
      levels: [level(2_000n, 1_000n), level(1_500n, 999n)],
      cutTo: 999n,
    });
  });

  it('never covers levels that together cost more than the balance', () => {
    assertProperty(
      fc.property(levels, fc.bigInt(0n, 500_000n), fc.constantFrom(1n, 7n, 1_000n), (sent, balance, unit) => {
        const { bids } = arrangeLevels({ bids: sent, asks: [] });
        const covered = coverLevels(bids, balance, unit).levels;
        const cost = covered.reduce(
          (sum, { price, volume }) => sum + (price * volume + unit - 1n) / unit,
          0n,
        );
        expect(cost <= balance).toBe(true);
        const { asks } = arrangeLevels({ bids: [], asks: sent });
        const base = coverLevels(asks, balance, null).levels.reduce((sum, { volume }) => sum + volume, 0n);
        expect(base <= balance).toBe(true);
        const all = asks.reduce((sum, { volume }) => sum + volume, 0n);
        expect(base === all || base === balance).toBe(true);
      }),
      { cases: 2_000, seed: SEED },
    );
  });
});

const SEED = 20_261_122;
const level = (price: bigint, volume = 1n) => ({ price, volume });
const levels = fc.array(fc.record({ price: fc.bigInt(0n, 200n), volume: fc.bigInt(0n, 1_000n) }), {
  maxLength: 12,
});
