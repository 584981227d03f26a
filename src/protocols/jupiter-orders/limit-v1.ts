import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { decodeLimitOrderV1, LIMIT_ORDER_V1_MAKER_AT, LIMIT_ORDER_V1_PROGRAM } from './limit-v1-layout.ts';
import { findOpenOrders, createLimitOrderElement } from './open-orders.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;

/** Finds the wallet's limit orders of the first version, which accepts no new ones. */
export const jupiterLimitOrdersV1: PositionFetcher = {
  id: `${PLATFORM}-limit-v1`,
  platformId: PLATFORM,
  rareSearch: {
    program: LIMIT_ORDER_V1_PROGRAM,
    field: { offset: LIMIT_ORDER_V1_MAKER_AT },
  },
  // The program may have written shorter orders, so the search is not by size.
  fetch: (wallet) =>
    findOpenOrders(wallet, {
      program: LIMIT_ORDER_V1_PROGRAM,
      ownerAt: LIMIT_ORDER_V1_MAKER_AT,
      decode: decodeLimitOrderV1,
      reserveOf: ({ reserve }) => reserve,
      elementOf: (order, address) => ({
        ...createLimitOrderElement(LIMIT_ORDER_V1_PROGRAM, address, order),
        tags: ['deprecated'],
      }),
    }),
};
