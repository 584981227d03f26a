import type { ChainClock } from '../../chain/chain.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { SplitFlow } from './split-optimiser.ts';
import { type PlannedRoute, type PlanRequest, planRoute, quoteWhole, type RefusedShare } from './plan.ts';

/** How many times amounts that pools refuse are passed on to other pools. */
const EASINGS = 6;

/**
 * Plans a split in which pools may have been sent more than they accept, because estimates have no limits. Such a pool
 * keeps what it accepts, and the rest goes to the other pools of the hop.
 */
export function planWithinLimits(flow: SplitFlow, request: PlanRequest): PlannedRoute {
  let planned = planRoute(flow, request);
  let eased: SplitFlow | null = flow;
  const full = new Set<PoolHandle>();
  for (let times = 0; times < EASINGS && planned.refused != null; times++) {
    const { refused } = planned;
    full.add(refused.handle);
    eased = capPoolShare(eased, refused, shareTaken(refused, request.clock), full);
    if (eased === null) break;
    planned = planRoute(eased, request);
  }
  return planned;
}

/** The precision with which the accepted amount is searched, as a share of the amount sent. */
const PRECISION = 1 / 4_096;

/** Returns the share of the refused amount that the pool accepts, rounded down; 0 if it accepts nothing. */
function shareTaken({ handle, inputMint, amount, amountMayDiffer }: RefusedShare, clock: ChainClock): number {
  let [taken, refused] = [0, 1];
  while (refused - taken > PRECISION) {
    const middle = (taken + refused) / 2;
    const less = BigInt(Math.floor(Number(amount) * middle));
    if (quoteWhole(handle, inputMint, less, clock, amountMayDiffer) === null) refused = middle;
    else taken = middle;
  }
  return Math.max(0, taken - PRECISION);
}

/**
 * Leaves the pool that share and distributes the rest over the other pools of the hop that are not full, in proportion
 * to their amounts. Null if that is impossible.
 */
function capPoolShare(
  flow: SplitFlow,
  { handle, inputMint }: RefusedShare,
  share: number,
  full: ReadonlySet<PoolHandle>,
): SplitFlow | null {
  const from = flow.find((each) => each.handle === handle);
  const others = flow.filter((each) => each.inputMint === inputMint && !full.has(each.handle));
  const total = others.reduce((sum, { amount }) => sum + amount, 0);
  if (from === undefined || share === 0 || total === 0) return null;
  const grown = 1 + (from.amount * (1 - share)) / total;
  return flow.map((each) => {
    if (each === from) return { ...each, amount: each.amount * share };
    return others.includes(each) ? { ...each, amount: each.amount * grown } : each;
  });
}
