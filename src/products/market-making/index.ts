import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import { defineProduct } from '../product.ts';
import type { MakerServices } from './endpoints/maker-key.ts';
import { makerOrders } from './endpoints/maker-orders.ts';
import { makerStatistics } from './endpoints/maker-statistics.ts';

export interface MakerReadDependencies {
  readonly ledger: OrderLedger;
  readonly findMaker: MakerServices['findMaker'];
}

/** What market makers read of their own trades. They quote over gRPC or by webhook, not here. */
export const marketMaking = defineProduct({
  name: 'market-making',
  description: 'What a market maker won and lost, for the maker of the key.',
  basePaths: ['/market-making'],
  errorSections: [{ heading: 'What makers read' }],
  isForMakers: true,
  endpoints: [makerOrders, makerStatistics],
  open: ({ ledger, findMaker }: MakerReadDependencies) => ({
    services: { ledger, findMaker, now: Date.now },
  }),
});
