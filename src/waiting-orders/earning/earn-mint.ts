import type { Address } from '../../solana/address.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import { isRecurring, type OrderPlan } from '../order-plan.ts';
import type { EarnProgram } from './earn-program.ts';

/** Returns the mint of the shares that an order's account holds in place of its input; null if it holds the input. */
export function getEarnMint(plan: OrderPlan): Address | null {
  return isRecurring(plan) ? plan.earnMint : null;
}

/** Returns the mint of the shares that deposits of a mint can earn with; null for a mint that is no stablecoin, or is not lent. */
export function findEarnMint(earn: Pick<EarnProgram, 'find'>, inputMint: Address): Address | null {
  const isStable = findTokenByMint(inputMint)?.tags.includes('stablecoin') ?? false;
  return isStable ? (earn.find(inputMint)?.earnMint ?? null) : null;
}
