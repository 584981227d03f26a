import type { Address } from '../../solana/address.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import { isRecurring, type OrderPlan } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
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

/**
 * Checks what a request wants to earn with.
 *
 * @param earnMint - The mint of the shares that the request names; null if it names none.
 * @throws OrderRefused with a sentence for the client
 */
export function requireEarnMint(
  earn: Pick<EarnProgram, 'find'>,
  {
    inputMint,
    outputMint,
    earnMint,
  }: { readonly inputMint: Address; readonly outputMint: Address; readonly earnMint: Address | null },
): Address {
  const found = findEarnMint(earn, inputMint);
  if (found === null) {
    throw new OrderRefused('invalid', 'jlEnabled is not supported for this input mint');
  }
  if (earnMint !== found) {
    throw new OrderRefused('invalid', 'jlMint does not match the JL token for this input mint');
  }
  // The shares would be sold for themselves.
  if (outputMint === found) {
    throw new OrderRefused('invalid', 'Input mint and output mint cannot be the same');
  }
  return found;
}
