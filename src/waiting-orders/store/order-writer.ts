import { and, eq, inArray } from 'drizzle-orm';
import { Unavailable } from '../../common/unavailable.ts';
import { waitForFurther } from '../../common/work/gathered-work.ts';
import type { Database, Store } from '../../store/index.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import { toChangedColumns, toTransactionRow } from './order-rows.ts';
import { orderTransactions, waitingOrders } from './order-tables.ts';

/** How a pending transaction ended. */
export interface EndedTransaction {
  readonly number: number;
  readonly outcome: Exclude<OrderTransaction['outcome'], 'pending'>;
  /** The signature on the chain, if it is another than the recorded one. A wallet can sign a message several times. */
  readonly signature?: string;
  /** Atoms of the output that a fill paid; null if it paid none. */
  readonly outputAmount?: bigint | null;
  readonly endedAt: number;
}

/** What happens to a transaction of an order when the order changes: a new one is recorded, or the pending one ended. */
export type TransactionChange = OrderTransaction | { readonly ended: EndedTransaction };

interface OrderWrite {
  readonly order: WaitingOrder;
  readonly expectedRevision: number;
  readonly transaction: TransactionChange | null;
}

interface QueuedWrite extends OrderWrite {
  readonly resolve: (isSaved: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes that are committed together. One commit of SQLite waits for the disk about as long as 64 changes take. */
const MAX_TOGETHER = 64;

/**
 * Saves changed orders by compare-and-set on their revision. Changes that come while others are being committed wait, and are
 * then committed together, so that many fills at once cost a few commits.
 */
export class OrderWriter {
  readonly #store: Store;
  readonly #waiting: QueuedWrite[] = [];
  #isRunning = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Resolves to whether the change is stored. It is stored either completely or not at all.
   *
   * When the answer of a commit is lost, the change is written again: a change that finds itself in the store is saved, and a
   * lost one can no longer be committed after that, because its revision is used up.
   *
   * @throws Unavailable when the database does not answer a second time either. The change may be stored or not.
   */
  save(write: OrderWrite): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await waitForFurther(() => this.#waiting.length, MAX_TOGETHER);
      await this.#saveTogether(this.#waiting.splice(0, MAX_TOGETHER));
    }
    this.#isRunning = false;
  }

  async #saveTogether(writes: readonly QueuedWrite[]): Promise<void> {
    try {
      const saved = await this.#commit(writes);
      for (const [index, { resolve }] of writes.entries()) resolve(saved[index] === true);
    } catch (error) {
      if (writes.length === 1 || error instanceof Unavailable) {
        for (const { reject } of writes) reject(error);
        return;
      }
      // One of the changes is refused by the tables, and must not take the others with it.
      for (const write of writes) await this.#saveTogether([write]);
    }
  }

  async #commit(writes: readonly OrderWrite[]): Promise<readonly boolean[]> {
    const commit = () => this.#store.transaction((db) => saveOrders(db, writes));
    try {
      return await commit();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      return commit();
    }
  }
}

/** Returns of each change whether it is stored. */
async function saveOrders(db: Database, writes: readonly OrderWrite[]): Promise<readonly boolean[]> {
  const saved: boolean[] = new Array(writes.length).fill(false);
  // All instances lock the rows in the same order, so that none waits for another in a circle.
  const inOrder = [...writes.keys()].sort(
    (one, other) => compareIds(writes[one], writes[other]) || one - other,
  );
  await Promise.all(
    inOrder.map(async (index) => {
      saved[index] = await updateOrder(db, writes[index] as OrderWrite);
    }),
  );
  await changeTransactions(
    db,
    writes.filter((_, index) => saved[index] === true),
  );
  const others = writes.filter((_, index) => saved[index] === false);
  if (others.length === 0) return saved;
  const stored = await readStored(db, others);
  return writes.map((write, index) => saved[index] === true || stored.has(write));
}

function compareIds(one: OrderWrite | undefined, other: OrderWrite | undefined): number {
  const [first, second] = [one?.order.id ?? '', other?.order.id ?? ''];
  return first < second ? -1 : first > second ? 1 : 0;
}

async function updateOrder(db: Database, { order, expectedRevision }: OrderWrite): Promise<boolean> {
  const updated = await db
    .update(waitingOrders)
    .set(toChangedColumns(order))
    .where(and(eq(waitingOrders.id, order.id), eq(waitingOrders.revision, expectedRevision)))
    .returning({ id: waitingOrders.id });
  return updated.length > 0;
}

async function changeTransactions(db: Database, writes: readonly OrderWrite[]): Promise<void> {
  const recorded = writes.flatMap(({ transaction }) =>
    transaction === null || 'ended' in transaction ? [] : [toTransactionRow(transaction)],
  );
  if (recorded.length > 0) await db.insert(orderTransactions).values(recorded);
  await Promise.all(
    writes.map(({ order, transaction }) =>
      transaction === null || !('ended' in transaction)
        ? undefined
        : endTransaction(db, order.id, transaction.ended),
    ),
  );
}

async function endTransaction(db: Database, orderId: string, ended: EndedTransaction): Promise<void> {
  const { number, outcome, signature, outputAmount, endedAt } = ended;
  const changed = await db
    .update(orderTransactions)
    .set({
      outcome,
      endedAt,
      ...(signature === undefined ? {} : { signature }),
      ...(outputAmount === undefined || outputAmount === null ? {} : { outputAmount: String(outputAmount) }),
    })
    .where(
      and(
        eq(orderTransactions.orderId, orderId),
        eq(orderTransactions.number, number),
        eq(orderTransactions.outcome, 'pending'),
      ),
    )
    .returning({ number: orderTransactions.number });
  // The order said that it is on its way, so the rows contradict each other. Nothing of this change may be stored.
  if (changed.length === 0) throw new Error(`transaction ${number} of the order ${orderId} is not pending`);
}

/**
 * Returns the changes that are stored exactly as they would be written. The time of the change may be a later one, because the
 * watermark of an order moves without another revision.
 */
async function readStored(db: Database, writes: readonly OrderWrite[]): Promise<ReadonlySet<OrderWrite>> {
  const ids = writes.map(({ order }) => order.id);
  const rows = await db.select().from(waitingOrders).where(inArray(waitingOrders.id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const same = writes.filter(({ order }) => {
    const row: Readonly<Record<string, unknown>> | undefined = byId.get(order.id);
    if (row === undefined) return false;
    const { updatedAt: _, ...columns } = toChangedColumns(order);
    return Object.entries(columns).every(([column, value]) => row[column] === value);
  });
  const found = await Promise.all(same.map((write) => isTransactionStored(db, write)));
  return new Set(same.filter((_, index) => found[index]));
}

async function isTransactionStored(db: Database, { order, transaction }: OrderWrite): Promise<boolean> {
  if (transaction === null) return true;
  const number = 'ended' in transaction ? transaction.ended.number : transaction.number;
  const [row] = await db
    .select({ signature: orderTransactions.signature, outcome: orderTransactions.outcome })
    .from(orderTransactions)
    .where(and(eq(orderTransactions.orderId, order.id), eq(orderTransactions.number, number)));
  if (row === undefined) return false;
  return 'ended' in transaction
    ? row.outcome === transaction.ended.outcome
    : row.signature === transaction.signature;
}
