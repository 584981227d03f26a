import * as orca from '@orca-so/whirlpools-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../../testing/random.ts';
import { type Address, toAddress } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import type { RewardInfo, Whirlpool } from '../program/layout.ts';
import { MAX_TICK, MIN_TICK, computeSqrtPriceAtTick } from '../program/tick-math.ts';
import { computeWithdrawalAmounts, computeWhirlpoolEarned } from './holdings.ts';
import type { PositionWithRewards, TickGrowth } from './layout.ts';

describe('the holdings of a Whirlpool position against Orca’s own library', () => {
  it('are worth what it pays for all of the liquidity, to the atom', () => {
    const sampled = sampleCases(cases, { cases: 4_000, seed: SEED, against: ORCA });
    let [equal, refused] = [0, 0];
    for (const each of sampled) {
      const [pool, position] = [createCaseWhirlpool(each), createCasePosition(each)];
      const quote = unlessRefused(() =>
        orca.decreaseLiquidityQuote(each.liquidity, 0, pool.sqrtPrice, each.ticks[0], each.ticks[1]),
      );
      const amounts = computeWithdrawalAmounts(pool, position);
      if (quote !== null && overflowsInProgram(pool, position)) {
        expect(amounts).toBeNull();
        continue;
      }
      expect(amounts, JSON.stringify(each, asText)).toEqual(quote && [quote.tokenEstA, quote.tokenEstB]);
      if (quote === null) refused++;
      else equal++;
    }
    expect(equal).toBeGreaterThan(sampled.length / 4);
    expect(refused).toBeGreaterThan(sampled.length / 40);
  });

  it('earn the fees and rewards that it says, to the atom', () => {
    const sampled = sampleCases(cases, { cases: 4_000, seed: SEED + 1, against: ORCA });
    let [fees, rewards] = [0, 0];
    for (const each of sampled) {
      const [pool, position] = [createCaseWhirlpool(each), createCasePosition(each)];
      const ticks = [toTickGrowth(each.outsideLower), toTickGrowth(each.outsideUpper)] as const;
      const facades = [poolFacade(pool), positionFacade(position), tickFacade(ticks[0])] as const;
      const upper = tickFacade(ticks[1]);
      const earned = computeWhirlpoolEarned(pool, position, ticks, NOW);
      const fee = unlessRefused(() => orca.collectFeesQuote(...facades, upper));
      if (fee !== null) {
        expect(earned.fees, JSON.stringify(each, asText)).toEqual([fee.feeOwedA, fee.feeOwedB]);
        fees++;
      }
      const reward = unlessRefused(() => orca.collectRewardsQuote(...facades, upper, NOW));
      if (reward !== null) {
        const owed = reward.rewards.map(({ rewardsOwed }) => rewardsOwed);
        expect(earned.rewards, JSON.stringify(each, asText)).toEqual(owed);
        rewards++;
      }
    }
    expect(fees).toBeGreaterThan(sampled.length / 4);
    expect(rewards).toBeGreaterThan(sampled.length / 8);
  });
});

const SEED = 1_501;
const ORCA = 'Orca’s own library';
const NOW = 1_790_000_000n;
const U128_MODULUS = 1n << 128n;

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));

const u64 = fc.bigInt(0n, (1n << 64n) - 1n);
const u128 = fc.bigInt(0n, U128_MODULUS - 1n);
/** Liquidity of every size, so that amounts within and beyond 64 bits are common. */
const liquidity = fc
  .tuple(fc.integer({ min: 0, max: 128 }), u128)
  .map(([bits, value]) => value >> BigInt(128 - bits));
/** Growth since the checkpoint that a position can book: what overflows is tested with the program. */
const growth = fc.bigInt(0n, 1n << 60n);
const growths = fc.tuple(growth, growth, growth, growth, growth);

const cases = fc
  .record({
    ticks: fc
      .tuple(fc.integer({ min: MIN_TICK, max: MAX_TICK - 1 }), fc.integer({ min: 1, max: 100_000 }))
      .map(([lower, width]) => [lower, Math.min(lower + width, MAX_TICK)] as const),
    near: fc.integer({ min: -50_000, max: 150_000 }),
    withinTick: fc.bigInt(0n, 999_999n),
    liquidity,
    poolLiquidity: liquidity,
    checkpoints: fc.tuple(u128, u128, u128, u128, u128),
    grown: growths,
    outsideLower: fc.tuple(u128, u128, u128, u128, u128),
    outsideUpper: fc.tuple(u128, u128, u128, u128, u128),
    owed: fc.tuple(u64, u64, u64, u64, u64).map((all) => all.map((each) => each >> 2n)),
    emissions: fc.tuple(u64, u64, u64),
    seconds: fc.bigInt(0n, 1_000_000n),
  })
  .map((each) => ({ ...each, tick: tickNear(each.ticks, each.near) }));
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** Below, in, or above the range, often just at one of its ends. */
function tickNear([lower, upper]: readonly [number, number], near: number): number {
  const tick = near < 0 ? lower + (near % 3) : Math.min(lower + near, upper + 2);
  return Math.min(Math.max(tick, MIN_TICK), MAX_TICK - 1);
}

