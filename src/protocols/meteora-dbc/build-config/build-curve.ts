import { minimum, U64_MAX } from '../../../solana/units.ts';
import { computeLiquidityOfBase, computeLiquidityOfQuote } from '../program/curve-amounts.ts';
import type { DbcConfigParameters } from '../program/config-parameters.ts';
import type { DbcCurvePoint } from '../program/config-terms.ts';
import {
  DbcMigrationFeeOption,
  DbcMigrationOption,
  MAX_DBC_SQRT_PRICE,
  MIN_DBC_SQRT_PRICE,
} from '../program/program.ts';
import { checkDbcParameters } from './config-check.ts';
import { toDbcBaseFee, toDbcDynamicFee, toMigratedBaseFee } from './fees.ts';
import type { DbcBuildError, DbcLaunchTerms, DbcMigrationPlan } from './launch-terms.ts';
import {
  addDecimals,
  divideDecimals,
  roundDecimalDown,
  multiplyDecimals,
  type RoundedDecimal,
  roundDecimalToDouble,
  subtractDecimals,
  takeDecimalRoot,
  toDecimal,
} from './rounded-decimal.ts';
import {
  addSwapBuffer,
  computeMigrationBase,
  computeSwapBase,
  type DbcPriceRange,
  findMigrationPrice,
} from './supply.ts';
import { computeLockedTotal, toDbcLiquidityVesting, toDbcLockedVesting } from './vesting.ts';

export type DbcBuilt =
  | { readonly ok: true; readonly parameters: DbcConfigParameters }
  | { readonly ok: false; readonly error: DbcBuildError };

/** What a curve raises, and what part of the supply goes to the migrated pool. */
export interface DbcRaise {
  /** Percent of the supply, as 26.5. */
  readonly migrationSupplyPercent: RoundedDecimal;
  /** Whole quote tokens. */
  readonly quoteThreshold: RoundedDecimal;
}

/** The market capitalisations of a launch, in atoms of the quote token. */
export interface DbcMarketCaps {
  readonly initial: bigint;
  readonly migration: bigint;
}

const ONE = toDecimal(1n);
const HUNDRED = toDecimal(100n);
const Q64 = toDecimal(1n << 64n);

/**
 * Builds the parameters of a config whose curve starts at one market capitalisation and is migrated at another. The tokens
 * that are neither locked nor left over are split so that the migrated pool continues at the price at which the curve ends.
 *
 * Returns parameters that the program accepts, or why there are none.
 */
export function buildDbcCurveFromMarketCaps(terms: DbcLaunchTerms, caps: DbcMarketCaps): DbcBuilt {
  if (caps.initial <= 0n || caps.migration <= caps.initial) {
    return fail(
      'InvalidCurve',
      'the market cap of the migration must be above the initial one, and both above 0',
    );
  }
  if (terms.token.totalSupply <= 0n) return fail('InvalidTokenSupply', 'the supply must be above 0');
  const whole = (atoms: bigint) => toDecimal(atoms, -terms.token.quoteDecimals);
  const migrationSupplyPercent = roundDecimalToDouble(computeSupplyPercent(terms, caps));
  const quoteAmount = divideDecimals(
    multiplyDecimals(whole(caps.migration), migrationSupplyPercent),
    HUNDRED,
  );
  const kept = subtractDecimals(HUNDRED, getFeePercent(terms.migration));
  if (kept.digits <= 0n) return fail('InvalidMigratorFeePercentage', 'a migration fee is at most 99 %');
  const quoteThreshold = roundDecimalToDouble(divideDecimals(multiplyDecimals(quoteAmount, HUNDRED), kept));
  return buildDbcCurve(terms, { migrationSupplyPercent, quoteThreshold });
}

/** The percent of the supply that are migrated, so that the curve has both market caps. */
function computeSupplyPercent(terms: DbcLaunchTerms, caps: DbcMarketCaps): RoundedDecimal {
  const { totalSupply, leftover, baseDecimals } = terms.token;
  const locked = computeLockedTotal(toDbcLockedVesting(terms.lockedTokens, baseDecimals));
  const percent = (part: bigint) =>
    divideDecimals(multiplyDecimals(toDecimal(part), HUNDRED), toDecimal(totalSupply));
  const root = takeDecimalRoot(divideDecimals(toDecimal(caps.initial), toDecimal(caps.migration)));
  const fee = divideDecimals(getFeePercent(terms.migration), HUNDRED);
  if (fee.digits === 0n) {
    const reserved = addDecimals(percent(locked), percent(leftover));
    const numerator = subtractDecimals(multiplyDecimals(HUNDRED, root), multiplyDecimals(reserved, root));
    return divideDecimals(numerator, addDecimals(ONE, root));
  }
  const factor = multiplyDecimals(root, subtractDecimals(ONE, fee));
  const available = subtractDecimals(subtractDecimals(HUNDRED, percent(locked)), percent(leftover));
  return divideDecimals(multiplyDecimals(factor, available), addDecimals(ONE, factor));
}

