import { type Address, addressBytes } from '../../../solana/address.ts';
import type { TradeElement } from '../../element.ts';
import { type PositionFetcher, readEach } from '../../fetcher.ts';
import { tokenBalance } from '../../token-balance.ts';
import { OWNER_AT } from './layout.ts';
import {
  decodeLimitOrderV1,
  LIMIT_ORDER_V1_MAX_SIZE,
  LIMIT_ORDER_V1_PROGRAM,
  type LimitOrderV1,
} from './limit-v1-layout.ts';

const PLATFORM = 'jupiter-exchange';

/**
 * Finds the wallet's limit orders of the first version, which accepts no new ones. Those with an empty reserve have
 * ended.
 */
export const jupiterLimitOrdersV1: PositionFetcher = {
  id: `${PLATFORM}-limit-v1`,
  platformId: PLATFORM,
  rareSearch: {
    program: LIMIT_ORDER_V1_PROGRAM,
    field: { offset: OWNER_AT, dataSize: LIMIT_ORDER_V1_MAX_SIZE },
  },
  fetch: async (wallet) => {
    // The program may have written shorter orders, so the search is not by size.
    const memcmp = { offset: OWNER_AT, bytes: addressBytes(wallet.owner) };
    const found = await wallet.programAccounts(LIMIT_ORDER_V1_PROGRAM, { memcmp });
    const orders = readEach(found, ({ address, account }) => ({
      address,
      ...decodeLimitOrderV1(account.data),
    }));
    const reserves = await wallet.accounts(orders.positions.map(({ reserve }) => reserve));
    const elements = orders.positions.flatMap((order, index) =>
      tokenBalance(reserves[index] ?? null) === 0n ? [] : [elementOf(order)],
    );
    return { elements, unreadable: orders.unreadable };
  },
};

function elementOf(order: LimitOrderV1 & { readonly address: Address }): TradeElement {
  const { originalTaking, taking, expiredAt } = order;
  return {
    type: 'trade',
    label: 'LimitOrder',
    tags: ['deprecated'],
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    initialInput: order.originalMaking,
    remainingInput: order.making,
    // A fill pays the maker at once, so the order never holds any output.
    heldOutput: 0n,
    withdrawnOutput: originalTaking > taking ? originalTaking - taking : 0n,
    expectedOutput: originalTaking,
    ...(expiredAt === null ? {} : { expireAt: Number(expiredAt) * 1_000 }),
    contract: LIMIT_ORDER_V1_PROGRAM,
    ref: order.address,
    link: 'https://jup.ag/trigger/',
  };
}
