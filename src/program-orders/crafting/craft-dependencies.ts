import type { Prices } from '../../market/prices/prices.ts';
import type { CraftDependencies } from '../../transactions/signed/craft-signed.ts';

/** What orders are placed with, in either program. */
export interface OrderCraftDependencies extends CraftDependencies {
  readonly prices: Pick<Prices, 'worthInDollars'>;
  /** Returns a random u64, from which the address of a new order is derived. */
  readonly newOrderNumber: () => bigint;
}
