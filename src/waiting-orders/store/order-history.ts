import { and, asc, count, desc, eq, gt, inArray, notInArray, or, sql } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Store } from '../../store/index.ts';
import { ENDED_STATES } from '../machine.ts';
import { isOrderId } from '../order-id.ts';
import type { OrderFamily } from '../order-plan.ts';
import type { OrderTransactionSummary, WaitingOrder } from '../waiting-order.ts';
import { OrderRowReader } from './order-row-reader.ts';
import { readTransactionSummary } from './order-rows.ts';
import { isOfFamily, orderTransactions, waitingOrders } from './order-tables.ts';

/** Which orders of a wallet are asked for, and in which order. */
export interface OrderHistoryQuery {
  readonly wallet: Address;
  readonly family: OrderFamily;
  /** `past` orders are filled, cancelled, expired or failed. Null for all. */
  readonly state: 'active' | 'past' | null;
  /** The input or the output; null for all. */
  readonly mint: Address | null;
  readonly sort: keyof typeof SORTED_BY;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** An order with its deposit and its newest other transactions, the oldest first. */
export interface OrderWithTransactions {
  readonly order: WaitingOrder;
  readonly transactions: readonly OrderTransactionSummary[];
}

export interface OrderHistoryPage {
  /** How many orders there are on all pages. */
  readonly total: number;
  readonly orders: readonly OrderWithTransactions[];
}

/** Transactions that are shown of one order on a page of several, and of an order that is asked for alone. */
const SHOWN_ON_PAGE = 50;
const SHOWN_ALONE = 1_000;
const PAST_STATES = [...ENDED_STATES, 'expired'];
const SORTED_BY = {
  updated_at: waitingOrders.updatedAt,
  created_at: waitingOrders.createdAt,
  expires_at: waitingOrders.expiresAt,
  /** Only recurring orders have it. */
  next_fill_at: waitingOrders.nextFillAt,
} as const;

const SHOWN_COLUMNS = {
  orderId: orderTransactions.orderId,
  number: orderTransactions.number,
  kind: orderTransactions.kind,
  signature: orderTransactions.signature,
  outcome: orderTransactions.outcome,
  inputAmount: orderTransactions.inputAmount,
  held: orderTransactions.held,
  outputAmount: orderTransactions.outputAmount,
  triggeredPrice: orderTransactions.triggeredPrice,
  leg: orderTransactions.leg,
  round: orderTransactions.round,
  createdAt: orderTransactions.createdAt,
  endedAt: orderTransactions.endedAt,
};

/** The orders of wallets on one network, as their wallets see them. */
export class OrderHistory {
  readonly #store: Store;
  readonly #network: string;
  readonly #rows: OrderRowReader;

  /**
   * @param network - The genesis hash. Orders of other networks in the same database are not seen.
   * @param rows - Reports the rows that cannot be read.
   */
  constructor(store: Store, network: string, rows: OrderRowReader = new OrderRowReader()) {
    this.#store = store;
    this.#network = network;
    this.#rows = rows;
  }

  /**
   * Returns a page of the orders of a wallet, each with its deposit and its newest 50 other transactions. An order whose row cannot
   * be read is counted, and left out.
   */
  async list(query: OrderHistoryQuery): Promise<OrderHistoryPage> {
    const { wallet, family, state, mint, sort, direction, limit, offset } = query;
    const isOfState = state === 'past' ? inArray : notInArray;
    const which = and(
      eq(waitingOrders.network, this.#network),
      eq(waitingOrders.wallet, wallet),
      isOfFamily(family),
      state === null ? undefined : isOfState(waitingOrders.state, PAST_STATES),
      mint === null ? undefined : or(eq(waitingOrders.inputMint, mint), eq(waitingOrders.outputMint, mint)),
    );
    const { db } = this.#store;
    const sorted = direction === 'asc' ? asc : desc;
    const order = [sorted(SORTED_BY[sort]), sorted(waitingOrders.id)];
    // The page is found in the index alone, so that only its own rows are read, wherever it begins.
    const ids = db
      .select({ id: waitingOrders.id })
      .from(waitingOrders)
      .where(which)
      .orderBy(...order)
      .limit(limit)
      .offset(offset);
    const [[counted], rows] = await Promise.all([
      db.select({ total: count() }).from(waitingOrders).where(which),
      db
        .select()
        .from(waitingOrders)
        .where(inArray(waitingOrders.id, ids))
        .orderBy(...order),
    ]);
    const orders = this.#rows.read(rows);
    return { total: Number(counted?.total ?? 0), orders: await this.#addTransactions(orders, SHOWN_ON_PAGE) };
  }

  /** Returns an order with its deposit and its newest 1,000 other transactions; null if the wallet has no such order. */
  async find(wallet: Address, id: string, family: OrderFamily): Promise<OrderWithTransactions | null> {
    // PostgreSQL takes no text with a NUL character, which a path can contain.
    if (!isOrderId(id)) return null;
    const { db } = this.#store;
    const rows = await db
      .select()
      .from(waitingOrders)
      .where(
        and(
          eq(waitingOrders.id, id),
          eq(waitingOrders.network, this.#network),
          eq(waitingOrders.wallet, wallet),
          isOfFamily(family),
        ),
      );
    const [found] = await this.#addTransactions(this.#rows.read(rows), SHOWN_ALONE);
    return found ?? null;
  }

  /** An order that cannot be filled gets another transaction with each attempt, so that only the newest are read. */
  async #addTransactions(
    orders: readonly WaitingOrder[],
    newest: number,
  ): Promise<readonly OrderWithTransactions[]> {
    if (orders.length === 0) return [];
    const byOrder = new Map<string, OrderTransactionSummary[]>(orders.map(({ id }) => [id, []]));
    const rows = await this.#store.db
      .select(SHOWN_COLUMNS)
      .from(orderTransactions)
      .innerJoin(waitingOrders, eq(waitingOrders.id, orderTransactions.orderId))
      .where(
        and(
          inArray(orderTransactions.orderId, [...byOrder.keys()]),
          or(
            eq(orderTransactions.number, 1),
            gt(orderTransactions.number, sql`${waitingOrders.transactions} - ${newest}`),
          ),
        ),
      )
      .orderBy(asc(orderTransactions.orderId), asc(orderTransactions.number));
    for (const read of this.#rows.readTransactions(rows, readTransactionSummary))
      byOrder.get(read.orderId)?.push(read);
    return orders.map((order) => ({ order, transactions: byOrder.get(order.id) ?? [] }));
  }
}
