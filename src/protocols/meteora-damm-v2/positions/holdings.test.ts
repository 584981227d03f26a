import {
  CollectFeeMode as PublicFeeMode,
  CpAmm,
  getAmountAFromLiquidityDelta,
  getAmountBFromLiquidityDelta,
  getUnClaimLpFee,
  type PoolState,
  type PositionState,
  positionLiquidity,
  Rounding,
} from '@meteora-ag/cp-amm-sdk';
import { Connection } from '@solana/web3.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../testing/random.ts';
import { decodeTerms, readChanges } from '../program/layout.ts';
import { computeLiquidityWorth, computeDammEarned, sumPositionLiquidity } from './holdings.ts';
import { decodeDammPosition, decodePoolGrowth } from './layout.ts';

describe('the holdings of a DAMM v2 position against Meteora’s own library', () => {
  it('are read from the same bytes, worth the same amounts, and earn the same fees and rewards, to the atom', () => {
    let [concentrated, compounding, rewarded] = [0, 0, 0];
    const sampled = sampleCases(cases, SUITE);
    for (const each of sampled) {
      const [poolBytes, positionBytes] = [poolData(each), positionData(each)];
      const pool = accounts.decode<PoolState>('pool', poolBytes);
      const state = accounts.decode<PositionState>('position', positionBytes);
      const position = decodeDammPosition(positionBytes);
      const liquidity = sumPositionLiquidity(position);
      expect(liquidity).toBe(BigInt(positionLiquidity(state).toString()));

      const changes = readChanges(poolBytes);
      const mode: PublicFeeMode = each.feeMode;
      const amounts = [
        getAmountAFromLiquidityDelta(
          pool.sqrtPrice,
          pool.sqrtMaxPrice,
          positionLiquidity(state),
          Rounding.Down,
          mode,
          pool.tokenAAmount,
          pool.liquidity,
        ),
        getAmountBFromLiquidityDelta(
          pool.sqrtMinPrice,
          pool.sqrtPrice,
          positionLiquidity(state),
          Rounding.Down,
          mode,
          pool.tokenBAmount,
          pool.liquidity,
        ),
      ];
      expect(computeLiquidityWorth({ ...decodeTerms(poolBytes), ...changes }, liquidity)).toEqual(
        amounts.map((amount) => BigInt(amount.toString())),
      );
      if (mode === PublicFeeMode.Compounding) compounding++;
      else concentrated++;

      const { feeTokenA, feeTokenB, rewards } = getUnClaimLpFee(pool, state, pool.activationPoint);
      const earned = computeDammEarned(decodePoolGrowth(poolBytes), changes.liquidity, position, NOW);
      expect(earned.fees).toEqual([feeTokenA, feeTokenB].map((fee) => BigInt(fee.toString())));
      for (const index of [0, 1] as const) {
        // The library tells what is booked of a reward that the pool does not have, and there is no such token to name.
        if (!each.initialized[index]) continue;
        expect(earned.rewards[index]).toBe(BigInt(rewards[index]?.toString() ?? ''));
        rewarded++;
      }
    }
    expect(Math.min(concentrated, compounding, rewarded)).toBeGreaterThan(sampled.length / 5);
  });
});

const SEED = 1_502;
const SUITE = { cases: 2_000, seed: SEED, against: 'Meteora’s own library' };
const NOW = 1_790_000_000n;
/** The prices between which the public program opens pools. */
const [MIN_SQRT_PRICE, MAX_SQRT_PRICE] = [4_295_048_016n, 79_226_673_521_066_979_257_578_248_091n];

/** Decodes accounts by the public interface description. It is never connected to a node. */
const { accounts } = new CpAmm(new Connection('http://127.0.0.1:9'))._program.coder;

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size });
const sqrtPrice = fc.bigInt(MIN_SQRT_PRICE, MAX_SQRT_PRICE);
const u64 = fc.bigInt(0n, (1n << 64n) - 1n);
/** Integers of every size up to so many bits. */
const upTo = (bits: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: bits }), fc.bigInt(0n, (1n << BigInt(bits)) - 1n))
    .map(([kept, value]) => value >> BigInt(bits - kept));

