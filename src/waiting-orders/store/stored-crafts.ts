import { and, desc, eq, notInArray, type SQL } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Database, Store } from '../../store/index.ts';
import { MAX_CRAFTS, type OrderCraft } from './order-craft.ts';
import { readCraftRow, toCraftRow } from './order-rows.ts';
import { craftedTransactions } from './order-tables.ts';

/** The transactions that were handed out to wallets, on one network. */
export class StoredCrafts {
  readonly #store: Store;
  readonly #network: string;

  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Stores a craft. Of a wallet's deposits, and of the withdrawals of an order, the newest 20 are kept. */
  async put(craft: OrderCraft): Promise<void> {
    const { wallet, kind, orderId } = craft;
    await this.#store.transaction(async (db) => {
      await db.insert(craftedTransactions).values(toCraftRow(this.#network, craft)).onConflictDoNothing();
      // A wallet may cancel all its orders before it signs the first withdrawal.
      const ofOrder = orderId === null ? undefined : eq(craftedTransactions.orderId, orderId);
      const alike = and(this.#areOf(wallet, kind), ofOrder);
      const newest = db
        .select({ requestId: craftedTransactions.requestId })
        .from(craftedTransactions)
        .where(alike)
        .orderBy(desc(craftedTransactions.createdAt), desc(craftedTransactions.requestId))
        .limit(MAX_CRAFTS);
      await db
        .delete(craftedTransactions)
        .where(and(alike, notInArray(craftedTransactions.requestId, newest)));
    });
  }

  /** Returns a craft; null if it was used, is too old, or was never there. */
  async get(requestId: string, now: () => Promise<number>): Promise<OrderCraft | null> {
    const [row] = await this.#store.db.select().from(craftedTransactions).where(this.#is(requestId));
    if (row === undefined || row.deleteAt <= (await now())) return null;
    return readCraftRow(row);
  }

  /** Uses up the craft of a deposit within a transaction of the database. Returns false if there is none. */
  async takeDeposit(db: Database, requestId: string): Promise<boolean> {
    const used = await db
      .delete(craftedTransactions)
      .where(and(this.#is(requestId), eq(craftedTransactions.kind, 'deposit')))
      .returning({ requestId: craftedTransactions.requestId });
    return used.length > 0;
  }

  #is(requestId: string): SQL | undefined {
    return and(eq(craftedTransactions.requestId, requestId), eq(craftedTransactions.network, this.#network));
  }

  #areOf(wallet: Address, kind: OrderCraft['kind']): SQL | undefined {
    return and(
      eq(craftedTransactions.wallet, wallet),
      eq(craftedTransactions.network, this.#network),
      eq(craftedTransactions.kind, kind),
    );
  }
}
