import type { OrderLedger } from '../../swaps/ledger/order-ledger.ts';
import type { MakerDesk } from '../../rfq/desk/maker-desk.ts';
import { defineProduct } from '../product.ts';
import { makerBooks } from './endpoints/maker-books.ts';
import type { MakerServices } from './endpoints/maker-key.ts';
import { makerOrders } from './endpoints/maker-orders.ts';
import { makerStatistics } from './endpoints/maker-statistics.ts';
import { makerStatus } from './endpoints/maker-status.ts';

export interface MakerReadDependencies {
  readonly ledger: OrderLedger;
  readonly makerDesk: MakerDesk;
  readonly findMaker: MakerServices['findMaker'];
}

/** What market makers read of their own books and trades. They quote over gRPC or by webhook, not here. */
export const marketMaking = defineProduct({
  name: 'market-making',
  description:
    'The books of a market maker, what it won and lost, and where it stands, for the maker of the key.',
  basePaths: ['/market-making'],
  errorSections: [{ heading: 'What makers read' }],
  isForMakers: true,
  endpoints: [makerOrders, makerStatistics, makerBooks, makerStatus],
  open: ({ ledger, makerDesk, findMaker }: MakerReadDependencies) => ({
    services: { ledger, desk: makerDesk, findMaker, now: Date.now },
  }),
});
