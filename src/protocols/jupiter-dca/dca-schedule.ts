import { divideUp, maximum, minimum } from '../../solana/units.ts';
import type { DcaOrder } from './dca-order.ts';

// The arithmetic of the program, for orders that it has opened: `programs/dca/src/schedule.rs`.

/** The fee in hundredths of a percent of what a swap pays. */
export const DCA_FEE_BPS = 10n;
/** The least number of seconds between two cycles. */
export const DCA_MIN_FREQUENCY = 30n;

/** Returns how much of the input was neither used nor withdrawn, in atoms. */
export function computeDcaInputLeft(order: Pick<DcaOrder, 'inDeposited' | 'inWithdrawn' | 'inUsed'>): bigint {
  return order.inDeposited - order.inWithdrawn - order.inUsed;
}

/**
 * Returns what the next cycle trades, in atoms: `inAmountPerCycle`, or what is left if that is less. The last whole cycle
 * takes along what dividing an amount into n cycles leaves over, which is fewer than n atoms.
 */
export function computeDcaCycle(order: DcaOrder): bigint {
  const left = computeDcaInputLeft(order);
  const cycle = order.inAmountPerCycle;
  if (cycle === 0n || left <= cycle) return left;
  const rest = left - cycle;
  return rest < minimum(cycle, (order.inDeposited - order.inWithdrawn) / cycle) ? left : cycle;
}

/** Returns the fee on what a swap paid, in atoms, rounded up. */
export function computeDcaFee(paid: bigint): bigint {
  return divideUp(paid * DCA_FEE_BPS, 10_000n);
}

/** What a cycle may bring to its user, without the fee, in atoms. `most` is null where there is no bound. */
export interface DcaBounds {
  readonly least: bigint;
  readonly most: bigint | null;
}

/** Returns the bounds of a cycle of `amount` atoms, which are in proportion to those of a whole cycle. */
export function computeDcaBounds(order: DcaOrder, amount: bigint): DcaBounds {
  const scale = (bound: bigint) => divideUp(bound * amount, order.inAmountPerCycle);
  return {
    // A cycle that brings nothing is refused.
    least: maximum(scale(order.minOutAmount), 1n),
    most: order.maxOutAmount === 0n ? null : scale(order.maxOutAmount),
  };
}

/** The last second that an order can name. */
const LAST_SECOND = (1n << 63n) - 1n;

/** Returns the Unix second from which the next cycle may be filled, after one that was filled at `now`. */
export function computeDcaDueAfter(
  order: Pick<DcaOrder, 'nextCycleAt' | 'cycleFrequency'>,
  now: bigint,
): bigint {
  const wait = order.cycleFrequency - ((now - order.nextCycleAt) % order.cycleFrequency);
  return minimum(now + wait, LAST_SECOND);
}
