import { U128_MAX } from '../../../solana/units.ts';
import { ByteReader, LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import type { Address } from '../../../solana/address.ts';
import { decodePriceFeed } from '../../../solana/programs/price-feed/feed.ts';
import type { OracleSource } from './layouts.ts';

// The arithmetic of the oracle program, which reads rates from accounts without a simulation.

/** A rate of 1.0, with 15 decimals. */
const ORACLE_RATE_ONE = 10n ** 15n;

/** The purpose of a rate. Liquidations accept older and less certain prices. */
export type RatePurpose = 'operate' | 'liquidate';

const LIMITS = {
  operate: { maximumAge: 600n, confidenceScale: 50n },
  liquidate: { maximumAge: 7_200n, confidenceScale: 25n },
} as const;
/** The time at the start of an epoch during which the last epoch's rate of a stake pool is accepted. */
const STAKE_POOL_GRACE_SECONDS = 3_600n;
/** The maximum fee for deposits to and withdrawals from a stake pool, in thousandths. */
const MAX_STAKE_POOL_FEE = 5n;

/** The fields of the clock sysvar that rates depend on. */
export interface OracleClock {
  readonly unixTimestamp: bigint;
  readonly epoch: bigint;
  readonly epochStartTimestamp: bigint;
}

/** A rate, or the name of the error with which the program refuses. */
export type OracleRate =
  | { readonly ok: true; readonly rate: bigint }
  | { readonly ok: false; readonly error: OracleError };

export type OracleError =
  | 'PriceNotValid'
  | 'PriceTooOld'
  | 'RateZero'
  | 'InvalidSource'
  | 'PriceConfidenceNotSufficient'
  | 'StakePoolNotRefreshed'
  | 'InvalidPrice'
  | 'FeeTooHigh'
  | 'LibraryU256NumberDownCastError'
  | 'SourceUnreadable';

/**
 * Computes an oracle's rate as the program does: the product of its hops, rounded down after each.
 *
 * @param dataOf - Returns the data of a source's account, or null when it does not exist.
 * @returns The rate with 15 decimals: whole tokens of the debt per whole token of the collateral.
 *
 * @example
 * ```ts
 * import { computeOracleRate } from './rate.ts';
 *
 * const clock = { unixTimestamp: 1_800_000_000n, epoch: 0n, epochStartTimestamp: 0n };
 * computeOracleRate([], () => null, clock, 'operate'); // { ok: true, rate: 10n ** 15n }
 * ```
 */
export function computeOracleRate(
  sources: readonly OracleSource[],
  dataOf: (source: Address) => Uint8Array | null,
  clock: OracleClock,
  purpose: RatePurpose,
): OracleRate {
  try {
    let rate = ORACLE_RATE_ONE;
    for (const hop of sources) {
      let price = readSource(hop, dataOf(hop.source), clock, purpose);
      if (typeof price === 'string') return { ok: false, error: price };
      if (price > 0n && hop.invert) price = (ORACLE_RATE_ONE * ORACLE_RATE_ONE) / price;
      rate = (price * rate) / ORACLE_RATE_ONE;
      if (rate > U128_MAX) return { ok: false, error: 'LibraryU256NumberDownCastError' };
      if (rate === 0n) return { ok: false, error: 'RateZero' };
    }
    return { ok: true, rate };
  } catch (error) {
    if (error instanceof LayoutInvalid) return { ok: false, error: 'SourceUnreadable' };
    throw error;
  }
}

function readSource(
  { sourceType }: OracleSource,
  data: Uint8Array | null,
  clock: OracleClock,
  purpose: RatePurpose,
): bigint | OracleError {
  if (data === null) return 'SourceUnreadable';
  if (sourceType === 'pyth') return readPriceFeed(data, clock, purpose);
  if (sourceType === 'stakePool') return readStakePool(data, clock);
  if (sourceType === 'msolPool') return readMsolPool(data);
  return 'InvalidSource';
}

function readPriceFeed(data: Uint8Array, clock: OracleClock, purpose: RatePurpose): bigint | OracleError {
  const { price, confidence, exponent, publishTime } = decodePriceFeed(data);
  const { maximumAge, confidenceScale } = LIMITS[purpose];
  if (publishTime + maximumAge < clock.unixTimestamp) return 'PriceTooOld';
  if (price <= 0n || exponent > 0) return 'PriceNotValid';
  if (confidence * confidenceScale > price) return 'PriceConfidenceNotSufficient';
  const decimals = BigInt(-exponent);
  return decimals > 15n ? price / 10n ** (decimals - 15n) : price * 10n ** (15n - decimals);
}

/** Returns the lamports in a stake pool per pool token, as a rate. */
function readStakePool(data: Uint8Array, clock: OracleClock): bigint | OracleError {
  const reader = new ByteReader(data, 'stake pool');
  reader.skip(1 + 3 * 32 + 1 + 5 * 32);
  const [lamports, tokens, lastUpdate] = [reader.u64(), reader.u64(), reader.u64()];
  const elapsed = clock.unixTimestamp - clock.epochStartTimestamp;
  const late = lastUpdate + 1n === clock.epoch && elapsed >= STAKE_POOL_GRACE_SECONDS;
  if (lastUpdate + 1n < clock.epoch || late) return 'StakePoolNotRefreshed';
  if (stakePoolFees(reader).some((fee) => fee > MAX_STAKE_POOL_FEE)) return 'FeeTooHigh';
  if (tokens === 0n) return 'InvalidPrice';
  return (ORACLE_RATE_ONE * lamports) / tokens;
}

/** Reads the fees of withdrawals and deposits, in thousandths, which follow the epoch of the last update. */
function stakePoolFees(reader: ByteReader): readonly bigint[] {
  const fee = () => {
    const [denominator, numerator] = [reader.u64(), reader.u64()];
    return denominator === 0n ? 0n : (numerator * 1000n) / denominator;
  };
  const skipFutureFee = () => reader.skip(reader.u8() === 0 ? 0 : 16);
  const skipAddress = () => reader.skip(reader.bool() ? 32 : 0);
  reader.skip(48 + 16);
  skipFutureFee();
  skipAddress();
  skipAddress();
  const ofStake = [fee(), fee()];
  skipFutureFee();
  reader.skip(1);
  skipAddress();
  const solDeposit = fee();
  reader.skip(1);
  skipAddress();
  return [...ofStake, solDeposit, fee()];
}

/** Returns the lamports that Marinade controls, less those of open unstake tickets, per mSOL, as a rate. */
function readMsolPool(data: Uint8Array): bigint | OracleError {
  const at = (offset: number) => new ByteReader(data, 'mSOL pool', offset).u64();
  const controlled = at(226) + at(568) + at(376) + at(496);
  const tickets = at(528);
  const supply = at(504);
  if (supply === 0n) return 'InvalidPrice';
  const staked = controlled > tickets ? controlled - tickets : 0n;
  return (staked * ORACLE_RATE_ONE) / supply;
}
