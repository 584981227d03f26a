import { and, eq, isNull, type SQL } from 'drizzle-orm';
import type { HistoryCursor } from '../../chain/address-history.ts';
import type { EventRecorder } from '../../chain/events/followed-program.ts';
import type { Database, Store } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import { toHistoryColumns } from './history-rows.ts';
import {
  type HourlyVolume,
  toHistoryEvents,
  type PredictionHistoryStep,
  sumVolumes,
} from './history-steps.ts';
import { predictionCursors, predictionHistory, predictionVolumes } from './history-tables.ts';

/** The hour under which the sum of all hours stands. */
export const ALL_HOURS = 0;

/**
 * Records the events of the program on one network, what they have traded, and how far they were read. Every recording moves the
 * cursor in the same transaction, and is done only if the cursor still stands where the caller has read on from. So any number of
 * instances can record the same events at the same time, or crash at any point: each event counts once.
 */
export class PredictionHistoryRecorder implements EventRecorder<PredictionHistoryStep> {
  readonly #store: Store;
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Returns null if nobody has begun to follow the program. */
  async findCursor(): Promise<HistoryCursor | null> {
    const [row] = await this.#store.db
      .select()
      .from(predictionCursors)
      .where(eq(predictionCursors.network, this.#network));
    return row === undefined ? null : { signature: row.signature, slot: BigInt(row.slot) };
  }

  /** Begins to follow the program. Returns where: another instance may have begun a moment earlier. */
  async begin({ signature, slot }: HistoryCursor): Promise<HistoryCursor> {
    await this.#store.db
      .insert(predictionCursors)
      .values({ network: this.#network, signature, slot: Number(slot), entries: 0 })
      .onConflictDoNothing();
    return (await this.findCursor()) ?? { signature, slot };
  }

  /**
   * Records what transactions did, and moves the cursor to the last of them.
   *
   * @param from - Where the caller has read on from.
   * @returns False if the cursor stands elsewhere. Nothing is recorded then.
   */
  async record(
    from: HistoryCursor,
    to: HistoryCursor,
    steps: readonly PredictionHistoryStep[],
  ): Promise<boolean> {
    return this.#store.transaction(async (db) => {
      // A second instance waits here until the transaction of the first has ended, and then finds another cursor.
      const [moved] = await db
        .update(predictionCursors)
        .set({ signature: to.signature, slot: Number(to.slot) })
        .where(this.#isAt(from))
        .returning({ entries: predictionCursors.entries });
      if (moved === undefined) return false;
      const events = toHistoryEvents(steps, moved.entries);
      if (events.length === 0) return true;
      for (const some of splitRows(events)) {
        await db
          .insert(predictionHistory)
          .values(some.map((event) => ({ ...toHistoryColumns(event), network: this.#network })));
      }
      const entries = moved.entries + events.length;
      await db.update(predictionCursors).set({ entries }).where(eq(predictionCursors.network, this.#network));
      for (const volume of sumVolumes(events)) {
        await this.#addVolume(db, volume, entries);
        await this.#addVolume(db, { ...volume, hour: ALL_HOURS }, entries);
      }
      return true;
    });
  }

  /**
   * Deletes everything about the program, because the network was created again with the same genesis.
   *
   * @param from - Where the caller has found the cursor. If it stands elsewhere, another instance has done it.
   */
  async forget(from: HistoryCursor): Promise<void> {
    await this.#store.transaction(async (db) => {
      const gone = await db
        .delete(predictionCursors)
        .where(this.#isAt(from))
        .returning({ network: predictionCursors.network });
      if (gone.length === 0) return;
      await db.delete(predictionHistory).where(eq(predictionHistory.network, this.#network));
      await db.delete(predictionVolumes).where(eq(predictionVolumes.network, this.#network));
    });
  }

  /** The moved cursor keeps others from adding at the same time. */
  async #addVolume(
    db: Database,
    { marketIdHash, hour, amount }: HourlyVolume,
    number: number,
  ): Promise<void> {
    const isRow = and(
      eq(predictionVolumes.network, this.#network),
      eq(predictionVolumes.marketIdHash, marketIdHash),
      eq(predictionVolumes.hour, hour),
    );
    const [known] = await db
      .select({ amount: predictionVolumes.amount })
      .from(predictionVolumes)
      .where(isRow);
    if (known === undefined) {
      const row = { network: this.#network, marketIdHash, hour, amount: String(amount), number };
      await db.insert(predictionVolumes).values(row);
      return;
    }
    const sum = String(BigInt(known.amount) + amount);
    await db.update(predictionVolumes).set({ amount: sum, number }).where(isRow);
  }

  #isAt({ signature, slot }: HistoryCursor): SQL | undefined {
    const { network, signature: column, slot: slotColumn } = predictionCursors;
    const isSame = signature === null ? isNull(column) : eq(column, signature);
    return and(eq(network, this.#network), isSame, eq(slotColumn, Number(slot)));
  }
}
