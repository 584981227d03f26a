import type { ChainClock } from '../../chain/chain.ts';
import type { PoolReserves, PoolState, Quote, Venue } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import type { TradedAmount } from '../trades/trade.ts';

/** What the states of a pool before and after a change tell of a trade. */
export interface PoolTradeAmounts {
  readonly paid: TradedAmount;
  readonly received: TradedAmount;
}

/**
 * How much less a change may pay than one swap of the same amount, in thousandths. Several swaps between two looks at a pool
 * are one net trade, which pays their fees too.
 */
const MAX_SHORTFALL = 5n;

type Quoting = Pick<Venue, 'reserves' | 'quoteExactIn' | 'quoteExactOut'>;

/**
 * Computes the trade by which a pool came from one state to another. One side of the pool must have grown and the other one
 * shrunk, by no more than the venue's program pays for what came in, and by hardly less. So deposits and withdrawals of
 * liquidity, donations and collected fees are no trades, nor is a swap that was traded back.
 *
 * Returns null if the change was no trade, or could be something else as well.
 */
export function findTradeBetween(
  venue: Quoting,
  before: PoolState,
  after: PoolState,
  clock: ChainClock,
): PoolTradeAmounts | null {
  const [first, last] = [venue.reserves?.(before) ?? null, venue.reserves?.(after) ?? null];
  if (first === null || last === null || first.shares !== last.shares) return null;
  const changes = [last.amounts[0] - first.amounts[0], last.amounts[1] - first.amounts[1]] as const;
  const input = changes[0] > 0n && changes[1] < 0n ? 0 : changes[1] > 0n && changes[0] < 0n ? 1 : null;
  if (input === null) return null;
  const output = input === 0 ? 1 : 0;
  const [paidMint, receivedMint] = [before.mints[input], before.mints[output]];
  const [grown, shrunk] = [changes[input], -changes[output]];
  const { feesLeave } = first;
  const change: PoolSideChange = { paidMint, receivedMint, grown, shrunk, feesLeave };
  const swap =
    computeQuotedSwap(venue.quoteExactIn(before, paidMint, grown, clock), change) ??
    // The fee may have been taken out of the input, so more was paid than is left of it.
    (feesLeave ? computeQuotedSwap(venue.quoteExactOut(before, paidMint, shrunk, clock), change) : null);
  if (swap === null) return null;
  return {
    paid: { mint: paidMint, amount: swap.paid },
    received: { mint: receivedMint, amount: swap.received },
  };
}

interface PoolSideChange {
  readonly paidMint: Address;
  readonly receivedMint: Address;
  /** What the side of the input has more of. */
  readonly grown: bigint;
  /** What the other side has less of. */
  readonly shrunk: bigint;
  /** Whether the fee, or a part of it, may be missing on its side. */
  readonly feesLeave: boolean;
}

/** Returns what was paid and received if the change was a swap as quoted, or paid hardly less; otherwise null. */
function computeQuotedSwap(
  quote: Quote | null,
  { paidMint, receivedMint, grown, shrunk, feesLeave }: PoolSideChange,
): { readonly paid: bigint; readonly received: bigint } | null {
  if (quote === null) return null;
  const { inAmount, outAmount, feeAmount, feeMint } = quote;
  const getMissingFee = (mint: Address) => (feesLeave && feeMint === mint ? feeAmount : 0n);
  if (grown > inAmount || grown + getMissingFee(paidMint) < inAmount) return null;
  if (shrunk > outAmount + getMissingFee(receivedMint)) return null;
  const received = shrunk < outAmount ? shrunk : outAmount;
  if ((outAmount - received) * 1_000n > outAmount * MAX_SHORTFALL) return null;
  return { paid: inAmount, received };
}

/** Whether only one side of a pool has changed: the account of the other one may still be to come. */
export function isHalfChange(first: PoolReserves | null, last: PoolReserves | null): boolean {
  if (first === null || last === null) return false;
  const changed = [0, 1].filter((side) => first.amounts[side] !== last.amounts[side]);
  return changed.length === 1;
}
