import { divideUp, minimum } from '../../solana/units.ts';
import type { LimitOrder } from './layout.ts';

const BPS = 10_000n;

/** The fields of an order that say what a part of it costs. */
export type PricedOrder = Pick<LimitOrder, 'making' | 'taking' | 'originalTaking' | 'feeBps' | 'slippageBps'>;

/** What a taker pays for a part of an order, in atoms of the output. */
export interface FillPayment {
  /** What the part costs at the order's price. The order asks for that much less afterwards. */
  readonly owed: bigint;
  /** What the taker pays, with the fee. It is less than `owed` only within the order's slippage. */
  readonly paid: bigint;
  /** The part of it that is the fee. The maker gets the rest. */
  readonly fee: bigint;
}

/**
 * Computes what a taker pays for a part of an order, as the program does. Amounts are rounded up, and the sum of an order's
 * fees is rounded up once, so that the maker gets as much from many parts as from one. Of every payment, at least one atom is
 * the maker's.
 *
 * @param making - Atoms of the input that the taker gets.
 * @param maximum - The most that the taker pays, in atoms of the output.
 * @returns Null if the order does not allow that part, or the maker does not accept that little.
 */
export function computeFillPayment(order: PricedOrder, making: bigint, maximum: bigint): FillPayment | null {
  if (making <= 0n || making > order.making) return null;
  const isRest = making === order.making;
  const owed = isRest ? order.taking : divideUp(making * order.taking, order.making);
  // A part for which all would be paid would leave a rest for nothing.
  if (!isRest && owed >= order.taking) return null;
  const paid = minimum(owed, maximum);
  if (paid < divideUp(owed * (BPS - BigInt(order.slippageBps)), BPS)) return null;
  return { owed, paid, fee: computeFillFee(order, { owed, paid }) };
}

/**
 * Computes the part of a payment that is the fee.
 *
 * @param order - As it was before the fill.
 */
export function computeFillFee(
  order: Pick<PricedOrder, 'taking' | 'originalTaking' | 'feeBps'>,
  { owed, paid }: Omit<FillPayment, 'fee'>,
): bigint {
  const feeOf = (amount: bigint) => divideUp(amount * BigInt(order.feeBps), BPS);
  const before = order.originalTaking - order.taking;
  const due = minimum(feeOf(before + owed) - feeOf(before), feeOf(paid));
  return minimum(due, paid - 1n);
}
