import type { Market } from '../pools.ts';
import { type Flow, LAST_PIECE } from './flow.ts';
import { type Planned, type PlanRequest, planRoute } from './plan.ts';

/** How often pools that were sent more than they take give up as much as half of the last piece. */
const EASINGS = 6;

/**
 * Plans a split whose pools may have been sent a little more than they take, because the last of the pieces that it was
 * handed out in went beyond their bound: they keep what they take, where they would otherwise not be used at all.
 */
export function planEased(flow: Flow, request: PlanRequest): Planned {
  let planned = planRoute(flow, request);
  let eased: Flow | null = flow;
  const full = new Set<Market>();
  for (let times = 0; times < EASINGS && planned.refused != null; times++) {
    full.add(planned.refused);
    eased = withLess(eased, planned.refused, LAST_PIECE / 2, full);
    if (eased === null) break;
    planned = planRoute(eased, request);
  }
  return planned;
}

/** The share of its mint goes from the pool to the largest beside it that is not full; null where that cannot be. */
function withLess(flow: Flow, market: Market, share: number, full: ReadonlySet<Market>): Flow | null {
  const from = flow.find((each) => each.market === market);
  const beside = flow.filter((each) => each.inputMint === from?.inputMint);
  const total = beside.reduce((sum, { amount }) => sum + amount, 0);
  const others = beside
    .filter((each) => !full.has(each.market))
    .sort((one, other) => other.amount - one.amount);
  const [to] = others;
  const moved = total * share;
  if (from === undefined || to === undefined || from.amount <= moved) return null;
  return flow.map((each) => {
    if (each === from) return { ...each, amount: each.amount - moved };
    return each === to ? { ...each, amount: each.amount + moved } : each;
  });
}
