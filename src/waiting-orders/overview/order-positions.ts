import type { TradeElement } from '../../protocol/positions/element.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { readTokenBalance } from '../../protocol/positions/token-balance.ts';
import type { Database } from '../../store/index.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { OrderRowReader } from '../store/order-row-reader.ts';
import { listOrdersWithMoney } from './order-overview.ts';

/** The platform of the orders, in the list of platforms of the portfolio. */
const PLATFORM = 'jupiter-exchange';

/** The most orders of a wallet that are shown. A wallet cannot have as many open ones. */
const MAX_SHOWN = 1_000;

/**
 * Creates the fetcher of a wallet's orders that wait in its vault.
 *
 * What an order holds is read from its account, and not from the store. So the input of a deposit that is on its way is in
 * the wallet or in the order, and never in both.
 *
 * @param rows - Reports the rows that cannot be read.
 */
export function createOrderPositions(
  store: { readonly db: Database },
  rows: OrderRowReader = new OrderRowReader(),
): PositionFetcher {
  return {
    id: `${PLATFORM}-trigger`,
    platformId: PLATFORM,
    fetch: async (wallet) => {
      const orders = await listOrdersWithMoney({ db: store.db, rows }, wallet.owner, MAX_SHOWN);
      const accounts = await wallet.accounts(orders.map(({ account }) => account));
      const elements = orders.flatMap((order, index) => {
        const balance = readTokenBalance(accounts[index] ?? null);
        return balance === 0n ? [] : [createElement(order, balance)];
      });
      return { elements };
    },
  };
}

function createElement(order: WaitingOrder, balance: bigint): TradeElement {
  return {
    type: 'trade',
    label: 'LimitOrder',
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    initialInput: order.inputAmount,
    remainingInput: balance,
    // A fill pays the wallet at once, so the order never holds any output.
    heldOutput: 0n,
    withdrawnOutput: order.received,
    createdAt: order.createdAt,
    expireAt: order.expiresAt,
    ref: order.account,
    sourceRefs: [{ name: 'Vault', address: order.vault }],
    link: 'https://jup.ag/trigger/',
  };
}
