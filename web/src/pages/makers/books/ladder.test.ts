import { describe, expect, it } from 'vitest';
import { computeWorth, toLadder } from './ladder.ts';

describe('toLadder', () => {
  it('puts the best prices beside each other, with the sum from there on', () => {
    const { asks, bids, spread, spreadCentiBps } = toLadder({
      asks: [level(201, 4), level(202, 8, 2)],
      bids: [level(199, 2)],
    });
    expect(asks.map(({ price, total }) => [price, total])).toEqual([
      [202n, 12n],
      [201n, 4n],
    ]);
    expect(asks.map(({ length, freeLength }) => [length, freeLength])).toEqual([
      [1, 0.25],
      [0.5, 1],
    ]);
    expect(bids.map(({ total, length }) => [total, length])).toEqual([[2n, 0.25]]);
    expect(spread).toBe(2n);
    // 2 of 200 are 100 basis points.
    expect(spreadCentiBps).toBe(10_000n);
  });

  it('has a spread below zero for a book that crosses, and none for one with a single side', () => {
    expect(toLadder({ asks: [level(99, 1)], bids: [level(101, 1)] }).spread).toBe(-2n);
    expect(toLadder({ asks: [level(99, 1)], bids: [] })).toMatchObject({
      spread: null,
      spreadCentiBps: null,
    });
  });

  it('draws books of any size', () => {
    const huge = 2n ** 64n - 1n;
    const [row] = toLadder({ asks: [{ price: huge, volume: huge, free: huge }], bids: [] }).asks;
    expect(row).toMatchObject({ length: 1, freeLength: 1 });
    expect(toLadder({ asks: [level(0, 0)], bids: [level(0, 0)] }).asks[0]).toMatchObject({
      length: 0,
      freeLength: 0,
    });
  });
});

describe('computeWorth', () => {
  it('is the price of a whole token, by the size', () => {
    expect(computeWorth(level(200_000_000, 500_000_000), 9)).toBe(100_000_000n);
  });
});

function level(price: number, volume: number, free = volume) {
  return { price: BigInt(price), volume: BigInt(volume), free: BigInt(free) };
}