/**
 * Builds the parameters of a config whose curve raises a number of quote tokens and migrates a part of the supply with them.
 *
 * Returns parameters that the program accepts, or why there are none.
 */
export function buildDbcCurve(terms: DbcLaunchTerms, raise: DbcRaise): DbcBuilt {
  const built = buildOnce(terms, raise);
  if (built.ok || built.error.code !== 'InvalidTokenSupply') return built;
  // The program rounds the migrated quote tokens up, and may so need some atoms more than there are. It rounds nothing if the
  // threshold can be divided.
  const { quoteDecimals } = terms.token;
  const threshold = toAtoms(raise.quoteThreshold, quoteDecimals);
  const divisible = threshold - (threshold % 100n);
  if (divisible === threshold || divisible === 0n) return built;
  return buildOnce(terms, { ...raise, quoteThreshold: toDecimal(divisible, -quoteDecimals) });
}

function buildOnce(terms: DbcLaunchTerms, raise: DbcRaise): DbcBuilt {
  const prices = computePrices(terms, raise);
  if (!prices.ok) return prices;
  const parameters = assemble(terms, prices);
  const checked = checkDbcParameters(parameters);
  return checked.ok ? { ok: true, parameters } : checked;
}

interface CurvePrices {
  readonly ok: true;
  readonly threshold: bigint;
  readonly sqrtStartPrice: bigint;
  readonly curve: readonly DbcCurvePoint[];
}

function computePrices(
  terms: DbcLaunchTerms,
  raise: DbcRaise,
): CurvePrices | (DbcBuilt & { readonly ok: false }) {
  const { totalSupply, leftover, baseDecimals, quoteDecimals } = terms.token;
  if (totalSupply <= 0n || totalSupply > U64_MAX)
    return fail('InvalidTokenSupply', 'the supply is out of range');
  const { feePercentage } = terms.migration.fee;
  if (feePercentage < 0 || feePercentage > 99) {
    return fail('InvalidMigratorFeePercentage', 'a migration fee is at most 99 %');
  }
  const quoteAmount = withoutFee(raise.quoteThreshold, terms.migration);
  const baseAmount = divideDecimals(
    multiplyDecimals(toDecimal(totalSupply, -baseDecimals), raise.migrationSupplyPercent),
    HUNDRED,
  );
  const threshold = toAtoms(raise.quoteThreshold, quoteDecimals);
  if (threshold <= 0n || threshold > U64_MAX)
    return fail('InvalidQuoteThreshold', 'the threshold is out of range');
  if (baseAmount.digits <= 0n) return fail('InvalidTokenSupply', 'no tokens are left for the migration');
  const end = toSqrtPrice(divideDecimals(quoteAmount, baseAmount), baseDecimals - quoteDecimals);
  if (end <= MIN_DBC_SQRT_PRICE || end >= MAX_DBC_SQRT_PRICE) {
    return fail('InvalidCurve', `the price of the migration, ${end}, is out of range`);
  }
  const migrationBase = computeMigrationBase(toAtoms(quoteAmount, quoteDecimals), end);
  const locked = computeLockedTotal(toDbcLockedVesting(terms.lockedTokens, baseDecimals));
  const sold = totalSupply - migrationBase - locked - leftover;
  if (sold <= 0n) return fail('InvalidTokenSupply', 'no tokens are left for the curve');
  const sqrtStartPrice = roundDecimalDown(
    divideDecimals(
      multiplyDecimals(toDecimal(end), toDecimal(migrationBase)),
      withoutFee(toDecimal(sold), terms.migration),
    ),
  );
  if (sqrtStartPrice >= end || sqrtStartPrice < MIN_DBC_SQRT_PRICE) {
    return fail('InvalidCurve', 'a curve must start at a lower price than it ends at');
  }
  const liquidity = minimum(
    computeLiquidityOfBase(sold, sqrtStartPrice, end),
    computeLiquidityOfQuote(threshold, sqrtStartPrice, end),
  );
  const first = { sqrtPrice: end, liquidity };
  const needed = computeNeeded(terms.migration, { sqrtStartPrice, curve: [first] }, threshold);
  if (needed === null)
    return fail('NotEnoughLiquidity', 'the curve cannot raise its threshold at such a price');
  const rest = totalSupply - needed - locked - leftover;
  if (rest < 0n) return fail('InvalidTokenSupply', `the curve needs ${-rest} atoms more than the supply`);
  const last = computeLiquidityOfBase(rest, end, MAX_DBC_SQRT_PRICE);
  const curve = last === 0n ? [first] : [first, { sqrtPrice: MAX_DBC_SQRT_PRICE, liquidity: last }];
  return { ok: true, threshold, sqrtStartPrice, curve };
}

