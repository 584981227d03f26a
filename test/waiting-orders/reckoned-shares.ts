import { RATE_ONE } from '../../src/waiting-orders/earning/earn-program.ts';
import { getEarnMint } from '../../src/waiting-orders/earning/earn-mint.ts';
import type { WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';

/** What an atom of the shares was worth when a campaign began and when it ended, with 12 decimals. It never fell. */
export interface ShareRates {
  readonly first: bigint;
  readonly last: bigint;
}

/** The rates of a campaign in which nothing is lent out. */
export const NO_SHARES: ShareRates = { first: RATE_ONE, last: RATE_ONE };

/** Atoms that the rounding of one deposit or round costs at most. */
const ROUNDING = 2n;

/** Whether what was moved is so many atoms of the input: exactly, or in shares that were worth them at some time. */
export function isWorth(
  { plan }: Pick<WaitingOrder, 'plan'>,
  moved: bigint,
  atoms: bigint,
  { first, last }: ShareRates,
): boolean {
  if (getEarnMint(plan) === null) return moved === atoms;
  return toAtoms(moved, first) <= atoms + ROUNDING && toAtoms(moved, last) + ROUNDING >= atoms;
}

/** Whether an account holds what remains of its order by the store. Strangers may have sent more, and shares may have earned more. */
export function holdsRest(
  { plan, inputAmount }: Pick<WaitingOrder, 'plan' | 'inputAmount'>,
  { balance, given }: { readonly balance: bigint; readonly given: bigint },
  remaining: bigint,
  { first, last }: ShareRates,
): boolean {
  if (getEarnMint(plan) === null) return balance >= remaining && balance <= remaining + given;
  const rounding = plan.kind === 'time_based' || plan.kind === 'price_conditional' ? plan.rounds + 1 : 1;
  const tolerated = ROUNDING * BigInt(rounding);
  // Rounds sell the fewer shares the later they are filled.
  const most = inputAmount - ((inputAmount - remaining) * first) / last;
  return toAtoms(balance, last) + tolerated >= remaining && toAtoms(balance, first) <= most + tolerated;
}

function toAtoms(shares: bigint, rate: bigint): bigint {
  return (shares * rate) / RATE_ONE;
}
