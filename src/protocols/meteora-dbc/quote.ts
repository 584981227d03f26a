import type { ChainClock } from '../../chain/chain.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { divideUp, U64_MAX } from '../../solana/units.ts';
import { getCurrentPoint } from '../meteora-damm-v2/fees.ts';
import {
  computeBaseForExactQuote,
  computeBaseForQuote,
  computeQuoteForBase,
  computeQuoteForExactBase,
} from './curve.ts';
import { computeDbcFeeRate, computeFirstSwapRate } from './fees.ts';
import type { MeteoraDbcPool } from './pool.ts';
import { DBC_FEE_DENOMINATOR, DbcCollectFeeMode } from './program/program.ts';

/** A swap that the program would consider: its direction, where its fee is taken, and its fee. */
interface DbcOrder {
  readonly isPurchase: boolean;
  readonly feeOnInput: boolean;
  /** Returns the fee in billionths on an amount with it, or on one without it; null if the program refuses. */
  rate(amount: bigint, isWithoutFee: boolean): bigint | null;
}

/** Quotes `swap` for `amount`. Returns null if the program would refuse or pay nothing. */
export function quoteExactIn(
  pool: MeteoraDbcPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const order = createDbcOrder(pool, inputMint, amount, clock);
  return order === null ? null : quoteInput(pool, order, amount);
}

/**
 * Quotes the first purchase of a pool in the transaction that creates it, under a configuration that discounts it. Such a swap is
 * called directly: within a route it is charged like any other.
 */
export function quoteFirstPurchase(pool: MeteoraDbcPool, amount: bigint, clock: ChainClock): Quote | null {
  const order = createDbcOrder(pool, pool.mints[1], amount, clock);
  if (order === null) return null;
  if (!pool.terms.isFirstSwapDiscounted) return quoteInput(pool, order, amount);
  return quoteInput(pool, { ...order, rate: () => computeFirstSwapRate(pool) }, amount);
}

/** Quotes the input that `swap2` takes to deliver `amount`. Returns null if the program would refuse. */
export function quoteExactOut(
  pool: MeteoraDbcPool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const order = createDbcOrder(pool, inputMint, amount, clock);
  if (order === null) return null;
  const { isPurchase, feeOnInput } = order;
  const gross = feeOnInput ? amount : addFee(order, amount);
  if (gross === null) return null;
  const walk = isPurchase ? computeQuoteForExactBase : computeBaseForExactQuote;
  const traded = walk(pool.terms, pool.sqrtPrice, gross);
  if (traded === null || !isKept(pool, isPurchase, traded, gross)) return null;
  const sent = feeOnInput ? addFee(order, traded) : traded;
  if (sent === null) return null;
  return createDbcQuote(pool, order, {
    inAmount: sent,
    outAmount: amount,
    feeAmount: sent - traded + (gross - amount),
  });
}

/** Returns null for a mint that is not the pool's, an amount out of range, or a pool that the program cannot trade yet. */
function createDbcOrder(
  pool: MeteoraDbcPool,
  mint: Address,
  amount: bigint,
  clock: ChainClock,
): DbcOrder | null {
  if (amount <= 0n || amount > U64_MAX || clock.unixTimestamp < pool.comparableFrom) return null;
  const isPurchase = mint === pool.mints[1];
  if (!isPurchase && mint !== pool.mints[0]) return null;
  const point = getCurrentPoint(pool.terms.activationType, clock);
  return {
    isPurchase,
    feeOnInput: isPurchase && pool.terms.collectFeeMode === DbcCollectFeeMode.QUOTE_TOKEN,
    rate: (charged, isWithoutFee) =>
      computeDbcFeeRate(pool, { isPurchase, amount: charged, isWithoutFee, point }),
  };
}

function quoteInput(pool: MeteoraDbcPool, order: DbcOrder, amount: bigint): Quote | null {
  const { isPurchase, feeOnInput } = order;
  const rate = order.rate(amount, false);
  if (rate === null) return null;
  const inputFee = feeOnInput ? divideUp(amount * rate, DBC_FEE_DENOMINATOR) : 0n;
  const traded = amount - inputFee;
  const walk = isPurchase ? computeBaseForQuote : computeQuoteForBase;
  const gross = walk(pool.terms, pool.sqrtPrice, traded);
  if (gross === null || !isKept(pool, isPurchase, traded, gross)) return null;
  const outputFee = feeOnInput ? 0n : divideUp(gross * rate, DBC_FEE_DENOMINATOR);
  if (gross <= outputFee) return null;
  return createDbcQuote(pool, order, {
    inAmount: amount,
    outAmount: gross - outputFee,
    feeAmount: inputFee + outputFee,
  });
}

/** Returns the amount with the fee added; null if the program refuses. */
function addFee(order: DbcOrder, amount: bigint): bigint | null {
  const rate = order.rate(amount, true);
  if (rate === null) return null;
  const total = divideUp(amount * DBC_FEE_DENOMINATOR, DBC_FEE_DENOMINATOR - rate);
  return total > U64_MAX ? null : total;
}

/**
 * Whether the reserves can take in the one amount and pay out the other. The purchase that completes the curve must leave the base
 * tokens that the migration needs; what somebody gave to the vault is not counted here.
 */
function isKept(
  { reserves: [base, quote], terms }: MeteoraDbcPool,
  isPurchase: boolean,
  traded: bigint,
  gross: bigint,
): boolean {
  if (!isPurchase) return base + traded <= U64_MAX && gross <= quote;
  const left = base - gross;
  if (left < 0n || quote + traded > U64_MAX) return false;
  return quote + traded < terms.quoteThreshold || left >= terms.baseNeeded;
}

function createDbcQuote(pool: MeteoraDbcPool, order: DbcOrder, amounts: Omit<Quote, 'feeMint'>): Quote {
  const isInBase = order.isPurchase && !order.feeOnInput;
  return { ...amounts, feeMint: pool.mints[isInBase ? 0 : 1] };
}
