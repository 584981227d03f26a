import { U128_MAX } from '../../../solana/units.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import type { WhirlpoolSides, Whirlpool } from '../program/layout.ts';
import { computeAmountA, computeAmountB } from '../venue/swap-math.ts';
import { computeSqrtPriceAtTick } from '../program/tick-math.ts';
import type { PositionWithRewards, TickGrowth } from './layout.ts';

const U64 = 64;
const U128 = 128;

/**
 * The amounts of token A and token B that withdrawing all of the position's liquidity pays, before transfer fees: the
 * arithmetic of `decrease_liquidity`, rounded down. Null beyond 64 bits, which the program refuses to pay.
 */
export function computeWithdrawalAmounts(
  { tick, sqrtPrice }: Pick<Whirlpool, 'tick' | 'sqrtPrice'>,
  { lowerTick, upperTick, liquidity }: PositionWithRewards,
): WhirlpoolSides<bigint> | null {
  const [lower, upper] = [computeSqrtPriceAtTick(lowerTick), computeSqrtPriceAtTick(upperTick)];
  const a =
    tick >= upperTick ? 0n : computeAmountA(tick < lowerTick ? lower : sqrtPrice, upper, liquidity, false);
  const b =
    tick < lowerTick ? 0n : computeAmountB(lower, tick >= upperTick ? upper : sqrtPrice, liquidity, false);
  return a === null || b === null ? null : [a, b];
}

/** Whether the price is outside of the range, so that the position holds one token alone and earns nothing. */
export function isOutOfRange(
  { tick }: Pick<Whirlpool, 'tick'>,
  { lowerTick, upperTick }: PositionWithRewards,
): boolean {
  return tick < lowerTick || tick >= upperTick;
}

/** What a position can collect, in atoms. */
export interface WhirlpoolEarned {
  readonly fees: WhirlpoolSides<bigint>;
  /** By the rewards of the pool; 0 for those that are not set up. */
  readonly rewards: readonly [bigint, bigint, bigint];
}

/**
 * What `update_fees_and_rewards` would book now, and what is booked already. Growths wrap at 128 bits and amounts at
 * 64, and what overflows counts as nothing, as in the program.
 *
 * @param ticks - The two ends of the position. Null for one that is not in use.
 * @param now - Unix seconds.
 */
export function computeWhirlpoolEarned(
  pool: Whirlpool,
  position: PositionWithRewards,
  ticks: readonly [TickGrowth | null, TickGrowth | null],
  now: bigint,
): WhirlpoolEarned {
  const inside = (growth: bigint, outside: (tick: TickGrowth) => bigint) =>
    growthInside(pool.tick, position, growth, [
      ticks[0] === null ? null : outside(ticks[0]),
      ticks[1] === null ? null : outside(ticks[1]),
    ]);
  const fee = (side: 0 | 1) =>
    earned(
      position.liquidity,
      inside(pool.feeGrowth[side], ({ feeGrowthOutside }) => feeGrowthOutside[side]),
      position.feeGrowthCheckpoints[side],
      position.feesOwed[side],
    );
  const reward = (index: 0 | 1 | 2) => {
    const { growthCheckpoint, owed } = position.rewards[index];
    if (pool.rewards[index].mint === SYSTEM_PROGRAM) return 0n;
    const growth = rewardGrowth(pool, index, now);
    const within = inside(growth, ({ rewardGrowthsOutside }) => rewardGrowthsOutside[index]);
    return earned(position.liquidity, within, growthCheckpoint, owed);
  };
  return { fees: [fee(0), fee(1)], rewards: [reward(0), reward(1), reward(2)] };
}

function rewardGrowth(pool: Whirlpool, index: 0 | 1 | 2, now: bigint): bigint {
  const { growthGlobal, emissionsPerSecond } = pool.rewards[index];
  const seconds = now - pool.rewardsUpdatedAt;
  if (seconds <= 0n || pool.liquidity === 0n) return growthGlobal;
  const emitted = seconds * emissionsPerSecond;
  const growth = emitted > U128_MAX ? 0n : emitted / pool.liquidity;
  return BigInt.asUintN(U128, growthGlobal + growth);
}

function earned(liquidity: bigint, growth: bigint, checkpoint: bigint, owed: bigint): bigint {
  const product = liquidity * BigInt.asUintN(U128, growth - checkpoint);
  const fresh = product > U128_MAX ? 0n : product >> 64n;
  return BigInt.asUintN(U64, owed + BigInt.asUintN(U64, fresh));
}

/** Of all growth, what is neither below the lower tick nor above the upper one. */
function growthInside(
  tick: number,
  { lowerTick, upperTick }: PositionWithRewards,
  global: bigint,
  [lower, upper]: readonly [bigint | null, bigint | null],
): bigint {
  const belowUsed = (outside: bigint) => (tick < lowerTick ? global - outside : outside);
  const aboveUsed = (outside: bigint) => (tick < upperTick ? outside : global - outside);
  const below = lower === null ? global : belowUsed(lower);
  const above = upper === null ? 0n : aboveUsed(upper);
  return BigInt.asUintN(U128, global - below - above);
}
