import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange, cover, KEPT_LEVELS } from './book-levels.ts';

const SEED = 20_261_122;
const level = (price: bigint, volume = 1n) => ({ price, volume });
const levels = fc.array(fc.record({ price: fc.bigInt(0n, 200n), volume: fc.bigInt(0n, 1_000n) }), {
  maxLength: 12,
});

describe('the levels of a book', () => {
  it('are sorted, without empty ones, five a side', () => {
    const prices = [3n, 1n, 7n, 5n, 0n, 6n, 2n];
    const { bids, asks, uncrossedAt } = arrange({
      bids: prices.map((price) => level(price)),
      asks: [...prices.map((price) => level(price + 10n)), level(9n, 0n)],
    });
    expect(bids.map(({ price }) => price)).toEqual([7n, 6n, 5n, 3n, 2n]);
    expect(asks.map(({ price }) => price)).toEqual([10n, 11n, 12n, 13n, 15n]);
    expect(uncrossedAt).toBeNull();
  });

  it('of the public example makers, equal on each side and crossed, meet in the middle', () => {
    const volumes = [1n, 10n, 100n, 1_000n, 5_000n];
    const { bids, asks, uncrossedAt } = arrange({
      bids: volumes.map((volume) => level(200_140n, volume)),
      asks: volumes.map((volume) => level(199_861n, volume)),
    });
    expect(uncrossedAt).toEqual({ bid: 200_000n, ask: 200_001n });
    expect(bids).toEqual(volumes.map((volume) => level(200_000n, volume)));
    expect(asks).toEqual(volumes.map((volume) => level(200_001n, volume)));
  });

  it('leave a book alone whose best prices are equal', () => {
    expect(arrange({ bids: [level(5n)], asks: [level(5n)] }).uncrossedAt).toBeNull();
  });

  it('never cross, and never give a taker more than the maker streamed', () => {
    fc.assert(
      fc.property(levels, levels, (sentBids, sentAsks) => {
        const { bids, asks } = arrange({ bids: sentBids, asks: sentAsks });
        const [bid, ask] = [bids[0], asks[0]];
        if (bid !== undefined && ask !== undefined) expect(bid.price <= ask.price).toBe(true);
        for (const side of [bids, asks]) {
          expect(side.length).toBeLessThanOrEqual(KEPT_LEVELS);
          expect(side.every(({ price, volume }) => price > 0n && volume > 0n)).toBe(true);
        }
        expect(bids.every((one, i) => one.price <= (bids[i - 1] ?? one).price)).toBe(true);
        expect(asks.every((one, i) => one.price >= (asks[i - 1] ?? one).price)).toBe(true);
        const best = (all: typeof sentBids, sign: bigint) =>
          all
            .filter(({ price, volume }) => price > 0n && volume > 0n)
            .sort((a, b) => Number(sign * (a.price - b.price)));
        const [streamedBids, streamedAsks] = [best(sentBids, -1n), best(sentAsks, 1n)];
        for (const [i, { price }] of bids.entries())
          expect(price <= (streamedBids[i]?.price ?? 0n)).toBe(true);
        for (const [i, { price }] of asks.entries())
          expect(price >= (streamedAsks[i]?.price ?? 0n)).toBe(true);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});

describe('inventory', () => {
  it('cuts the first level that it does not cover and drops those behind', () => {
    const asks = [level(10n, 100n), level(11n, 100n), level(12n, 100n)];
    expect(cover(asks, 150n, null)).toEqual({ levels: [level(10n, 100n), level(11n, 50n)], cutTo: 50n });
    expect(cover(asks, 100n, null)).toEqual({ levels: [level(10n, 100n)], cutTo: null });
    expect(cover(asks, 300n, null)).toEqual({ levels: asks, cutTo: null });
    expect(cover(asks, 0n, null)).toEqual({ levels: [], cutTo: null });
  });

  it('pays bids in quote atoms', () => {
    const bids = [level(2_000n, 1_000n), level(1_500n, 1_000n)];
    expect(cover(bids, 3_500n, 1_000n)).toEqual({ levels: bids, cutTo: null });
    expect(cover(bids, 3_499n, 1_000n)).toEqual({
      levels: [level(2_000n, 1_000n), level(1_500n, 999n)],
      cutTo: 999n,
    });
  });

  it('is never promised twice: the levels together cost no more than the balance', () => {
    fc.assert(
      fc.property(levels, fc.bigInt(0n, 500_000n), fc.constantFrom(1n, 7n, 1_000n), (sent, balance, unit) => {
        const { bids } = arrange({ bids: sent, asks: [] });
        const covered = cover(bids, balance, unit).levels;
        const cost = covered.reduce(
          (sum, { price, volume }) => sum + (price * volume + unit - 1n) / unit,
          0n,
        );
        expect(cost <= balance).toBe(true);
        const { asks } = arrange({ bids: [], asks: sent });
        const base = cover(asks, balance, null).levels.reduce((sum, { volume }) => sum + volume, 0n);
        expect(base <= balance).toBe(true);
        const all = asks.reduce((sum, { volume }) => sum + volume, 0n);
        expect(base === all || base === balance).toBe(true);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});
