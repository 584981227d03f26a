import { and, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { HistoryCursor } from '../../chain/address-history.ts';
import type { Address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import type { OrderProgram } from '../program-order.ts';
import {
  computeOrderChanges,
  type NumberedOrder,
  type OrderChanges,
  type OrderStep,
} from './order-changes.ts';
import { type ChainOrder, computeReconciliation } from './order-reconciliation.ts';
import { readOrderRow, toOrderColumns } from './order-rows.ts';
import {
  IS_OPEN_ROW,
  programOrderCursors,
  programOrders,
  programOrderTrades,
} from './program-order-tables.ts';

/**
 * Records the orders of one program on one network, and how far its events were read. Every recording moves the cursor in the
 * same transaction, and is done only if the cursor still stands where the caller has read on from. So any number of instances
 * can record the same events at the same time, or crash at any point: each event counts once.
 */
export class OrderRecorder {
  readonly #store: Store;
  readonly #network: string;
  readonly #program: OrderProgram;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string, program: OrderProgram) {
    this.#store = store;
    this.#network = network;
    this.#program = program;
  }

  /** Returns null if nobody has begun to follow the program. */
  async findCursor(): Promise<HistoryCursor | null> {
    const [row] = await this.#store.db.select().from(programOrderCursors).where(this.#isCursor());
    return row === undefined ? null : { signature: row.signature, slot: BigInt(row.slot) };
  }

  /**
   * Begins to follow the program. Returns where: another instance may have begun a moment earlier.
   *
   * @param held - The orders that are open there.
   */
  async begin({ signature, slot }: HistoryCursor, held: readonly ChainOrder[] = []): Promise<HistoryCursor> {
    const key = { network: this.#network, program: this.#program };
    await this.#store.transaction(async (db) => {
      const begun = await db
        .insert(programOrderCursors)
        .values({ ...key, signature, slot: Number(slot), orders: 0 })
        .onConflictDoNothing()
        .returning({ orders: programOrderCursors.orders });
      if (begun.length > 0) await this.#write(db, computeReconciliation([], held, 0));
    });
    return (await this.findCursor()) ?? { signature, slot };
  }

  /**
   * Records what transactions did, and moves the cursor to the last of them.
   *
   * @param from - Where the caller has read on from.
   * @returns False if the cursor stands elsewhere. Nothing is recorded then.
   */
  async record(from: HistoryCursor, to: HistoryCursor, steps: readonly OrderStep[]): Promise<boolean> {
    return this.#store.transaction(async (db) => {
      // A second instance waits here until the transaction of the first has ended, and then finds another cursor.
      const [moved] = await db
        .update(programOrderCursors)
        .set({ signature: to.signature, slot: Number(to.slot) })
        .where(this.#isAt(from))
        .returning({ orders: programOrderCursors.orders });
      if (moved === undefined) return false;
      if (steps.length === 0) return true;
      const known = await this.#readOpen(db, steps);
      const changes = computeOrderChanges(steps, known, moved.orders);
      await this.#write(db, changes);
      return true;
    });
  }

  /**
   * Makes the open orders of the record equal to those of the chain. The caller has recorded everything up to the slot.
   *
   * @param slot - As of which the orders are.
   * @param held - All open orders of the program.
   * @returns False if events of later slots are recorded already. Nothing is done then.
   */
  async reconcile(slot: bigint, held: readonly ChainOrder[]): Promise<boolean> {
    // Nothing is written where they are equal, which is nearly always.
    const [found] = await this.#store.db.select().from(programOrderCursors).where(this.#isCursor());
    if (found === undefined || found.slot > Number(slot)) return false;
    if (!hasChanges(await this.#compare(this.#store.db, held, found.orders))) return true;
    return this.#store.transaction(async (db) => {
      // Nobody can move the cursor before this transaction has ended.
      const [cursor] = await db
        .update(programOrderCursors)
        .set({ slot: sql`${programOrderCursors.slot}` })
        .where(and(this.#isCursor(), lte(programOrderCursors.slot, Number(slot))))
        .returning({ orders: programOrderCursors.orders });
      if (cursor === undefined) return false;
      await this.#write(db, await this.#compare(db, held, cursor.orders));
      return true;
    });
  }

  async #compare(db: Database, held: readonly ChainOrder[], orders: number): Promise<OrderChanges> {
    const rows = await db.select().from(programOrders).where(and(this.#isOfProgram(), IS_OPEN_ROW));
    return computeReconciliation(rows.map(readNumberedOrder), held, orders);
  }

  /**
   * Deletes everything about the program's orders, because the network was created again with the same genesis.
   *
   * @param from - Where the caller has found the cursor. If it stands elsewhere, another instance has done it.
   */
  async forget(from: HistoryCursor): Promise<void> {
    await this.#store.transaction(async (db) => {
      const gone = await db
        .delete(programOrderCursors)
        .where(this.#isAt(from))
        .returning({ orders: programOrderCursors.orders });
      if (gone.length === 0) return;
      const { network, program } = programOrderTrades;
      await db.delete(programOrderTrades).where(and(eq(network, this.#network), eq(program, this.#program)));
      await db.delete(programOrders).where(this.#isOfProgram());
    });
  }

  async #readOpen(db: Database, steps: readonly OrderStep[]): Promise<readonly NumberedOrder[]> {
    const addresses = new Set(
      steps.map((step) => (step.kind === 'open' ? step.order.address : step.address)),
    );
    const open: NumberedOrder[] = [];
    for (const some of splitRows<Address>([...addresses])) {
      const rows = await db
        .select()
        .from(programOrders)
        .where(
          and(eq(programOrders.network, this.#network), inArray(programOrders.address, some), IS_OPEN_ROW),
        );
      for (const row of rows) {
        if (row.program !== this.#program) continue;
        open.push(readNumberedOrder(row));
      }
    }
    return open;
  }

  async #write(db: Database, { inserted, updated, removed, trades, orders }: OrderChanges): Promise<void> {
    const key = { network: this.#network, program: this.#program };
    for (const some of splitRows(removed)) {
      const { orderNumber } = programOrderTrades;
      await db
        .delete(programOrderTrades)
        .where(
          and(
            eq(programOrderTrades.network, key.network),
            eq(programOrderTrades.program, key.program),
            inArray(orderNumber, some),
          ),
        );
      await db.delete(programOrders).where(and(this.#isOfProgram(), inArray(programOrders.number, some)));
    }
    for (const { number, order, trades } of updated) {
      await db
        .update(programOrders)
        .set({ ...toOrderColumns(order), trades })
        .where(and(this.#isOfProgram(), eq(programOrders.number, number)));
    }
    for (const some of splitRows(inserted)) {
      await db
        .insert(programOrders)
        .values(
          some.map(({ number, order, trades }) => ({ ...toOrderColumns(order), ...key, number, trades })),
        );
    }
    for (const some of splitRows(trades)) {
      await db.insert(programOrderTrades).values(
        some.map(({ orderNumber, number, trade }) => ({
          ...key,
          orderNumber,
          number,
          keeper: trade.keeper,
          inputAmount: String(trade.inputAmount),
          outputAmount: String(trade.outputAmount),
          feeAmount: String(trade.feeAmount),
          signature: trade.signature,
          at: Number(trade.at),
        })),
      );
    }
    if (inserted.length > 0) await db.update(programOrderCursors).set({ orders }).where(this.#isCursor());
  }

  #isCursor(): SQL | undefined {
    const { network, program } = programOrderCursors;
    return and(eq(network, this.#network), eq(program, this.#program));
  }

  #isAt({ signature, slot }: HistoryCursor): SQL | undefined {
    const { signature: column, slot: slotColumn } = programOrderCursors;
    const isSame = signature === null ? isNull(column) : eq(column, signature);
    return and(this.#isCursor(), isSame, eq(slotColumn, Number(slot)));
  }

  #isOfProgram(): SQL | undefined {
    const { network, program } = programOrders;
    return and(eq(network, this.#network), eq(program, this.#program));
  }
}

function hasChanges({ inserted, removed }: OrderChanges): boolean {
  return inserted.length > 0 || removed.length > 0;
}

function readNumberedOrder(row: typeof programOrders.$inferSelect): NumberedOrder {
  return { number: row.number, order: readOrderRow(row), trades: row.trades };
}
