import type { ChainClock } from '../../chain/chain.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { divideUp, U64_MAX } from '../../solana/units.ts';
import { getCurrentPoint } from '../meteora-damm-v2/program/activation.ts';
import {
  computeBaseForExactQuote,
  computeBaseForQuote,
  computeQuoteForBase,
  computeQuoteForExactBase,
  startPurchase,
  startSale,
} from './curve.ts';
import { addDynamicRate, computeDbcFeeRate, computeFirstSwapRate, isLimiting } from './fees.ts';
import type { DbcQuoteCache, MeteoraDbcPool } from './pool.ts';
import { DBC_FEE_DENOMINATOR, DbcCollectFeeMode } from './program/program.ts';
import { computeLimitedRate, computeLimitedRateWithoutFee } from './program/rate-limiter.ts';

/** Quotes `swap` for `amount`. Returns null if the program would refuse or pay nothing. */
export function quoteExactIn(
  pool: MeteoraDbcPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  if (!isTraded(pool, inputMint, amount, clock)) return null;
  const isPurchase = inputMint === pool.mints[1];
  const { isLimiting: isLimited, rate } = readRate(pool, clock);
  const charged = isPurchase && isLimited ? limitRate(pool, amount, computeLimitedRate) : rate;
  return charged === null ? null : quoteInput(pool, isPurchase, amount, charged);
}

/**
 * Quotes the first purchase of a pool in the transaction that creates it, under a configuration that discounts it. Such a swap is
 * called directly: within a route it is charged like any other.
 */
export function quoteFirstPurchase(pool: MeteoraDbcPool, amount: bigint, clock: ChainClock): Quote | null {
  const quoteMint = pool.mints[1];
  if (!pool.terms.isFirstSwapDiscounted) return quoteExactIn(pool, quoteMint, amount, clock);
  const rate = computeFirstSwapRate(pool);
  if (rate === null || !isTraded(pool, quoteMint, amount, clock)) return null;
  return quoteInput(pool, true, amount, rate);
}

/** Quotes the input that `swap2` takes to deliver `amount`. Returns null if the program would refuse. */
export function quoteExactOut(
  pool: MeteoraDbcPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  if (!isTraded(pool, inputMint, amount, clock)) return null;
  const isPurchase = inputMint === pool.mints[1];
  const feeOnInput = isFeeOnInput(pool, isPurchase);
  const { isLimiting: isLimited, rate } = readRate(pool, clock);
  const chargedRate = (charged: bigint) =>
    isPurchase && isLimited ? limitRate(pool, charged, computeLimitedRateWithoutFee) : rate;
  const gross = feeOnInput ? amount : addFee(amount, chargedRate(amount));
  if (gross === null) return null;
  const walk = isPurchase ? computeQuoteForExactBase : computeBaseForExactQuote;
  const traded = walk(pool.terms, pool.sqrtPrice, gross);
  if (traded === null || !isKept(pool, isPurchase, traded, gross)) return null;
  const sent = feeOnInput ? addFee(traded, chargedRate(traded)) : traded;
  if (sent === null) return null;
  const feeAmount = sent - traded + (gross - amount);
  return { inAmount: sent, outAmount: amount, feeAmount, feeMint: getFeeMint(pool, isPurchase) };
}

/** Whether the program considers a swap of the mint and the amount now. */
function isTraded(
  { mints, comparableFrom }: MeteoraDbcPool,
  mint: Address,
  amount: bigint,
  clock: ChainClock,
) {
  if (amount <= 0n || amount > U64_MAX || clock.unixTimestamp < comparableFrom) return false;
  return mint === mints[0] || mint === mints[1];
}

/** Returns the cache with the rate at the clock's time. */
function readRate(pool: MeteoraDbcPool, clock: ChainClock): DbcQuoteCache {
  const { shared, terms } = pool;
  const point = getCurrentPoint(terms.activationType, clock);
  if (shared.point !== point) {
    shared.point = point;
    shared.rate = computeDbcFeeRate(pool, point);
    shared.isLimiting = isLimiting(pool, point);
  }
  return shared;
}

function limitRate(pool: MeteoraDbcPool, amount: bigint, compute: typeof computeLimitedRate): bigint | null {
  const { limiter } = pool.terms;
  const base = limiter === null ? null : compute(limiter, amount);
  return base === null ? null : addDynamicRate(pool, base);
}

function isFeeOnInput({ terms }: MeteoraDbcPool, isPurchase: boolean): boolean {
  return isPurchase && terms.collectFeeMode === DbcCollectFeeMode.QUOTE_TOKEN;
}

function getFeeMint(pool: MeteoraDbcPool, isPurchase: boolean): Address {
  return pool.mints[isPurchase && !isFeeOnInput(pool, isPurchase) ? 0 : 1];
}

function quoteInput(pool: MeteoraDbcPool, isPurchase: boolean, amount: bigint, rate: bigint): Quote | null {
  const feeOnInput = isFeeOnInput(pool, isPurchase);
  const inputFee = feeOnInput ? computeFee(amount, rate) : 0n;
  const traded = amount - inputFee;
  const gross = walkFrom(pool, isPurchase, traded);
  if (gross === null || !isKept(pool, isPurchase, traded, gross)) return null;
  const outputFee = feeOnInput ? 0n : computeFee(gross, rate);
  if (gross <= outputFee) return null;
  return {
    inAmount: amount,
    outAmount: gross - outputFee,
    feeAmount: feeOnInput ? inputFee : outputFee,
    feeMint: getFeeMint(pool, isPurchase),
  };
}

const BELOW_DENOMINATOR = DBC_FEE_DENOMINATOR - 1n;

/** The share of an amount that contains the fee, rounded up. */
function computeFee(amount: bigint, rate: bigint): bigint {
  return (amount * rate + BELOW_DENOMINATOR) / DBC_FEE_DENOMINATOR;
}

function walkFrom(
  { terms: { ranges }, sqrtPrice, shared }: MeteoraDbcPool,
  isPurchase: boolean,
  amount: bigint,
) {
  if (isPurchase) {
    shared.purchase ??= startPurchase(ranges, sqrtPrice);
    return computeBaseForQuote(ranges, sqrtPrice, shared.purchase, amount);
  }
  shared.sale ??= startSale(ranges, sqrtPrice);
  return computeQuoteForBase(ranges, sqrtPrice, shared.sale, amount);
}

/** Returns the amount with the fee added; null if the program refuses. */
function addFee(amount: bigint, rate: bigint | null): bigint | null {
  if (rate === null) return null;
  const total = divideUp(amount * DBC_FEE_DENOMINATOR, DBC_FEE_DENOMINATOR - rate);
  return total > U64_MAX ? null : total;
}

/**
 * Whether the reserves can take in the one amount and pay out the other. The purchase that completes the curve must leave the base
 * tokens that the migration needs; what somebody gave to the vault is not counted here.
 */
function isKept(
  { reserves, terms, room }: MeteoraDbcPool,
  isPurchase: boolean,
  traded: bigint,
  gross: bigint,
): boolean {
  const base = reserves[0];
  if (!isPurchase) return gross <= reserves[1] && traded <= room.base;
  if (gross > base) return false;
  return traded < room.toThreshold || (traded <= room.quote && base - gross >= terms.baseNeeded);
}
