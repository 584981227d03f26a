import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import {
  computeAmountBeforeTransferFee,
  type TransferFeeConfig,
  computeTransferFee,
  getTransferFeeAt,
} from '../../solana/programs/token/transfer-fee.ts';
import { U64_MAX, divideUp } from '../../solana/units.ts';
import type { Quote } from '../../protocol/venue/venue.ts';
import { toInputAndOutput, computeDammInput, computeDammOutput } from './program/curve.ts';
import { feeRate } from './fees.ts';
import { getCurrentPoint } from './program/activation.ts';
import { CollectFeeMode } from './program/layout.ts';
import type { MeteoraDammV2Pool } from './pool.ts';
import { FEE_DENOMINATOR } from './program/program.ts';

/** A swap that the program would consider: its direction, its fee in billionths, and where the fee is taken. */
interface DammOrder {
  readonly aToB: boolean;
  readonly rate: bigint;
  readonly feeOnInput: boolean;
}

/**
 * Quotes `swap` for `amount`.
 *
 * Returns null if the program would refuse or pay nothing, and while a rate limiter is active.
 */
export function quoteExactIn(
  pool: MeteoraDammV2Pool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const order = createDammOrder(pool, inputMint, amount, clock);
  if (order === null) return null;
  const { aToB, rate, feeOnInput } = order;
  const [feesIn, feesOut] = toInputAndOutput(pool.transferFees, aToB);
  const arrived = afterFee(feesIn, amount, clock.epoch);
  if (arrived <= 0n) return null;
  const inputFee = feeOnInput ? divideUp(arrived * rate, FEE_DENOMINATOR) : 0n;
  const traded = arrived - inputFee;
  const gross = computeDammOutput(pool, traded, aToB);
  if (gross === null || !isKept(pool, traded, gross, aToB)) return null;
  const outputFee = feeOnInput ? 0n : divideUp(gross * rate, FEE_DENOMINATOR);
  const received = afterFee(feesOut, gross - outputFee, clock.epoch);
  if (received <= 0n) return null;
  return createDammQuote(pool, order, {
    inAmount: amount,
    outAmount: received,
    feeAmount: inputFee + outputFee,
  });
}

/**
 * Quotes the input that `swap2` takes to deliver `amount`.
 *
 * Returns null if the program would refuse, and while a rate limiter is active.
 */
export function quoteExactOut(
  pool: MeteoraDammV2Pool,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const order = createDammOrder(pool, inputMint, amount, clock);
  if (order === null) return null;
  const { aToB, rate, feeOnInput } = order;
  const [feesIn, feesOut] = toInputAndOutput(pool.transferFees, aToB);
  const paid = beforeFee(feesOut, amount, clock.epoch);
  if (paid === null) return null;
  const outputFee = feeOnInput ? 0n : feeOnTop(paid, rate);
  const gross = paid + outputFee;
  const traded = gross > U64_MAX ? null : computeDammInput(pool, gross, aToB);
  if (traded === null || !isKept(pool, traded, gross, aToB)) return null;
  const inputFee = feeOnInput ? feeOnTop(traded, rate) : 0n;
  if (traded + inputFee > U64_MAX) return null;
  const sent = beforeFee(feesIn, traded + inputFee, clock.epoch);
  if (sent === null) return null;
  return createDammQuote(pool, order, { inAmount: sent, outAmount: amount, feeAmount: inputFee + outputFee });
}

/**
 * Returns null for a mint that is not the pool's, an amount out of range, a pool that is not open yet, or an unknown
 * fee.
 */
function createDammOrder(
  pool: MeteoraDammV2Pool,
  mint: Address,
  amount: bigint,
  clock: ChainClock,
): DammOrder | null {
  const point = getCurrentPoint(pool.activationType, clock);
  if (amount <= 0n || amount > U64_MAX || point < pool.activationPoint) return null;
  if (clock.unixTimestamp < pool.comparableFrom) return null;
  if (mint !== pool.mints[0] && mint !== pool.mints[1]) return null;
  const aToB = mint === pool.mints[0];
  const rate = feeRate(pool, point, aToB);
  if (rate === null) return null;
  return { aToB, rate, feeOnInput: !aToB && pool.collectFeeMode !== CollectFeeMode.OUTPUT };
}

/** Whether the stored reserves can take in the one amount and pay out the other. */
function isKept({ amounts }: MeteoraDammV2Pool, traded: bigint, gross: bigint, aToB: boolean): boolean {
  const [reserveIn, reserveOut] = toInputAndOutput(amounts, aToB);
  return reserveIn + traded <= U64_MAX && gross <= reserveOut;
}

function createDammQuote(pool: MeteoraDammV2Pool, order: DammOrder, amounts: Omit<Quote, 'feeMint'>): Quote {
  // The fee is taken in token B, except on purchases of token A in pools where each output pays its own fee.
  const side = order.aToB || order.feeOnInput ? 1 : 0;
  return { ...amounts, feeMint: pool.mints[side] };
}

/** Returns what has to be added for `net` to remain. */
function feeOnTop(net: bigint, rate: bigint): bigint {
  return divideUp(net * FEE_DENOMINATOR, FEE_DENOMINATOR - rate) - net;
}

function afterFee(config: TransferFeeConfig | null, amount: bigint, epoch: bigint): bigint {
  return config === null ? amount : amount - computeTransferFee(getTransferFeeAt(config, epoch), amount);
}

/**
 * Returns the amount to send for `received` to arrive; null if the two roundings of the fee disagree, in which case the
 * program refuses.
 */
function beforeFee(config: TransferFeeConfig | null, received: bigint, epoch: bigint): bigint | null {
  if (config === null || received === 0n) return received;
  const fee = getTransferFeeAt(config, epoch);
  const enough = computeAmountBeforeTransferFee(fee, received);
  if (enough === null) return null;
  const withheld = computeTransferFee(fee, enough);
  const sent = received + withheld;
  return sent > U64_MAX || computeTransferFee(fee, sent) !== withheld ? null : sent;
}
