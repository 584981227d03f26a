import { computeIntegerSquareRoot } from '../../../common/integer-square-root.ts';
import { divideUp, maximum, U128_MAX, U64_MAX } from '../../../solana/units.ts';
import { type DbcConfigParameters, encodeDbcConfigParameters } from '../program/config-parameters.ts';
import { MAX_DBC_SQRT_PRICE, MIN_DBC_SQRT_PRICE } from '../program/program.ts';
import type { DbcBuildError } from './launch-terms.ts';
import { findFeeError } from './fee-check.ts';
import {
  addSwapBuffer,
  computeCompoundingBase,
  computeMigrationBase,
  computeSwapBase,
  findMigrationPrice,
} from './supply.ts';
import { computeLockedBps, computeLockedTotal, isValidLiquidityVesting } from './vesting.ts';

/** What the program computes from a config's parameters and keeps in its account. */
export interface DbcDerivedTerms {
  readonly migrationSqrtPrice: bigint;
  readonly swapBaseAmount: bigint;
  readonly migrationBaseThreshold: bigint;
}

export type DbcChecked =
  | { readonly ok: true; readonly terms: DbcDerivedTerms }
  | { readonly ok: false; readonly error: DbcBuildError };

const COMPOUNDING = 2;
const DAY = 86_400;
/** The basis points of the migrated liquidity that must be locked for a day. */
const LEAST_LOCKED_BPS = 1_000n;

/** Checks parameters as `create_config` does, except for the quote mint, and computes what it derives from them. */
export function checkDbcParameters(parameters: DbcConfigParameters): DbcChecked {
  const error =
    findRangeError(parameters) ??
    findFeeError(parameters) ??
    findTermsError(parameters) ??
    findCurveError(parameters);
  return error === null ? deriveTerms(parameters) : { ok: false, error };
}

/** Parameters with a number that its field cannot hold cannot be sent to the program. */
function findRangeError(parameters: DbcConfigParameters): DbcBuildError | null {
  try {
    encodeDbcConfigParameters(parameters);
    return null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse('TypeCastFailed', error.message);
  }
}

function findTermsError(parameters: DbcConfigParameters): DbcBuildError | null {
  if (!isValidLiquidityVesting(parameters.partnerLiquidityVestingInfo)) {
    return refuse('InvalidVestingParameters', "the vesting of the partner's liquidity is not possible");
  }
  if (!isValidLiquidityVesting(parameters.creatorLiquidityVestingInfo)) {
    return refuse('InvalidVestingParameters', "the vesting of the creator's liquidity is not possible");
  }
  if (parameters.tokenUpdateAuthority < 0 || parameters.tokenUpdateAuthority > 4) {
    return refuse('InvalidTokenAuthorityOption', `the token authority is ${parameters.tokenUpdateAuthority}`);
  }
  const { tokenDecimal } = parameters;
  if (tokenDecimal < 6 || tokenDecimal > 9) {
    return refuse('InvalidTokenDecimals', `the token must have 6 to 9 decimals, got ${tokenDecimal}`);
  }
  const percent = sumPercentages(parameters);
  if (percent !== 100) return refuse('InvalidFeePercentage', `the liquidity makes ${percent} %, not 100 %`);
  if (parameters.migrationQuoteThreshold <= 0n) {
    return refuse('InvalidQuoteThreshold', 'the curve must raise more than nothing');
  }
  return findLockedTokensError(parameters) ?? findCreationFeeError(parameters);
}

function sumPercentages(parameters: DbcConfigParameters): number {
  return (
    parameters.partnerLiquidityPercentage +
    parameters.partnerPermanentLockedLiquidityPercentage +
    parameters.creatorLiquidityPercentage +
    parameters.creatorPermanentLockedLiquidityPercentage +
    parameters.partnerLiquidityVestingInfo.vestingPercentage +
    parameters.creatorLiquidityVestingInfo.vestingPercentage
  );
}

function findLockedTokensError({ lockedVesting }: DbcConfigParameters): DbcBuildError | null {
  if (Object.values(lockedVesting).every((each) => each === 0n)) return null;
  const total = computeLockedTotal(lockedVesting);
  if (Object.values(lockedVesting).some((each) => each < 0n) || total > U64_MAX) {
    return refuse('MathOverflow', 'the locked tokens are out of range');
  }
  return lockedVesting.frequency === 0n || total === 0n
    ? refuse('InvalidVestingParameters', 'locked tokens need an amount and a period of at least a second')
    : null;
}

function findCreationFeeError({ poolCreationFee: fee }: DbcConfigParameters): DbcBuildError | null {
  return fee === 0n || (fee >= 1_000_000n && fee <= 100_000_000_000n)
    ? null
    : refuse('InvalidPoolCreationFee', 'a creation fee must be from 0.001 to 100 SOL');
}