const cases = fc.record({
  pool: bytes(1112),
  position: bytes(408),
  prices: fc
    .tuple(sqrtPrice, sqrtPrice, sqrtPrice)
    .map((all) => all.sort((one, other) => (one < other ? -1 : 1)))
    .filter(([low, price, high]) => low !== undefined && price !== undefined && low < (high ?? 0n)),
  feeMode: fc.integer({ min: 0, max: 2 }),
  poolLiquidity: upTo(126).filter((liquidity) => liquidity > 0n),
  liquidity: fc.tuple(upTo(124), upTo(124), upTo(124)),
  amounts: fc.tuple(u64, u64),
  growths: fc.tuple(upTo(250), upTo(250), upTo(250), upTo(250)),
  checkpoints: fc.tuple(upTo(250), upTo(250), upTo(250), upTo(250)),
  /** Seconds from the last update of the rewards to the end of their duration, and from that update until now. */
  seconds: fc.tuple(fc.bigInt(0n, 9_000_000n), fc.bigInt(0n, 9_000_000n)),
  rates: fc.tuple(upTo(100), upTo(100)),
  initialized: fc.tuple(fc.boolean(), fc.boolean()),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** Writes integers into a copy of the bytes; whatever is not written stays random. */
function patched(
  data: Uint8Array,
  tag: readonly number[],
  fields: readonly (readonly [at: number, size: number, value: bigint])[],
): Buffer {
  const copy = Buffer.from(data);
  copy.set(tag, 0);
  for (const [at, size, value] of fields) {
    for (let index = 0; index < size; index++) copy[at + index] = Number((value >> BigInt(8 * index)) & 255n);
  }
  return copy;
}

function poolData(each: Case): Buffer {
  const [low = 0n, price = 0n, high = 0n] = each.prices;
  const [untilEnd, passed] = each.seconds;
  const updated = NOW - passed;
  const reward = (index: 0 | 1) => {
    const at = 728 + 192 * index;
    return [
      [at, 1, each.initialized[index] ? 1n : 0n],
      [at + 120, 8, updated + untilEnd],
      [at + 128, 16, each.rates[index]],
      [at + 144, 32, grown(each, index + 2)],
      [at + 176, 8, updated],
    ] as const;
  };
  return patched(
    each.pool,
    [0xf1, 0x9a, 0x6d, 0x04, 0x11, 0xb1, 0x6d, 0xbc],
    [
      [360, 16, each.poolLiquidity],
      [424, 16, low],
      [440, 16, high],
      [456, 16, price],
      // The library's integers come from accounts, and so does the time that it is asked for.
      [472, 8, NOW],
      [484, 1, BigInt(each.feeMode)],
      [488, 32, grown(each, 0)],
      [520, 32, grown(each, 1)],
      [680, 8, each.amounts[0]],
      [688, 8, each.amounts[1]],
      ...reward(0),
      ...reward(1),
    ],
  );
}

/** Growth never falls below the checkpoint: the program refuses to book such a position. */
function grown({ growths, checkpoints }: Case, index: number): bigint {
  return (checkpoints[index] ?? 0n) + ((growths[index] ?? 0n) >> 1n);
}

function positionData({ position, checkpoints, liquidity }: Case): Buffer {
  return patched(
    position,
    [170, 188, 143, 228, 122, 64, 247, 208],
    [
      [72, 32, checkpoints[0]],
      [104, 32, checkpoints[1]],
      [152, 16, liquidity[0]],
      [168, 16, liquidity[1]],
      [184, 16, liquidity[2]],
      [216, 32, checkpoints[2]],
      [264, 32, checkpoints[3]],
    ],
  );
}
