import { and, desc, eq, inArray, isNotNull, lt, or, type SQL } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { isOrderId } from '../order-id.ts';
import type { OrderRowReader } from '../store/order-row-reader.ts';
import { readOrderRow, readTransactionRow } from '../store/order-rows.ts';
import { orderTransactions, waitingOrders } from '../store/order-tables.ts';
import type { OrderState, OrderTransaction, WaitingOrder, WaitReason } from '../waiting-order.ts';

/** The states in which an order may have money in its account. */
export const STATES_WITH_MONEY = [
  'depositing',
  'open',
  'executing',
  'ready_to_cancel',
  'withdrawing',
  'expired',
] as const satisfies readonly OrderState[];

/** Which orders to list. Absent fields select everything, except `state`. */
export interface OrderListFilter {
  readonly wallet?: string;
  /** The mint of the input or of the output. */
  readonly mint?: string;
  /** Default: every state of `STATES_WITH_MONEY`. */
  readonly state?: OrderState;
  readonly waitsFor?: WaitReason;
}

/** What lists of orders are read with. */
export interface OrderListSource {
  readonly db: Database;
  /** Reports the rows that cannot be read. */
  readonly rows: OrderRowReader;
}

/**
 * Lists the orders of all wallets, newest first.
 *
 * @param after - The id of the last order of the page before; null for the first page.
 * @param limit - The most orders.
 */
export async function listAllOrders(
  { db, rows }: OrderListSource,
  { wallet, mint, state, waitsFor }: OrderListFilter,
  after: string | null,
  limit: number,
): Promise<readonly WaitingOrder[]> {
  const conditions: readonly (SQL | undefined)[] = [
    state === undefined ? hasState(STATES_WITH_MONEY) : eq(waitingOrders.state, state),
    wallet === undefined ? undefined : eq(waitingOrders.wallet, wallet),
    mint === undefined
      ? undefined
      : or(eq(waitingOrders.inputMint, mint), eq(waitingOrders.outputMint, mint)),
    // The index on the reason has only the orders that have one.
    waitsFor === undefined
      ? undefined
      : and(isNotNull(waitingOrders.waitsFor), eq(waitingOrders.waitsFor, waitsFor)),
    after === null ? undefined : lt(waitingOrders.id, after),
  ];
  return rows.readPage(limit, (selected) =>
    db
      .select()
      .from(waitingOrders)
      .where(and(...conditions))
      .orderBy(desc(waitingOrders.id))
      .limit(selected),
  );
}

/**
 * Lists the orders of a wallet that may have money in their account. Those that were changed last come first.
 *
 * @param limit - The most orders.
 */
export async function listOrdersWithMoney(
  { db, rows }: OrderListSource,
  wallet: Address,
  limit: number,
): Promise<readonly WaitingOrder[]> {
  return rows.readPage(limit, (selected) =>
    db
      .select()
      .from(waitingOrders)
      .where(and(eq(waitingOrders.wallet, wallet), hasState(STATES_WITH_MONEY)))
      .orderBy(desc(waitingOrders.updatedAt), desc(waitingOrders.id))
      .limit(selected),
  );
}

/** An order with its newest transactions. */
export interface OrderDetails {
  readonly order: WaitingOrder;
  /** Newest first. */
  readonly transactions: readonly OrderTransaction[];
}

/**
 * Finds an order with its newest transactions. Returns null if there is no such order.
 *
 * @param limit - The most transactions, because an order that cannot be filled gets another one with each attempt.
 */
export async function findOrderDetails(
  db: Database,
  id: string,
  limit: number,
): Promise<OrderDetails | null> {
  if (!isOrderId(id)) return null;
  const [row] = await db.select().from(waitingOrders).where(eq(waitingOrders.id, id));
  if (row === undefined) return null;
  const transactions = await db
    .select()
    .from(orderTransactions)
    .where(eq(orderTransactions.orderId, id))
    .orderBy(desc(orderTransactions.number))
    .limit(limit);
  return { order: readOrderRow(row), transactions: transactions.map(readTransactionRow) };
}

function hasState(states: readonly OrderState[]): SQL {
  return inArray(waitingOrders.state, [...states]);
}
