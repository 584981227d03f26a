import type { Address } from '../../../solana/address.ts';
import type { Store } from '../../../store/index.ts';
import { GasBudget, type GasLimits } from '../../../waiting-orders/fills/gas-budget.ts';

/** The name by which the budget of what wallets are given is kept apart from that of fills. */
const GIFTS = 'prediction-receivers';
/** Wallets are given at most one part in so many of what fills may cost. */
const GIFT_SHARE = 4n;

/**
 * Creates the budget of the rent of token accounts that wallets do not have when they are paid. A wallet can close such an account
 * and keep the rent, as often as it has orders, so that this must not use up what fills cost.
 */
export function createGiftBudget(payer: Address, { perWallet, inAll }: GasLimits, store: Store): GasBudget {
  return new GasBudget(payer, { perWallet, inAll: inAll / GIFT_SHARE }, store, GIFTS);
}
