import type { Chain } from '../../../chain/chain.ts';
import type { OrderCraftDependencies } from '../../../program-orders/crafting/craft-dependencies.ts';
import type { ProgramOrderLists } from '../../../program-orders/program-order.ts';
import type { ExecuteSignedDependencies } from '../../../transactions/signed/execute-signed.ts';

/** What the handlers of the product's endpoints are given. */
export interface RecurringServices {
  readonly lists: Pick<ProgramOrderLists, 'listDcaOrders'>;
  /** What transactions that users sign are made and landed with. */
  readonly transactions: OrderCraftDependencies & ExecuteSignedDependencies;
  /** Reads the mints of the orders that are shown. */
  readonly chain: Pick<Chain, 'getAccounts'>;
}
