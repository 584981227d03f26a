import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { getTransferFeeAt } from '../../solana/programs/token/transfer-fee.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { PoolState, Quote } from '../../protocol/venue/venue.ts';
import type { Leg, PlannedLeg, Route } from './plan.ts';

const WHOLE = 10_000n;

/** What is demanded of an index, and how much of it the steps looked at so far deliver. */
interface IndexDemand {
  amount: bigint;
  assigned: bigint;
  shares: bigint;
}

/**
 * Computes what the aggregator does with the steps in its instructions for an exact output, with the program's own
 * arithmetic. A leg's `bps` is there a share of what is demanded of its output index: it delivers the share rounded down,
 * and the leg with which the shares reach the whole delivers the rest. Amounts are worked out from the last leg to the
 * first.
 *
 * The program works out what a step takes without the mints' transfer fees. A step that another one feeds would take more
 * than it is fed, so that only steps from the source may move tokens with a fee.
 *
 * @param amount - Atoms that the last index, which is the output, shall receive.
 * @returns the route with the exact amount as its output; null if a pool cannot deliver its share
 */
export function runDelivery(steps: readonly PlannedLeg[], amount: bigint, clock: ChainClock): Route | null {
  const last = steps.reduce((most, { outputIndex }) => Math.max(most, outputIndex), 0);
  const demands: IndexDemand[] = Array.from({ length: last + 1 }, () => ({
    amount: 0n,
    assigned: 0n,
    shares: 0n,
  }));
  (demands[last] as IndexDemand).amount = amount;
  const legs: Leg[] = [];
  for (const step of steps.toReversed()) {
    const wanted = share(demands[step.outputIndex] as IndexDemand, BigInt(step.bps));
    const leg = wanted === null ? null : deliver(step, wanted, clock);
    const source = demands[step.inputIndex];
    if (leg === null || source === undefined || source.shares !== 0n) return null;
    source.amount += leg.quote.inAmount;
    legs.unshift(leg);
  }
  const isWhole = demands.every(({ shares }, index) => index === 0 || shares === WHOLE);
  return isWhole ? { legs, inAmount: (demands[0] as IndexDemand).amount, outAmount: amount } : null;
}

function share(demand: IndexDemand, bps: bigint): bigint | null {
  if (demand.shares + bps > WHOLE) return null;
  demand.shares += bps;
  const rest = demand.amount - demand.assigned;
  const amount = demand.shares === WHOLE ? rest : (demand.amount * bps) / WHOLE;
  demand.assigned += amount;
  return amount;
}

function deliver(step: PlannedLeg, amount: bigint, clock: ChainClock): Leg | null {
  const { handle, inputMint, outputMint, bps, inputIndex, outputIndex } = step;
  const seen = findExactOutPool(handle, inputMint);
  if (seen === null || (inputIndex !== 0 && isChargedNow(seen.pool, clock))) return null;
  const quote = quoteDelivery(seen, inputMint, amount, clock);
  return quote === null ? null : { handle: seen, inputMint, outputMint, bps, inputIndex, outputIndex, quote };
}

/** Returns the pool as the aggregator's program sees it, or null if the program delivers no exact output over it. */
export function findExactOutPool(handle: PoolHandle, inputMint: Address): PoolHandle | null {
  const { venue, pool } = handle;
  const seen = venue.forExactOut?.(pool, inputMint) ?? null;
  if (seen === null || seen === pool) return seen === null ? null : handle;
  return { venue, pool: seen };
}

/** Returns null if the pool does not pay exactly that much. */
export function quoteDelivery(
  { venue, pool }: PoolHandle,
  inputMint: Address,
  amount: bigint,
  clock: ChainClock,
): Quote | null {
  const quote = venue.quoteExactOut(pool, inputMint, amount, clock);
  return quote === null || quote.outAmount !== amount || quote.inAmount <= 0n ? null : quote;
}

/** Whether a transfer of either token costs a fee now. */
export function isChargedNow({ transferFees = [null, null] }: PoolState, { epoch }: ChainClock): boolean {
  return transferFees.some((config) => config !== null && getTransferFeeAt(config, epoch).basisPoints > 0);
}
