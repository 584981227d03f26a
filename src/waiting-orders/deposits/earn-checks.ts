import type { Address } from '../../solana/address.ts';
import { findEarnMint } from '../earning/earn-mint.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import { OrderRefused } from '../order-refused.ts';

/** Why a deposit cannot earn, in the words of the interface. */
export const EARNING_REFUSED = {
  kind: 'jlEnabled is only supported for time_based orders',
  inputMint: 'jlEnabled is not supported for this input mint',
  craft: 'JL orders require the JL deposit craft. Please re-craft the deposit with jlMint.',
  jlMint: 'jlMint does not match the JL token for this input mint',
} as const;

/** What a request says about earning while it waits. */
export interface EarningRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** The mint of the shares that it names; null if it names none. */
  readonly earnMint: Address | null;
}

/**
 * Returns the mint of the shares that a deposit earns with.
 *
 * @param field - Which field is wrong if the input cannot be lent.
 * @throws OrderRefused with a sentence for the client
 */
export function requireEarnMint(
  earn: Pick<EarnProgram, 'find'>,
  { inputMint, outputMint, earnMint }: EarningRequest,
  field: 'jlEnabled' | 'jlMint',
): Address {
  const found = findEarnMint(earn, inputMint);
  if (found === null) throw new OrderRefused('invalid', EARNING_REFUSED.inputMint, field);
  if (earnMint !== found) throw new OrderRefused('invalid', EARNING_REFUSED.jlMint, 'jlMint');
  // The shares would be sold for themselves.
  if (outputMint === found)
    throw new OrderRefused('invalid', 'Input mint and output mint cannot be the same');
  return found;
}

/** @throws OrderRefused when an order is to earn and its deposit was crafted without that, or the other way round */
export function checkEarningCraft(ordered: Address | null, crafted: Address | null): void {
  if (ordered === crafted) return;
  if (crafted === null) throw new OrderRefused('invalid', EARNING_REFUSED.craft, 'jlEnabled');
  throw new OrderRefused(
    'invalid',
    `The deposit was crafted with jlMint ${crafted}, so jlEnabled must be true. Please create the order with it, or craft a new deposit.`,
    'jlEnabled',
  );
}
