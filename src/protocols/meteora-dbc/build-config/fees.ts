import {
  type DbcBaseFee,
  type DbcDynamicFee,
  type DbcMarketCapFeeScheduler,
  NO_MARKET_CAP_FEE_SCHEDULER,
} from '../program/config-terms.ts';
import { DbcBaseFeeMode } from '../program/program.ts';
import type { DbcFeePlan, DbcLimitedFee, DbcMarketCapFee, DbcScheduledFee } from './launch-terms.ts';

/** A basis point in billionths. */
const BPS = 100_000n;
const ALL_BPS = 10_000n;

/** The numbers of a dynamic fee that do not depend on the base fee: those that the program's authors suggest. */
const DYNAMIC_FEE = {
  binStep: 1,
  binStepU128: 1_844_674_407_370_955n,
  filterPeriod: 10,
  decayPeriod: 120,
  reductionFactor: 5_000,
  maxVolatilityAccumulator: 14_460_000,
} as const;

/** The modes of DAMM v2 for a fee that falls with the market capitalisation. */
const MARKET_CAP_FEE_MODE = { linear: 3, exponential: 4 } as const;

/** Translates a fee from rates and durations to the factors of the program. */
export function toDbcBaseFee(fee: DbcScheduledFee | DbcLimitedFee): DbcBaseFee {
  if (fee.kind === 'rateLimiter') {
    return {
      cliffFeeNumerator: BigInt(fee.baseFeeBps) * BPS,
      firstFactor: fee.feeIncrementBps,
      secondFactor: fee.maxDuration,
      thirdFactor: fee.referenceAmount,
      baseFeeMode: DbcBaseFeeMode.RATE_LIMITER,
    };
  }
  const cliffFeeNumerator = BigInt(fee.startingFeeBps) * BPS;
  if (fee.startingFeeBps === fee.endingFeeBps) {
    return {
      cliffFeeNumerator,
      firstFactor: 0,
      secondFactor: 0n,
      thirdFactor: 0n,
      baseFeeMode: DbcBaseFeeMode.LINEAR,
    };
  }
  return {
    cliffFeeNumerator,
    firstFactor: fee.numberOfPeriods,
    secondFactor: fee.numberOfPeriods === 0 ? 0n : fee.totalDuration / BigInt(fee.numberOfPeriods),
    thirdFactor: computeReduction(fee),
    baseFeeMode: fee.kind === 'linear' ? DbcBaseFeeMode.LINEAR : DbcBaseFeeMode.EXPONENTIAL,
  };
}

/** Returns a fee of at most a fifth of the base fee, which it has where the price has moved by 15 %. */
export function toDbcDynamicFee({ isDynamic, base }: DbcFeePlan): DbcDynamicFee | null {
  if (!isDynamic) return null;
  const bps = base.kind === 'rateLimiter' ? base.baseFeeBps : base.endingFeeBps;
  const most = (BigInt(bps) * BPS * 20n) / 100n;
  const square = BigInt(DYNAMIC_FEE.maxVolatilityAccumulator * DYNAMIC_FEE.binStep) ** 2n;
  const control = (most * 100_000_000_000n - 99_999_999_999n) / square;
  return { ...DYNAMIC_FEE, variableFeeControl: Number(control) };
}

/** Translates a fee that falls with the market capitalisation to the mode and the steps of the migrated pool. */
export function toMigratedBaseFee(
  startingFeeBps: number,
  fee: DbcMarketCapFee | null,
): { readonly mode: number; readonly scheduler: DbcMarketCapFeeScheduler } {
  if (fee === null) return { mode: 0, scheduler: NO_MARKET_CAP_FEE_SCHEDULER };
  const scheduler = {
    numberOfPeriod: fee.numberOfPeriods,
    sqrtPriceStepBps: computePriceStep(fee),
    schedulerExpirationDuration: fee.expirationDuration,
    reductionFactor: computeMarketCapReduction(startingFeeBps, fee),
  };
  return { mode: MARKET_CAP_FEE_MODE[fee.kind], scheduler };
}

/** What a fee loses per period: billionths of the amount if it falls linearly, otherwise basis points of itself. */
function computeReduction(
  fee: Pick<DbcScheduledFee, 'kind' | 'startingFeeBps' | 'endingFeeBps' | 'numberOfPeriods'>,
): bigint {
  const [from, to, periods] = [
    BigInt(fee.startingFeeBps),
    BigInt(fee.endingFeeBps),
    BigInt(fee.numberOfPeriods),
  ];
  if (periods === 0n) return 0n;
  if (fee.kind === 'linear') return ((from - to) * BPS) / periods;
  return findDecay(from, to, periods);
}

/**
 * Returns what the fee of a migrated pool loses per period. The public library computes basis points with doubles. So does this,
 * because an exact computation would at times return one more, and its configuration would not be the library's.
 */
function computeMarketCapReduction(startingFeeBps: number, fee: DbcMarketCapFee): bigint {
  if (fee.kind === 'linear' || fee.numberOfPeriods === 0) return computeReduction({ ...fee, startingFeeBps });
  const kept = (fee.endingFeeBps / startingFeeBps) ** (1 / fee.numberOfPeriods);
  return BigInt(Math.floor(Number(ALL_BPS) * (1 - kept)));
}

/** The most basis points by which `from` can fall in each of the periods so that it does not end below `to`. */
function findDecay(from: bigint, to: bigint, periods: bigint): bigint {
  const least = to * ALL_BPS ** periods;
  let [low, high] = [0n, ALL_BPS];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (from * (ALL_BPS - middle) ** periods >= least) low = middle;
    else high = middle - 1n;
  }
  return low;
}

/**
 * Returns the basis points by which the root of the price rises in each period, so that the last one ends at the ending market cap.
 * The public library computes them with doubles, and so does this.
 */
function computePriceStep({ startingMarketCap, endingMarketCap, numberOfPeriods }: DbcMarketCapFee): number {
  if (startingMarketCap === 0n || numberOfPeriods === 0) return 0;
  const rise = Math.sqrt(Number(endingMarketCap) / Number(startingMarketCap)) - 1;
  return Math.max(0, Math.floor((rise * Number(ALL_BPS)) / numberOfPeriods));
}
