import { and, asc, count, desc, eq, gt, lte, notInArray, or, type SQL } from 'drizzle-orm';
import { Unavailable } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import { takeAdvisoryLock } from '../../store/advisory-lock.ts';
import type { Database, Store } from '../../store/index.ts';
import { ENDED_STATES, MAX_LEASE_MS, type UnfinishedState } from '../machine.ts';
import { getOrderFamily, type OrderFamily, type TriggerCondition } from '../order-plan.ts';
import { createFullRefusal } from '../order-refused.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import type { OrderCraft } from './order-craft.ts';
import { removeOldOrders } from './order-removal.ts';
import { OrderRowReader } from './order-row-reader.ts';
import { readOrderRow, readTransactionRow, toOrderRow, toTransactionRow } from './order-rows.ts';
import { IS_OPEN, IS_UNFINISHED, isOfFamily, orderTransactions, waitingOrders } from './order-tables.ts';
import { OrderWriter, type TransactionChange } from './order-writer.ts';
import type { OrderRow } from './plan-rows.ts';
import { StoreClock } from './store-clock.ts';
import { StoredCrafts } from './stored-crafts.ts';
import { moveStoredWatermarks } from './stored-watermarks.ts';

export interface OrderStoreOptions {
  readonly store: Store;
  /** The genesis hash. Orders of other networks in the same database are not seen. */
  readonly network: string;
  /** Days for which orders are kept after they have ended. 0 keeps them for ever. */
  readonly historyDays: number;
  /** Returns how many milliseconds orders are ahead of the database: see `StoreClock`. */
  readonly aheadMs?: () => number;
  /** Called once for each row that cannot be read. Lists leave it out, so that it keeps no other order from its fill. */
  readonly onUnreadable?: (id: string, error: unknown) => void;
}

/** Where the next page of changes begins: behind the order that was read last. */
export interface ChangeCursor {
  readonly updatedAt: number;
  readonly id: string;
}

/** The lock under which orders are counted and created. */
const LOCK = 'waiting_orders';
/** An order that cannot be filled gets another transaction with each attempt, for as long as it waits. */
const MAX_TRANSACTIONS = 100;

/**
 * The orders that wait, with their transactions, in the database. The database has the truth: whoever changes an order has to
 * name the revision that it has read, and fails if somebody else was faster.
 *
 * @example
 * ```ts
 * import { applyOrderEvent } from '../machine.ts';
 * import type { WaitingOrderStore } from './order-store.ts';
 *
 * export async function expire(orders: WaitingOrderStore, id: string): Promise<boolean> {
 *   const order = await orders.get(id);
 *   if (order === null) return false;
 *   const expired = applyOrderEvent(order, { kind: 'expired', at: await orders.now() });
 *   return expired.ok && (await orders.update(expired.value, order.revision));
 * }
 * ```
 */
export class WaitingOrderStore {
  /** Reads the rows of all lists of the process, so that each row that cannot be read is reported once. */
  readonly rows: OrderRowReader;
  /** The genesis hash. */
  readonly network: string;
  readonly #store: Store;
  readonly #historyDays: number;
  readonly #writer: OrderWriter;
  readonly #clock: StoreClock;
  readonly #crafts: StoredCrafts;

  constructor({ store, network, historyDays, aheadMs, onUnreadable }: OrderStoreOptions) {
    this.#store = store;
    this.rows = new OrderRowReader(onUnreadable);
    this.network = network;
    this.#historyDays = historyDays;
    this.#writer = new OrderWriter(store);
    this.#crafts = new StoredCrafts(store, network);
    this.#clock = new StoreClock({ store, ...(aheadMs && { aheadMs }) });
  }

  /** Returns Unix milliseconds by the clock that all instances on the database share, and that runs with the network's. */
  now(): Promise<number> {
    return this.#clock.now();
  }

