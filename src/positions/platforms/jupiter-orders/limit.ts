import { addressBytes } from '../../../solana/address.ts';
import type { TradeElement } from '../../element.ts';
import { type PositionFetcher, readEach } from '../../fetcher.ts';
import { tokenBalance } from '../../token-balance.ts';
import { decodeLimitOrder, LIMIT_ORDER_PROGRAM, type LimitOrder, OWNER_AT } from './layout.ts';

const PLATFORM = 'jupiter-exchange';

/**
 * Finds the wallet's limit orders. One with an empty reserve was cancelled or filled, although its account still
 * exists.
 */
export const jupiterLimitOrders: PositionFetcher = {
  id: `${PLATFORM}-limit`,
  platformId: PLATFORM,
  fetch: async (wallet) => {
    const memcmp = { offset: OWNER_AT, bytes: addressBytes(wallet.owner) };
    const found = await wallet.programAccounts(LIMIT_ORDER_PROGRAM, { memcmp });
    const orders = readEach(found, ({ address, account }) => ({
      address,
      ...decodeLimitOrder(account.data),
    }));
    const reserves = await wallet.accounts(orders.positions.map(({ inputReserve }) => inputReserve));
    const elements = orders.positions.flatMap((order, index) =>
      tokenBalance(reserves[index] ?? null) === 0n ? [] : [elementOf(order)],
    );
    return { elements, unreadable: orders.unreadable };
  },
};

function elementOf(order: LimitOrder & { readonly address: TradeElement['inputMint'] }): TradeElement {
  const { originalTaking, taking, stopLossTaking, expiredAt } = order;
  return {
    type: 'trade',
    label: 'LimitOrder',
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    initialInput: order.originalMaking,
    remainingInput: order.making,
    // A fill pays the maker at once, so the order never holds any output.
    heldOutput: 0n,
    withdrawnOutput: originalTaking > taking ? originalTaking - taking : 0n,
    expectedOutput: stopLossTaking > 0n ? stopLossTaking : originalTaking,
    createdAt: Number(order.createdAt) * 1_000,
    ...(expiredAt === null ? {} : { expireAt: Number(expiredAt) * 1_000 }),
    contract: LIMIT_ORDER_PROGRAM,
    ref: order.address,
    link: 'https://jup.ag/trigger/',
  };
}
