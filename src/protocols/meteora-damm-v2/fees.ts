import { BaseFeeMode, type DammPoolTerms } from './program/layout.ts';
import type { MeteoraDammV2Pool } from './pool.ts';
import { MAX_FEES } from './program/program.ts';

const BPS = 10_000n;
const U32 = 0xffff_ffffn;
/** Brings the product of squared basis points down to billionths. */
const VOLATILITY_SCALE = 100_000_000_000n;

/**
 * What a swap is charged, in billionths. Null where the program refuses, and where a rate limiter is at work, whose
 * fee rises with the amount.
 */
export function feeRate(pool: MeteoraDammV2Pool, point: bigint, aToB: boolean): bigint | null {
  const base = computeBaseFeeRate(pool, pool.sqrtPrice, point, aToB);
  if (base === null) return null;
  return capFeeRate(base + pool.dynamicRate, pool);
}

/** The fee, limited to the maximum of the pool's fee version. */
export function capFeeRate(fee: bigint, { feeVersion }: Pick<DammPoolTerms, 'feeVersion'>): bigint {
  const most = MAX_FEES[feeVersion === 0 ? 0 : 1];
  if (fee > most) return most;
  return fee;
}

type Scheduled = Pick<DammPoolTerms, 'baseFee' | 'activationPoint' | 'initSqrtPrice'>;

/** The base fee at a price; null where the program refuses, and while a rate limiter is at work. */
export function computeBaseFeeRate(
  { baseFee, activationPoint, initSqrtPrice }: Scheduled,
  sqrtPrice: bigint,
  point: bigint,
  aToB: boolean,
): bigint | null {
  const { cliff, mode, middle, last } = baseFee;
  const most = BigInt(baseFee.periods);
  if (mode === BaseFeeMode.RATE_LIMITER) {
    const isSet = baseFee.periods !== 0 || middle !== 0n || last !== 0n;
    const isOver = point < activationPoint || point > activationPoint + (middle & U32);
    return aToB || !isSet || isOver ? cliff : null;
  }
  const byShare = mode === BaseFeeMode.TIME_EXPONENTIAL || mode === BaseFeeMode.PRICE_EXPONENTIAL;
  if (mode === BaseFeeMode.TIME_LINEAR || mode === BaseFeeMode.TIME_EXPONENTIAL) {
    if (middle === 0n) return cliff;
    // Before the activation only a vault buys, at the lowest fee.
    const passed = point < activationPoint ? most : (point - activationPoint) / middle;
    return reduced(cliff, last, passed < most ? passed : most, byShare);
  }
  const [step, duration] = [middle & U32, middle >> 32n];
  if (point > activationPoint + duration || point < activationPoint) {
    return reduced(cliff, last, most, byShare);
  }
  if (sqrtPrice <= initSqrtPrice) return reduced(cliff, last, 0n, byShare);
  if (initSqrtPrice === 0n || step === 0n) return null;
  const passed = ((sqrtPrice - initSqrtPrice) * BPS) / initSqrtPrice / step;
  return reduced(cliff, last, passed < most ? passed : most, byShare);
}

/**
 * Returns the slot or Unix second from which the base fee of a state stays as it is. Before, it may change with time, or with the
 * size of a swap.
 */
export function computeSettledPoint({
  baseFee: { mode, periods, middle },
  activationPoint,
}: Pick<Scheduled, 'baseFee' | 'activationPoint'>): bigint {
  if (mode === BaseFeeMode.TIME_LINEAR || mode === BaseFeeMode.TIME_EXPONENTIAL)
    return activationPoint + middle * BigInt(periods);
  return activationPoint + (mode === BaseFeeMode.RATE_LIMITER ? middle & U32 : middle >> 32n) + 1n;
}

/**
 * The fee after a number of periods. Each period lowers it by the same amount, or by the same share of the fee before.
 */
function reduced(cliff: bigint, reduction: bigint, periods: bigint, byShare: boolean): bigint | null {
  if (!byShare) {
    const rate = cliff - reduction * periods;
    return rate < 0n ? null : rate;
  }
  if (reduction === 0n) return cliff;
  let factor = (1n << 64n) - (reduction << 64n) / BPS;
  if (factor < 0n) return null;
  let power = 1n << 64n;
  for (let rest = periods; rest > 0n; rest >>= 1n) {
    if (rest & 1n) power = (power * factor) >> 64n;
    factor = (factor * factor) >> 64n;
  }
  return power === 0n ? null : (power * cliff) >> 64n;
}

/** What the volatility after the last swap adds, in billionths, before the cap. */
export function computeDynamicFeeRate(dynamicFee: DammPoolTerms['dynamicFee'], accumulator: bigint): bigint {
  if (dynamicFee === null) return 0n;
  const moved = accumulator * BigInt(dynamicFee.binStep);
  return (moved * moved * BigInt(dynamicFee.control) + VOLATILITY_SCALE - 1n) / VOLATILITY_SCALE;
}
