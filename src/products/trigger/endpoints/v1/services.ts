import type { OrderCraftDependencies } from '../../../../program-orders/crafting/craft-dependencies.ts';
import type { ProgramOrderLists } from '../../../../program-orders/program-order.ts';
import type { ExecuteSignedDependencies } from '../../../../transactions/signed/execute-signed.ts';

/** What the endpoints of orders on the chain work with. */
export interface LimitOrderServices {
  readonly limitOrders: {
    readonly lists: Pick<ProgramOrderLists, 'listLimitOrders'>;
    /** What transactions that makers sign are made and landed with. */
    readonly transactions: OrderCraftDependencies & ExecuteSignedDependencies;
  };
}
