import { U64_MAX } from '../../../solana/units.ts';
import type { DammCurve } from '../program/curve.ts';
import { CollectFeeMode, type DammSides } from '../program/layout.ts';
import type { DammPosition, PoolGrowth, PoolReward } from './layout.ts';

/** All of the position's liquidity: what can be withdrawn, what vests, and what is locked for ever. */
export function sumPositionLiquidity({ unlocked, vested, permanentlyLocked }: DammPosition): bigint {
  return unlocked + vested + permanentlyLocked;
}

/**
 * The amounts of token A and token B that the liquidity is worth at the pool's price, rounded down as
 * `remove_liquidity` pays them, before transfer fees.
 */
export function computeLiquidityWorth(pool: DammCurve, liquidity: bigint): DammSides<bigint> {
  const { sqrtPrice, sqrtMinPrice, sqrtMaxPrice, amounts } = pool;
  if (liquidity === 0n) return [0n, 0n];
  if (pool.collectFeeMode === CollectFeeMode.COMPOUNDING) {
    return [(liquidity * amounts[0]) / pool.liquidity, (liquidity * amounts[1]) / pool.liquidity];
  }
  return [
    (liquidity * (sqrtMaxPrice - sqrtPrice)) / (sqrtMaxPrice * sqrtPrice),
    (liquidity * (sqrtPrice - sqrtMinPrice)) >> 128n,
  ];
}

/** What a position can claim now, in atoms: fees of both tokens, and both rewards. */
export interface DammEarned {
  readonly fees: DammSides<bigint>;
  readonly rewards: DammSides<bigint>;
}

/**
 * What claiming would book, and what is booked already, rounded down as in the program.
 *
 * @param poolLiquidity - All liquidity of the pool, over which rewards are spread.
 * @param now - Unix seconds.
 */
export function computeDammEarned(
  growth: PoolGrowth,
  poolLiquidity: bigint,
  position: DammPosition,
  now: bigint,
): DammEarned {
  const liquidity = sumPositionLiquidity(position);
  const fee = (side: 0 | 1) => {
    const grown = grownSince(growth.feePerLiquidity[side], position.feeCheckpoints[side]);
    return capped(position.feesPending[side] + ((liquidity * grown) >> 128n));
  };
  const reward = (index: 0 | 1) => {
    const { initialized } = growth.rewards[index];
    const { perLiquidityCheckpoint, pending } = position.rewards[index];
    if (!initialized) return 0n;
    const grown = grownSince(
      rewardPerLiquidity(growth.rewards[index], poolLiquidity, now),
      perLiquidityCheckpoint,
    );
    return capped(pending + ((liquidity * grown) >> 192n));
  };
  return { fees: [fee(0), fee(1)], rewards: [reward(0), reward(1)] };
}

function rewardPerLiquidity(reward: PoolReward, liquidity: bigint, now: bigint): bigint {
  const until = now < reward.durationEnd ? now : reward.durationEnd;
  const seconds = until - reward.lastUpdate;
  if (seconds <= 0n || liquidity === 0n) return reward.perLiquidity;
  return reward.perLiquidity + ((seconds * reward.rate) << 128n) / liquidity;
}

/** Growth never falls. An account in which it did earns nothing here, and the program refuses to book it. */
function grownSince(now: bigint, checkpoint: bigint): bigint {
  return now > checkpoint ? now - checkpoint : 0n;
}

function capped(amount: bigint): bigint {
  return amount > U64_MAX ? U64_MAX : amount;
}
