import { U128_MAX } from '../../../../solana/units.ts';
import { MAX_TICK, MIN_TICK } from './limits.ts';

/** A ratio of 1.0. Ratios of raw debt to raw collateral have 48 binary places. */
export const RATIO_ONE = 1n << 48n;
/** The ratio of the lowest tick. */
export const MIN_RATIO = 6_093n;
/** The ratio of the highest tick. */
export const MAX_RATIO = 13_002_088_133_096_036_565_414_295n;
/** The factor between two ticks, times 10,000. */
export const TICK_STEP = 10_015n;
export const TICK_STEP_ONE = 10_000n;

/** 2^64 / 1.0015^(2^k) for k = 0 to 13. Source: the public program's table. */
const INVERSE_POWERS: readonly bigint[] = [
  0xff9dd7de423466c2n,
  0xff3bd55f4488ad27n,
  0xfe78410fd6498b74n,
  0xfcf2d9987c9be179n,
  0xf9ef02c4529258b0n,
  0xf402d288133a85a1n,
  0xe895615b5beb6386n,
  0xd34f17a00ffa00a8n,
  0xae6b7961714e2055n,
  0x76d6461f27082d75n,
  0x372a3bfe0745d8b7n,
  0xbe32cbee4897976n,
  0x8d4f70c9ff4925n,
  0x4e009ae55194n,
];

/** 1.0015^(2^k) x 10^13 for k = 13 to 0. Source: the public program's table. */
const POWERS: readonly bigint[] = [
  2_150_859_953_785_115_391n,
  4_637_736_467_054_931n,
  215_354_044_936_586n,
  46_406_254_420_777n,
  21_542_110_950_596n,
  14_677_230_989_051n,
  12_114_962_232_319n,
  11_006_798_913_544n,
  10_491_329_235_871n,
  10_242_718_992_470n,
  10_120_631_893_548n,
  10_060_135_135_051n,
  10_030_022_500_000n,
  10_015_000_000_000n,
];
const POWER_ONE = 10_000_000_000_000n;

/**
 * Computes the ratio of debt to collateral of a tick, as the vaults program does: 1.0015^tick with 48 binary places.
 *
 * @throws RangeError for a tick below -16383 or above 16383.
 *
 * @example
 * ```ts
 * import { computeRatioAtTick } from './ticks.ts';
 *
 * computeRatioAtTick(0); // 2n ** 48n
 * ```
 */
export function computeRatioAtTick(tick: number): bigint {
  if (!(tick >= MIN_TICK && tick <= MAX_TICK)) {
    throw new RangeError(`a tick is at least ${MIN_TICK} and at most ${MAX_TICK}, not ${tick}`);
  }
  let factor = 1n << 64n;
  for (let power = 0, rest = Math.abs(tick); rest !== 0; power += 1, rest >>= 1) {
    if ((rest & 1) === 1) factor = (factor * (INVERSE_POWERS[power] ?? 0n)) >> 64n;
  }
  if (tick < 0) return factor >> 16n;
  factor = U128_MAX / factor;
  return (factor >> 16n) + ((factor & 0xffffn) === 0n ? 0n : 1n);
}

/** A tick, and its ratio as the program derives it from the ratio that it was found for. */
export interface TickOfRatio {
  readonly tick: number;
  /** The ratio, which never exceeds the requested one. Its last digits differ from those of `computeRatioAtTick`. */
  readonly ratio: bigint;
}

/**
 * Finds the highest tick whose ratio does not exceed `ratio`, as the vaults program does.
 *
 * Returns null when the ratio is beyond those of the lowest and the highest tick, which the program refuses.
 *
 * @example
 * ```ts
 * import { findTickAtRatio } from './ticks.ts';
 *
 * findTickAtRatio(2n ** 49n)?.tick; // 462: 1.0015^462 is a little less than 2
 * ```
 */
export function findTickAtRatio(ratio: bigint): TickOfRatio | null {
  if (ratio < MIN_RATIO || ratio > MAX_RATIO) return null;
  const below = ratio < RATIO_ONE;
  let factor = below ? (RATIO_ONE * POWER_ONE) / ratio : (ratio * POWER_ONE) / RATIO_ONE;
  let tick = 0;
  for (const power of POWERS) {
    tick <<= 1;
    if (factor < power) continue;
    tick |= 1;
    factor = (factor * POWER_ONE) / power;
  }
  if (below) return { tick: ~tick, ratio: (ratio * factor) / TICK_POWER };
  return { tick, ratio: (ratio * POWER_ONE) / factor };
}

/** 1.0015 x 10^13. */
const TICK_POWER = 10_015_000_000_000n;