function toTickGrowth(all: readonly bigint[]): TickGrowth {
  const [a = 0n, b = 0n, first = 0n, second = 0n, third = 0n] = all;
  return { feeGrowthOutside: [a, b], rewardGrowthsOutside: [first, second, third] };
}

/** What has grown in all, so that within the range it has grown by `grown` since the checkpoint. */
function globalGrowth({ tick, ticks, ...each }: Case, index: number): bigint {
  const [checkpoint, grown, lower, upper] = [
    each.checkpoints[index] ?? 0n,
    each.grown[index] ?? 0n,
    each.outsideLower[index] ?? 0n,
    each.outsideUpper[index] ?? 0n,
  ];
  const inside = checkpoint + grown;
  if (tick < ticks[0]) return each.outsideLower[index] ?? 0n;
  return BigInt.asUintN(128, tick < ticks[1] ? inside + lower + upper : upper);
}

function createCaseWhirlpool(each: Case): Whirlpool {
  const [low, high] = [computeSqrtPriceAtTick(each.tick), computeSqrtPriceAtTick(each.tick + 1)];
  const reward = (index: 0 | 1 | 2): RewardInfo => ({
    mint: named(10 + index),
    vault: SYSTEM_PROGRAM,
    extension: new Uint8Array(32),
    emissionsPerSecond: each.emissions[index],
    growthGlobal: globalGrowth(each, index + 2),
  });
  return {
    config: named(4),
    bump: 255,
    tickSpacing: 1,
    feeTierIndex: 1,
    feeRate: 300,
    protocolFeeRate: 300,
    liquidity: each.poolLiquidity,
    sqrtPrice: low + ((high - low) * each.withinTick) / 1_000_000n,
    tick: each.tick,
    protocolFeesOwed: [0n, 0n],
    mints: [named(2), named(3)],
    vaults: [named(5), named(6)],
    feeGrowth: [globalGrowth(each, 0), globalGrowth(each, 1)],
    rewardsUpdatedAt: NOW - each.seconds,
    rewards: [reward(0), reward(1), reward(2)],
  };
}

function createCasePosition({ ticks, checkpoints, owed, liquidity: held }: Case): PositionWithRewards {
  const reward = (index: 2 | 3 | 4) => ({ growthCheckpoint: checkpoints[index], owed: owed[index] ?? 0n });
  return {
    whirlpool: named(1),
    mint: named(9),
    liquidity: held,
    lowerTick: ticks[0],
    upperTick: ticks[1],
    feeGrowthCheckpoints: [checkpoints[0], checkpoints[1]],
    feesOwed: [owed[0] ?? 0n, owed[1] ?? 0n],
    rewards: [reward(2), reward(3), reward(4)],
  };
}

function tickFacade({ feeGrowthOutside, rewardGrowthsOutside }: TickGrowth): orca.TickFacade {
  return {
    initialized: true,
    liquidityNet: 0n,
    liquidityGross: 1n,
    feeGrowthOutsideA: feeGrowthOutside[0],
    feeGrowthOutsideB: feeGrowthOutside[1],
    rewardGrowthsOutside: [...rewardGrowthsOutside],
  };
}

function poolFacade(pool: Whirlpool): orca.WhirlpoolFacade {
  return {
    feeTierIndexSeed: Uint8Array.of(1, 0),
    tickSpacing: pool.tickSpacing,
    feeRate: pool.feeRate,
    protocolFeeRate: pool.protocolFeeRate,
    liquidity: pool.liquidity,
    sqrtPrice: pool.sqrtPrice,
    tickCurrentIndex: pool.tick,
    feeGrowthGlobalA: pool.feeGrowth[0],
    feeGrowthGlobalB: pool.feeGrowth[1],
    rewardLastUpdatedTimestamp: pool.rewardsUpdatedAt,
    rewardInfos: pool.rewards.map(({ emissionsPerSecond, growthGlobal }) => ({
      emissionsPerSecondX64: emissionsPerSecond,
      growthGlobalX64: growthGlobal,
    })),
  };
}

function positionFacade(position: PositionWithRewards): orca.PositionFacade {
  return {
    liquidity: position.liquidity,
    tickLowerIndex: position.lowerTick,
    tickUpperIndex: position.upperTick,
    feeGrowthCheckpointA: position.feeGrowthCheckpoints[0],
    feeOwedA: position.feesOwed[0],
    feeGrowthCheckpointB: position.feeGrowthCheckpoints[1],
    feeOwedB: position.feesOwed[1],
    rewardInfos: position.rewards.map(({ growthCheckpoint, owed }) => ({
      growthInsideCheckpoint: growthCheckpoint,
      amountOwed: owed,
    })),
  };
}

/**
 * The program multiplies and shifts by 64 bits in 256, where the library has more room: it cannot pay out such a
 * position of some 2^110 units, which the library would value.
 */
function overflowsInProgram({ sqrtPrice }: Whirlpool, position: PositionWithRewards): boolean {
  const [lower, upper] = [
    computeSqrtPriceAtTick(position.lowerTick),
    computeSqrtPriceAtTick(position.upperTick),
  ];
  const from = sqrtPrice > lower ? sqrtPrice : lower;
  return from < upper && position.liquidity * (upper - from) >= 1n << 192n;
}

/** Returns null when Orca's library refuses, as it does when an amount has no room in 64 bits. */
function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function asText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}