/** The tokens that the curve needs with its buffer and for the migration; null if it cannot raise the threshold. */
function computeNeeded(migration: DbcMigrationPlan, range: DbcPriceRange, threshold: bigint): bigint | null {
  const end = findMigrationPrice(range, threshold);
  if (end === null) return null;
  const quoteAmount = roundDecimalDown(withoutFee(toDecimal(threshold), migration));
  return addSwapBuffer(range, computeSwapBase(range, end)) + computeMigrationBase(quoteAmount, end);
}

function assemble(terms: DbcLaunchTerms, prices: CurvePrices): DbcConfigParameters {
  const { token, fee, migration, liquidity } = terms;
  const pool = migration.feeOption === DbcMigrationFeeOption.CUSTOMIZABLE ? migration.pool : null;
  const migrated = toMigratedBaseFee(pool?.poolFeeBps ?? 0, pool?.marketCapFee ?? null);
  return {
    poolFees: { baseFee: toDbcBaseFee(fee.base), dynamicFee: toDbcDynamicFee(fee) },
    collectFeeMode: fee.collectFeeMode,
    migrationOption: DbcMigrationOption.DAMM_V2,
    activationType: terms.activationType,
    tokenType: token.tokenType,
    tokenDecimal: token.baseDecimals,
    partnerLiquidityPercentage: liquidity.partnerPercentage,
    partnerPermanentLockedLiquidityPercentage: liquidity.partnerPermanentLockedPercentage,
    creatorLiquidityPercentage: liquidity.creatorPercentage,
    creatorPermanentLockedLiquidityPercentage: liquidity.creatorPermanentLockedPercentage,
    migrationQuoteThreshold: prices.threshold,
    sqrtStartPrice: prices.sqrtStartPrice,
    lockedVesting: toDbcLockedVesting(terms.lockedTokens, token.baseDecimals),
    migrationFeeOption: migration.feeOption,
    tokenSupply: {
      preMigrationTokenSupply: token.totalSupply,
      postMigrationTokenSupply: token.totalSupply,
    },
    creatorTradingFeePercentage: fee.creatorTradingFeePercentage,
    tokenUpdateAuthority: token.updateAuthority,
    migrationFee: migration.fee,
    migratedPoolFee: {
      collectFeeMode: pool?.collectFeeMode ?? 0,
      dynamicFee: pool?.dynamicFee ?? 0,
      poolFeeBps: pool?.poolFeeBps ?? 0,
    },
    poolCreationFee: fee.poolCreationFee,
    partnerLiquidityVestingInfo: toDbcLiquidityVesting(liquidity.partnerVesting),
    creatorLiquidityVestingInfo: toDbcLiquidityVesting(liquidity.creatorVesting),
    migratedPoolBaseFeeMode: migrated.mode,
    migratedPoolMarketCapFeeSchedulerParams: migrated.scheduler,
    enableFirstSwapWithMinFee: fee.isFirstSwapDiscounted,
    compoundingFeeBps: pool?.compoundingFeeBps ?? 0,
    curve: prices.curve,
  };
}

/** The Q64.64 root of a price in whole tokens, for atoms. */
function toSqrtPrice(price: RoundedDecimal, decimalsMore: number): bigint {
  const ofAtoms = divideDecimals(price, toDecimal(1n, decimalsMore));
  return roundDecimalDown(multiplyDecimals(takeDecimalRoot(ofAtoms), Q64));
}

function withoutFee(amount: RoundedDecimal, migration: DbcMigrationPlan): RoundedDecimal {
  return divideDecimals(
    multiplyDecimals(amount, subtractDecimals(HUNDRED, getFeePercent(migration))),
    HUNDRED,
  );
}

function getFeePercent({ fee }: DbcMigrationPlan): RoundedDecimal {
  return toDecimal(BigInt(fee.feePercentage));
}

function toAtoms(amount: RoundedDecimal, decimals: number): bigint {
  return roundDecimalDown(multiplyDecimals(amount, toDecimal(1n, decimals)));
}

function fail(code: string, message: string): DbcBuilt & { readonly ok: false } {
  return { ok: false, error: { code, message } };
}
