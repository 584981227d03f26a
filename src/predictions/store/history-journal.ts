import { and, asc, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { HistoryCursor } from '../../chain/address-history.ts';
import type { Database } from '../../store/index.ts';
import { splitRows } from '../../store/sql/split-rows.ts';
import type { PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import { readHistoryRow, toHistoryColumns } from './history-rows.ts';
import {
  type HourlyVolume,
  type PredictionHistoryStep,
  sumVolumes,
  toHistoryEvents,
} from './history-steps.ts';
import { predictionCursors, predictionHistory, predictionVolumes } from './history-tables.ts';
import { addTotals, forgetTotals } from './totals/add-totals.ts';
import { predictionCounted } from './totals/total-tables.ts';

/** The hour under which the sum of all hours stands. */
export const ALL_HOURS = 0;

/** How many events one step counts that were recorded before there were totals. */
const COUNTED_IN_ONE_STEP = 500;

/** A program whose events stand in the history: that of orders on markets, and that of rounds on a price. */
export type HistoryProgram = 'orders' | 'forecasts';

const PROGRAMS: readonly HistoryProgram[] = ['orders', 'forecasts'];

/**
 * The events of several programs on one network, numbered together, and how far each program was read. Any number of
 * instances can write it at the same time.
 */
export class PredictionHistoryJournal {
  readonly #network: string;

  /** @param network - The genesis hash. */
  constructor(network: string) {
    this.#network = network;
  }

  /** Returns null if nobody has begun to follow the program. */
  async findCursor(db: Database, program: HistoryProgram): Promise<HistoryCursor | null> {
    const [row] = await db
      .select()
      .from(predictionCursors)
      .where(eq(predictionCursors.network, this.#toKey(program)));
    return row === undefined ? null : { signature: row.signature, slot: BigInt(row.slot) };
  }

  /** Begins to follow a program. Returns whether this call has begun: another instance may have a moment earlier. */
  async begin(db: Database, program: HistoryProgram, { signature, slot }: HistoryCursor): Promise<boolean> {
    const rows = await db
      .insert(predictionCursors)
      .values({ network: this.#toKey(program), signature, slot: Number(slot), entries: 0 })
      .onConflictDoNothing()
      .returning({ network: predictionCursors.network });
    return rows.length > 0;
  }

  /**
   * Moves the cursor of a program.
   *
   * @param db - In a transaction. A second instance waits here until it has ended, and then finds another cursor.
   * @returns False if the cursor is not at `from`. Then nothing may be recorded.
   */
  async move(
    db: Database,
    program: HistoryProgram,
    { from, to }: { readonly from: HistoryCursor; readonly to: HistoryCursor },
  ): Promise<boolean> {
    await this.#lockEntries(db);
    const moved = await db
      .update(predictionCursors)
      .set({ signature: to.signature, slot: Number(to.slot) })
      .where(this.#isAt(program, from))
      .returning({ network: predictionCursors.network });
    return moved.length > 0;
  }

  /**
   * Numbers events and adds them, with what they have traded. This is the one place that writes rows of the history.
   *
   * @param db - In the transaction that has moved the cursor of their program.
   */
  async append(
    db: Database,
    steps: readonly PredictionHistoryStep[],
  ): Promise<readonly PredictionHistoryEvent[]> {
    if (steps.length === 0) return [];
    const entries = await this.#lockEntries(db);
    const events = toHistoryEvents(steps, entries);
    const last = events.at(-1);
    if (last === undefined) return [];
    for (const some of splitRows(events)) {
      await db
        .insert(predictionHistory)
        .values(some.map((event) => ({ ...toHistoryColumns(event), network: this.#network })));
    }
    await db
      .update(predictionCursors)
      .set({ entries: last.id })
      .where(eq(predictionCursors.network, this.#toKey('orders')));
    for (const volume of sumVolumes(events)) {
      await this.#addVolume(db, volume, last.id);
      await this.#addVolume(db, { ...volume, hour: ALL_HOURS }, last.id);
    }
    // While earlier events are not counted, `countMissing` counts these after them.
    if ((await this.#readCounted(db)) === entries) await this.#count(db, events, last.id);
    return events;
  }

  /** Returns whether events may be recorded that the totals do not count. */
  async isBehind(db: Database): Promise<boolean> {
    const counted = await this.#readCounted(db);
    const [row] = await db
      .select({ entries: predictionCursors.entries })
      .from(predictionCursors)
      .where(eq(predictionCursors.network, this.#toKey('orders')));
    return row !== undefined && row.entries > counted;
  }

  /**
   * Counts some events in the totals that were recorded before there were totals.
   *
   * @param db - In a transaction. Whoever writes events waits until it has ended.
   */
  async countMissing(db: Database): Promise<void> {
    const entries = await this.#lockEntries(db);
    const counted = await this.#readCounted(db);
    if (counted >= entries) return;
    const rows = await db
      .select()
      .from(predictionHistory)
      .where(and(eq(predictionHistory.network, this.#network), gt(predictionHistory.number, counted)))
      .orderBy(asc(predictionHistory.number))
      .limit(COUNTED_IN_ONE_STEP);
    // Events that were removed before they were counted are not known any more.
    const to = rows.length < COUNTED_IN_ONE_STEP ? entries : (rows.at(-1)?.number ?? entries);
    await this.#count(db, rows.map(readHistoryRow), to);
  }

  /**
   * Deletes everything about all programs, because the network was created again with the same genesis. They are numbered
   * together, so they begin again together.
   *
   * @param db - In a transaction.
   * @param from - Where the caller has found the cursor of its program. If it stands elsewhere, another instance has done it.
   * @returns Whether this call has deleted it.
   */
  async forget(db: Database, program: HistoryProgram, from: HistoryCursor): Promise<boolean> {
    await this.#lockEntries(db);
    const gone = await db
      .delete(predictionCursors)
      .where(this.#isAt(program, from))
      .returning({ network: predictionCursors.network });
    if (gone.length === 0) return false;
    const keys = PROGRAMS.map((each) => this.#toKey(each));
    await db.delete(predictionCursors).where(inArray(predictionCursors.network, keys));
    await db.delete(predictionHistory).where(eq(predictionHistory.network, this.#network));
    await db.delete(predictionVolumes).where(eq(predictionVolumes.network, this.#network));
    await forgetTotals(db, this.#network);
    return true;
  }

  /**
   * Returns how many events have got a number. Whoever moves a cursor waits here until this transaction has ended: as everybody
   * locks this row first, no two wait for each other.
   */
  async #lockEntries(db: Database): Promise<number> {
    const [row] = await db
      .insert(predictionCursors)
      .values({ network: this.#toKey('orders'), signature: null, slot: 0, entries: 0 })
      .onConflictDoUpdate({
        target: predictionCursors.network,
        set: { entries: sql`${predictionCursors.entries}` },
      })
      .returning({ entries: predictionCursors.entries });
    if (row === undefined) throw new Error('the events of prediction markets have no count');
    return row.entries;
  }

  async #readCounted(db: Database): Promise<number> {
    const [row] = await db
      .select({ number: predictionCounted.number })
      .from(predictionCounted)
      .where(eq(predictionCounted.network, this.#network));
    return row?.number ?? 0;
  }

  async #count(db: Database, events: readonly PredictionHistoryEvent[], number: number): Promise<void> {
    await addTotals(db, this.#network, events);
    await db
      .insert(predictionCounted)
      .values({ network: this.#network, number })
      .onConflictDoUpdate({ target: predictionCounted.network, set: { number } });
  }

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

  #isAt(program: HistoryProgram, { signature, slot }: HistoryCursor): SQL | undefined {
    const { network, signature: column, slot: slotColumn } = predictionCursors;
    const isSame = signature === null ? isNull(column) : eq(column, signature);
    return and(eq(network, this.#toKey(program)), isSame, eq(slotColumn, Number(slot)));
  }

  #toKey(program: HistoryProgram): string {
    return program === 'orders' ? this.#network : `${this.#network} ${program}`;
  }
}
