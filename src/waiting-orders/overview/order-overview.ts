import { and, desc, eq, inArray, isNotNull, lt, or, type SQL } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Database } from '../../store/index.ts';
import { isOrderId } from '../order-id.ts';
import type { OrderRowReader } from '../store/order-row-reader.ts';
import { readOrderRow, readTransactionRow } from '../store/order-rows.ts';
import { orderTransactions, waitingOrders } from '../store/order-tables.ts';
import type { OrderRow } from '../store/plan-rows.ts';
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
  /** The genesis hash. Orders of other networks in the same database are not seen. */
  readonly network: string;
  /** Reports the rows that cannot be read. */
  readonly rows: OrderRowReader;
}

/**
 * Lists the orders of all wallets on the network, newest first.
 *
 * @param after - The id of the last order of the page before; null for the first page.
 * @param limit - The most orders.
 */
export async function listAllOrders(
  { db, network, rows }: OrderListSource,
  { wallet, mint, state, waitsFor }: OrderListFilter,
  after: string | null,
  limit: number,
): Promise<readonly WaitingOrder[]> {
  const conditions: readonly (SQL | undefined)[] = [
    eq(waitingOrders.network, network),
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
  { db, network, rows }: OrderListSource,
  wallet: Address,
  limit: number,
): Promise<readonly WaitingOrder[]> {
  return rows.readPage(limit, (selected) =>
    db
      .select()
      .from(waitingOrders)
      .where(
        and(
          eq(waitingOrders.wallet, wallet),
          eq(waitingOrders.network, network),
          hasState(STATES_WITH_MONEY),
        ),
      )
      .orderBy(desc(waitingOrders.updatedAt), desc(waitingOrders.id))
      .limit(selected),
  );
}

/** An order with its newest transactions, or why its row cannot be read. */
export type OrderDetails =
  | {
      readonly kind: 'found';
      readonly order: WaitingOrder;
      /** Newest first. */
      readonly transactions: readonly OrderTransaction[];
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Finds an order of the network, with its newest transactions. Returns null if there is no such order. A transaction that cannot be
 * read is left out.
 *
 * @param limit - The most transactions, because an order that cannot be filled gets another one with each attempt.
 */
export async function findOrderDetails(
  { db, network, rows }: OrderListSource,
  id: string,
  limit: number,
): Promise<OrderDetails | null> {
  if (!isOrderId(id)) return null;
  const [row] = await db
    .select()
    .from(waitingOrders)
    .where(and(eq(waitingOrders.id, id), eq(waitingOrders.network, network)));
  if (row === undefined) return null;
  const order = readOrReason(row);
  if ('reason' in order) return order;
  const transactions = await db
    .select()
    .from(orderTransactions)
    .where(eq(orderTransactions.orderId, id))
    .orderBy(desc(orderTransactions.number))
    .limit(limit);
  return { kind: 'found', order, transactions: rows.readTransactions(transactions, readTransactionRow) };
}

function readOrReason(row: OrderRow): WaitingOrder | (OrderDetails & { readonly kind: 'unreadable' }) {
  try {
    return readOrderRow(row);
  } catch (error) {
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

function hasState(states: readonly OrderState[]): SQL {
  return inArray(waitingOrders.state, [...states]);
}