function findCurveError({ sqrtStartPrice, curve }: DbcConfigParameters): DbcBuildError | null {
  if (sqrtStartPrice < MIN_DBC_SQRT_PRICE || sqrtStartPrice >= MAX_DBC_SQRT_PRICE) {
    return refuse('InvalidCurve', `the starting price ${sqrtStartPrice} is out of range`);
  }
  if (curve.length === 0 || curve.length > 16) {
    return refuse('InvalidCurve', `a curve has 1 to 16 points, got ${curve.length}`);
  }
  let lower = sqrtStartPrice;
  for (const { sqrtPrice, liquidity } of curve) {
    if (sqrtPrice <= lower || sqrtPrice > MAX_DBC_SQRT_PRICE || liquidity <= 0n || liquidity > U128_MAX) {
      return refuse('InvalidCurve', 'the prices of a curve must rise, and each must have liquidity');
    }
    lower = sqrtPrice;
  }
  return null;
}

function deriveTerms(parameters: DbcConfigParameters): DbcChecked {
  const migrationSqrtPrice = findMigrationPrice(parameters, parameters.migrationQuoteThreshold);
  if (migrationSqrtPrice === null) {
    return fail('NotEnoughLiquidity', 'the curve cannot raise its threshold');
  }
  if (migrationSqrtPrice >= MAX_DBC_SQRT_PRICE) {
    return fail('InvalidCurve', 'the price of the migration is out of range');
  }
  const swapBaseAmount = computeSwapBase(parameters, migrationSqrtPrice);
  const quote = divideUp(
    parameters.migrationQuoteThreshold * BigInt(100 - parameters.migrationFee.feePercentage),
    100n,
  );
  const isCompounding = parameters.migratedPoolFee.collectFeeMode === COMPOUNDING;
  const migrationBaseThreshold = isCompounding
    ? computeCompoundingBase(quote, migrationSqrtPrice)
    : computeMigrationBase(quote, migrationSqrtPrice);
  if (swapBaseAmount > U64_MAX || migrationBaseThreshold > U64_MAX) {
    return fail('MathOverflow', 'the curve sells or migrates more tokens than there can be');
  }
  if (swapBaseAmount <= 0n || migrationBaseThreshold <= 0n) {
    return fail('InvalidCurve', 'the curve sells or migrates no tokens');
  }
  const terms = { migrationSqrtPrice, swapBaseAmount, migrationBaseThreshold };
  const error =
    (isCompounding ? findCompoundingError(terms, quote) : null) ??
    findSupplyError(parameters, terms) ??
    findLockError(parameters);
  return error === null ? { ok: true, terms } : { ok: false, error };
}

/** The part of the migrated tokens that the protocol takes, in basis points. */
const PROTOCOL_FEE_BPS = 20n;

function findCompoundingError(terms: DbcDerivedTerms, quote: bigint): DbcBuildError | null {
  const [base, quoteLeft] = [terms.migrationBaseThreshold, quote].map(
    (amount) => amount - (amount * PROTOCOL_FEE_BPS) / 10_000n,
  ) as [bigint, bigint];
  const price = computeIntegerSquareRoot(divideUp(quoteLeft << 128n, base));
  if (price < MIN_DBC_SQRT_PRICE || price > MAX_DBC_SQRT_PRICE) {
    return refuse('MathOverflow', 'the price of the compounding pool is out of range');
  }
  if (computeIntegerSquareRoot((quoteLeft << 128n) / base) * base <= 100n << 64n) {
    return refuse('InsufficientLiquidityForMigration', 'the compounding pool has too little liquidity');
  }
  const apart = maximum(price, terms.migrationSqrtPrice) * 2n - price - terms.migrationSqrtPrice;
  return apart * 100n <= maximum(price, terms.migrationSqrtPrice)
    ? null
    : refuse('InvalidCurve', 'the price of the compounding pool is more than 1 % from that of the curve');
}

function findSupplyError(parameters: DbcConfigParameters, terms: DbcDerivedTerms): DbcBuildError | null {
  const { tokenSupply } = parameters;
  if (tokenSupply === null) return null;
  const others = terms.migrationBaseThreshold + computeLockedTotal(parameters.lockedVesting);
  const least = terms.swapBaseAmount + others;
  const leastBefore = addSwapBuffer(parameters, terms.swapBaseAmount) + others;
  if (leastBefore > U64_MAX) return refuse('MathOverflow', 'the curve needs more tokens than there can be');
  const { preMigrationTokenSupply: before, postMigrationTokenSupply: after } = tokenSupply;
  return least <= after && after <= before && leastBefore <= before
    ? null
    : refuse(
        'InvalidTokenSupply',
        `the curve needs a supply of ${leastBefore} atoms, and there are ${before}`,
      );
}

function findLockError(parameters: DbcConfigParameters): DbcBuildError | null {
  const permanent =
    parameters.partnerPermanentLockedLiquidityPercentage +
    parameters.creatorPermanentLockedLiquidityPercentage;
  const locked =
    BigInt(permanent) * 100n +
    computeLockedBps(parameters.partnerLiquidityVestingInfo, DAY) +
    computeLockedBps(parameters.creatorLiquidityVestingInfo, DAY);
  return locked >= LEAST_LOCKED_BPS
    ? null
    : refuse('InvalidMigrationLockedLiquidity', 'at least 10 % of the liquidity must be locked for a day');
}

function fail(code: string, message: string): DbcChecked {
  return { ok: false, error: { code, message } };
}

function refuse(code: string, message: string): DbcBuildError {
  return { code, message };
}
