import { address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { toOrderRow, toTransactionRow } from '../../waiting-orders/store/order-rows.ts';
import { orderTransactions, waitingOrders } from '../../waiting-orders/store/order-tables.ts';
import type { OrderTransaction, WaitingOrder } from '../../waiting-orders/waiting-order.ts';
import { TEST_NETWORK } from './test-order-store.ts';
import { createTestOrder, type SingleChanges } from './test-orders.ts';

const SOL = address('So11111111111111111111111111111111111111112');
const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
export const ORDER_WALLET = address('5v2Vd71VoJ1wZhz1PkhTY48mrJwS6wF4LfvDbYPnJ3bc');
const CREATED_AT = 1_790_000_000_000;

/** Creates an open order that sells 1 SOL for USDC above 210 dollars, with the given differences. */
export function createOpenOrder(
  number: number,
  given: Partial<WaitingOrder> & SingleChanges = {},
): WaitingOrder {
  const id = `01990000-0000-7000-8000-${String(number).padStart(12, '0')}`;
  return createTestOrder(number, {
    id,
    depositRequestId: `deposit-of-${id}`,
    wallet: ORDER_WALLET,
    vault: address('7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj'),
    account: address('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'),
    inputMint: SOL,
    outputMint: USDC,
    triggerMint: SOL,
    condition: 'above',
    triggerPrice: 210,
    inputAmount: 1_000_000_000n,
    createdAt: CREATED_AT,
    revision: 2,
    updatedAt: CREATED_AT + number,
    ...given,
  });
}

/** Writes an order with its transactions into the tables, whatever its state. */
export async function insertStoredOrder(
  db: Database,
  order: WaitingOrder,
  transactions: readonly Partial<OrderTransaction>[] = [],
): Promise<void> {
  await db.insert(waitingOrders).values(toOrderRow(TEST_NETWORK, order));
  for (const [index, given] of transactions.entries()) {
    await db.insert(orderTransactions).values(
      toTransactionRow({
        orderId: order.id,
        number: index + 1,
        kind: 'deposit',
        signature: `signature-${index + 1}`,
        wire: Uint8Array.of(1),
        lastValidBlockHeight: 300n,
        outcome: 'success',
        inputAmount: order.inputAmount,
        held: null,
        outputAmount: null,
        triggeredPrice: null,
        leg: given.kind === 'fill' ? 'single' : null,
        round: null,
        createdAt: order.createdAt,
        endedAt: null,
        ...given,
      }),
    );
  }
}