  /**
   * Records an order with its deposit, and uses up the craft of the deposit, all or nothing. When the answer of the commit is
   * lost, it looks whether the order is stored.
   *
   * @param order - As `startOrder` returns it.
   * @param deposit - Its transaction number 1, signed by all.
   * @param maxOpen - Orders of the same family that the wallet may have that have not ended. Orders that are created at the same
   *   time, on any instance, see each other.
   * @returns false if there is no such craft: it was used, has expired, or was never there
   * @throws OrderRefused when the wallet has as many orders as it may have
   * @throws Unavailable when the database does not answer a second time either. The order may be stored or not.
   */
  async create(
    order: WaitingOrder,
    deposit: OrderTransaction,
    craftRequestId: string,
    maxOpen: number,
  ): Promise<boolean> {
    const record = () =>
      this.#store.transaction((db) => this.#record(db, order, deposit, { craftRequestId, maxOpen }));
    try {
      return await record();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return (await record()) || (await this.get(order.id)) !== null;
    }
  }

  async #record(
    db: Database,
    order: WaitingOrder,
    deposit: OrderTransaction,
    { craftRequestId, maxOpen }: { readonly craftRequestId: string; readonly maxOpen: number },
  ): Promise<boolean> {
    if (!(await this.#crafts.takeDeposit(db, craftRequestId))) return false;
    await takeAdvisoryLock(db, LOCK);
    const family = getOrderFamily(order.plan);
    if ((await this.#countOpen(db, order.wallet, family)) >= maxOpen)
      throw createFullRefusal(family, maxOpen);
    await db.insert(waitingOrders).values(toOrderRow(this.network, order));
    await db.insert(orderTransactions).values(toTransactionRow(deposit));
    return true;
  }

  /** Returns an order; null if there is none with the id. */
  get(id: string): Promise<WaitingOrder | null> {
    return this.#readOne(eq(waitingOrders.id, id));
  }

  /** Returns the order whose deposit was crafted under the id; null if there is none. */
  findByDepositRequest(requestId: string): Promise<WaitingOrder | null> {
    return this.#readOne(eq(waitingOrders.depositRequestId, requestId));
  }

  /**
   * Saves a changed order, and what happened to its transaction, if the order still has the revision that the caller has read.
   * Both are stored, or nothing. An answer of the database that is lost is asked for again: see `OrderWriter`.
   *
   * @param order - As `applyOrderEvent` returned it.
   * @returns whether the change is stored; otherwise somebody else has changed the order
   * @throws Unavailable when the database does not answer. The change may be stored or not: nothing may be sent, and the order
   *   has to be read again.
   */
  update(
    order: WaitingOrder,
    expectedRevision: number,
    transaction: TransactionChange | null = null,
  ): Promise<boolean> {
    return this.#writer.save({ order, expectedRevision, transaction });
  }

  /** Returns the deposit of an order and its newest 100 other transactions, the oldest first. */
  async transactionsOf(id: string): Promise<readonly OrderTransaction[]> {
    const which = eq(orderTransactions.orderId, id);
    const { db } = this.#store;
    const newest = await db
      .select()
      .from(orderTransactions)
      .where(and(which, gt(orderTransactions.number, 1)))
      .orderBy(desc(orderTransactions.number))
      .limit(MAX_TRANSACTIONS);
    const first = await db
      .select()
      .from(orderTransactions)
      .where(and(which, eq(orderTransactions.number, 1)));
    return [...first, ...newest.reverse()].map(readTransactionRow);
  }

  /**
   * Returns how many orders of a family a wallet has that wait or have a transaction on its way. Expired ones count until they are
   * cancelled.
   */
  openCount(wallet: Address, family: OrderFamily): Promise<number> {
    return this.#countOpen(this.#store.db, wallet, family);
  }

  async #countOpen(db: Database, wallet: Address, family: OrderFamily): Promise<number> {
    const [counted] = await db
      .select({ total: count() })
      .from(waitingOrders)
      .where(
        and(
          eq(waitingOrders.network, this.network),
          eq(waitingOrders.wallet, wallet),
          notInArray(waitingOrders.state, [...ENDED_STATES]),
          isOfFamily(family),
        ),
      );
    return Number(counted?.total ?? 0);
  }

  /**
   * Returns the open orders behind an id, by id. A keeper reads all pages when it starts, and what changes after that by
   * `changedSince`.
   *
   * @param after - The last id of the page before; an empty text for the first page.
   */
  listOpen(after: string, limit: number): Promise<readonly WaitingOrder[]> {
    return this.#read(and(IS_OPEN, gt(waitingOrders.id, after)), [asc(waitingOrders.id)], limit);
  }

  /**
   * Returns the orders that were changed after the cursor, the oldest change first.
   *
   * A change gets its time before it is committed, so that PostgreSQL may show it after later ones. It is committed within 8
   * seconds, the time limit of the store, or never: who reads the last 10 seconds again misses none.
   */
  changedSince({ updatedAt, id }: ChangeCursor, limit: number): Promise<readonly WaitingOrder[]> {
    const isLater = or(
      gt(waitingOrders.updatedAt, updatedAt),
      and(eq(waitingOrders.updatedAt, updatedAt), gt(waitingOrders.id, id)),
    );
    return this.#read(isLater, [asc(waitingOrders.updatedAt), asc(waitingOrders.id)], limit);
  }

  /**
   * Returns orders with a transaction of one kind on its way that nobody works on any more, those first that were left first.
   */
  listUnfinished(now: number, state: UnfinishedState, limit: number): Promise<readonly WaitingOrder[]> {
    const isLeft = and(
      IS_UNFINISHED,
      eq(waitingOrders.state, state),
      or(lte(waitingOrders.leaseUntil, now), gt(waitingOrders.leaseUntil, now + MAX_LEASE_MS)),
    );
    return this.#read(isLeft, [asc(waitingOrders.leaseUntil)], limit);
  }

  /** Returns open orders whose time is over, those first that expired first. */
  listExpired(now: number, limit: number): Promise<readonly WaitingOrder[]> {
    const isOver = and(IS_OPEN, lte(waitingOrders.expiresAt, now));
    return this.#read(isOver, [asc(waitingOrders.expiresAt)], limit);
  }

  /**
   * Moves the watermarks of open orders that trail the price of a mint, as far as the price is better for their wallets. No
   * revision is used up by that: a watermark only ever moves in one direction, whoever moves it. `changedSince` returns the orders
   * to other keepers.
   *
   * @param condition - Watermarks of orders below their price go up, those of orders above it go down.
   * @param price - In US dollars for one whole token. It has to have held.
   * @param options - The time of the change, by the clock of the store, and the most orders that are moved at once. If so many
   *   were moved, call it again.
   * @returns the orders that were moved
   */
  async moveWatermarks(
    mint: Address,
    condition: TriggerCondition,
    price: number,
    { now, limit }: { readonly now: number; readonly limit: number },
  ): Promise<readonly WaitingOrder[]> {
    const moved = { network: this.network, mint, condition, price, now, limit };
    return this.rows.read(await moveStoredWatermarks(this.#store, moved));
  }

  /** Stores a transaction that is handed out. Of a wallet's deposits, and of the withdrawals of an order, the newest 20 are kept. */
  putCraft(craft: OrderCraft): Promise<void> {
    return this.#crafts.put(craft);
  }

  /** Returns a transaction that was handed out; null if it was used, is too old, or was never there. */
  getCraft(requestId: string): Promise<OrderCraft | null> {
    return this.#crafts.get(requestId, () => this.now());
  }

  /**
   * Removes what is kept no longer, in small steps: see `removeOldOrders`. Call it every few minutes.
   *
   * @param isStopped - Called before each step; when it returns true, the rest is left to the next call.
   */
  async removeOld(now: number, isStopped: () => boolean = () => false): Promise<void> {
    await removeOldOrders(this.#store, { now, historyDays: this.#historyDays, isStopped });
  }

  async #readOne(which: SQL): Promise<WaitingOrder | null> {
    const [row] = await this.#select(which, [], 1);
    return row === undefined ? null : readOrderRow(row);
  }

  #read(which: SQL | undefined, order: readonly SQL[], limit: number): Promise<readonly WaitingOrder[]> {
    return this.rows.readPage(limit, (selected) => this.#select(which, order, selected));
  }

  #select(which: SQL | undefined, order: readonly SQL[], limit: number): Promise<readonly OrderRow[]> {
    return this.#store.db
      .select()
      .from(waitingOrders)
      .where(and(eq(waitingOrders.network, this.network), which))
      .orderBy(...order)
      .limit(limit);
  }
}
