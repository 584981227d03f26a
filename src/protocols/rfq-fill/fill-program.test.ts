import { describe, expect, it } from 'vitest';
import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import { U64_MAX } from '../../solana/units.ts';
import { decodeFillParams, encodeFillParams, type FillParams, sweepLevels } from './fill-program.ts';

describe('sweepLevels', () => {
  // Fills of mainnet, February to May 2026: what the program logged.
  it.each([
    ['A3QA for USDC', AggregatorSide.ASK, 4_000_000n, 1_000_000n, 199_990n, 1_000n, 4_000_000n, 799_960n],
    ['SOL with USDC', AggregatorSide.BID, 42_706_402n, 10_000_000n, 853_875n, 50n, 42_693_750n, 500_000_000n],
    ['SOL for USDC', AggregatorSide.ASK, 270_106_537n, 10_000_000n, 856_477n, 50n, 270_000_000n, 23_124_879n],
    [
      'SOL for USDC by fine lots',
      AggregatorSide.ASK,
      20_000_000n,
      1_000n,
      99n,
      1_000_000n,
      20_000_000n,
      1_980_000n,
    ],
    ['USDC with USDT', AggregatorSide.BID, 9_999_000n, 1_000_000n, 999_792n, 10n, 9_997_920n, 10_000_000n],
  ] as const)('pays what mainnet paid: %s', (_, side, amount, lot, px, qty, paid, received) => {
    expect(sweepLevels(side, amount, params(lot, [[px, qty]]))).toMatchObject({ paid, received });
  });

  it('continues to worse levels until the input is used or nothing is left', () => {
    const book = params(10n, [
      [100n, 5n],
      [200n, 5n],
      [300n, 1n],
    ]);
    expect(sweepLevels(AggregatorSide.BID, 1_000n, book)).toEqual({ paid: 900n, received: 70n, lots: 7n });
    expect(sweepLevels(AggregatorSide.BID, 5_000n, book)).toEqual({
      paid: 1_800n,
      received: 110n,
      lots: 11n,
    });
  });

  it('skips a level of which no lot can be filled', () => {
    const book = params(10n, [
      [100n, 0n],
      [100n, 2n],
    ]);
    expect(sweepLevels(AggregatorSide.BID, 150n, book)).toEqual({ paid: 100n, received: 10n, lots: 1n });
  });

  it('refuses levels that get better, and accepts equal ones', () => {
    const rising = params(1n, [
      [100n, 1n],
      [101n, 1n],
    ]);
    const level = params(1n, [
      [100n, 1n],
      [100n, 1n],
    ]);
    expect(sweepLevels(AggregatorSide.ASK, 2n, rising)).toEqual({ error: 'InvalidLevelOrdering' });
    expect(sweepLevels(AggregatorSide.BID, 201n, rising)).toMatchObject({ paid: 201n });
    expect(sweepLevels(AggregatorSide.ASK, 2n, level)).toMatchObject({ received: 200n });
    expect(sweepLevels(AggregatorSide.BID, 200n, level)).toMatchObject({ received: 2n });
  });

  it('returns the name of the error if nothing can be filled', () => {
    expect(sweepLevels(AggregatorSide.BID, 99n, params(1n, [[100n, 1n]]))).toEqual({ error: 'NoFill' });
    expect(sweepLevels(AggregatorSide.BID, 100n, params(1n, []))).toEqual({ error: 'NoFill' });
    expect(sweepLevels(AggregatorSide.ASK, 100n, params(0n, [[100n, 1n]]))).toEqual({ error: 'NoFill' });
    expect(sweepLevels(AggregatorSide.ASK, 2n, params(1n, [[U64_MAX, 2n]]))).toEqual({ error: 'Overflow' });
    const coarse = { ...params(1n, [[1n << 63n, 1n]]), tickSizeQpb: 2n };
    expect(sweepLevels(AggregatorSide.BID, U64_MAX, coarse)).toEqual({ error: 'Overflow' });
  });
});

describe('encodeFillParams, decodeFillParams', () => {
  it('use the bytes of mainnet transactions', () => {
    const bytes = Buffer.from(
      '956e9d6900000000010000000000000040420f000000000001000000360d030000000000e803000000000000',
      'hex',
    );
    const decoded = decodeFillParams(bytes);
    expect(decoded).toEqual({
      expireAt: 1_771_925_141n,
      tickSizeQpb: 1n,
      lotSizeBase: 1_000_000n,
      levels: [{ pxTicks: 199_990n, qtyLots: 1_000n }],
    });
    expect(Buffer.from(encodeFillParams(decoded))).toEqual(bytes);
  });

  it('refuse a number of levels that does not match the bytes', () => {
    const bytes = encodeFillParams(params(1n, [[1n, 1n]]));
    expect(() => decodeFillParams(bytes.subarray(0, 43))).toThrow('1 levels take 16 bytes, but 15 follow');
    expect(() => decodeFillParams(new Uint8Array([...bytes, 0]))).toThrow('but 17 follow');
  });

  it('refuse numbers beyond u64', () => {
    expect(() => encodeFillParams(params(U64_MAX + 1n, []))).toThrow('does not fit in a u64');
  });
});

function params(lotSizeBase: bigint, levels: readonly (readonly [bigint, bigint])[]): FillParams {
  return {
    expireAt: 1_771_335_592n,
    tickSizeQpb: 1n,
    lotSizeBase,
    levels: levels.map(([pxTicks, qtyLots]) => ({ pxTicks, qtyLots })),
  };
}
