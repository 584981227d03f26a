import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { decodeLimitOrder, LIMIT_ORDER_MAKER_AT } from '../jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../jupiter-limit-order/program.ts';
import { findOpenOrders, createLimitOrderElement } from './open-orders.ts';
import { JUPITER_EXCHANGE_PLATFORM } from '../jupiter-exchange/platform.ts';

const PLATFORM = JUPITER_EXCHANGE_PLATFORM.id;

/** Finds the wallet's limit orders. */
export const jupiterLimitOrders: PositionFetcher = {
  id: `${PLATFORM}-limit`,
  platformId: PLATFORM,
  fetch: (wallet) =>
    findOpenOrders(wallet, {
      program: LIMIT_ORDER_PROGRAM,
      ownerAt: LIMIT_ORDER_MAKER_AT,
      decode: decodeLimitOrder,
      reserveOf: ({ inputReserve }) => inputReserve,
      elementOf: (order, address) => ({
        ...createLimitOrderElement(LIMIT_ORDER_PROGRAM, address, order),
        expectedOutput: order.stopLossTaking > 0n ? order.stopLossTaking : order.originalTaking,
        createdAt: Number(order.createdAt) * 1_000,
      }),
    }),
};
