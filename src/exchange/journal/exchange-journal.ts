import { and, asc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database, Store } from '../../store/sql/sql.ts';
import type { JournalFields } from './command-codec.ts';
import { exchangeJournal, exchangeJournalHeads } from './journal-tables.ts';

/** A row of the journal has up to so many entries. */
const ENTRIES_IN_ROW = 500;
/** How many rows are read, or written by one statement. */
const ROWS_TOGETHER = 20;

/** Thrown by writes after another instance has opened the journal: it has read all that was written, and goes on from there. */
export class ExchangeDeposed extends Error {
  override readonly name: string = 'ExchangeDeposed';

  constructor() {
    super('another instance has opened the journal of the exchange');
  }
}

/** Thrown when a row is missing: the journal is damaged, or a snapshot has just taken the place of the rows before it. */
export class JournalGap extends Error {
  override readonly name: string = 'JournalGap';

  constructor(last: number, next: number) {
    super(`the journal of the exchange has row ${next} after row ${last}`);
  }
}

/** Where a journal ends. */
interface JournalHead {
  readonly epoch: number;
  /** The number of the last row; 0 before the first. */
  readonly sequence: number;
}

/**
 * The journal of a network's exchange in the store. One instance writes it at a time: whoever opens it raises its epoch, and a
 * write with an older one fails, even if it was on its way. A batch is written in one transaction, so that it is there as a
 * whole or not at all.
 *
 * @example
 * ```ts
 * import type { Store } from '../../store/index.ts';
 * import { ExchangeJournal } from './exchange-journal.ts';
 *
 * async function openJournal(store: Store, network: string): Promise<ExchangeJournal> {
 *   const journal = new ExchangeJournal(store, network);
 *   await journal.open();
 *   for await (const { entries } of journal.read()) console.log(entries[0]);
 *   return journal;
 * }
 * ```
 */
export class ExchangeJournal {
  readonly #store: Store;
  readonly #network: string;
  #head: JournalHead = { epoch: 0, sequence: 0 };

  /** @param network - The genesis hash of the network. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#network = network;
  }

  /** Becomes the only writer. */
  async open(): Promise<void> {
    this.#head = await this.#store.transaction(async (db) => {
      const [head] = await db
        .insert(exchangeJournalHeads)
        .values({ network: this.#network, epoch: 1, sequence: 0 })
        .onConflictDoUpdate({
          target: exchangeJournalHeads.network,
          set: { epoch: sql`${exchangeJournalHeads.epoch} + 1` },
        })
        .returning();
      if (head === undefined) throw new Error('the database returned no row for an upsert');
      return { epoch: head.epoch, sequence: head.sequence };
    });
  }

  /**
   * Reads the entries of each row after `sequence`, in their order.
   *
   * @throws JournalGap if a row is missing
   */
  async *read(
    sequence = 0,
  ): AsyncIterable<{ readonly sequence: number; readonly entries: readonly JournalFields[] }> {
    for (let last = sequence; ; ) {
      const rows = await readRows(this.#store.db, this.#network, last);
      for (const row of rows) {
        // The rows before the newest snapshot are gone.
        if (last !== 0 && row.sequence !== last + 1) {
          throw new JournalGap(last, row.sequence);
        }
        last = row.sequence;
        yield { sequence: row.sequence, entries: JSON.parse(row.entries) };
      }
      if (rows.length < ROWS_TOGETHER) return;
    }
  }

  /**
   * Requires that the journal, which was just opened, ends with a row.
   *
   * @throws Error if its last rows are missing
   */
  requireEnd(sequence: number): void {
    const { sequence: last } = this.#head;
    if (sequence === last) return;
    throw new Error(`the journal of the exchange should have row ${last}, and ends with row ${sequence}`);
  }

  /**
   * Appends entries. They are durable when it resolves.
   *
   * @throws ExchangeDeposed if another instance has opened the journal meanwhile
   */
  async append(entries: readonly JournalFields[]): Promise<void> {
    await this.#write(entries, false);
  }

  /** Appends a snapshot, and removes what is before it, in one step. */
  async replace(snapshot: readonly JournalFields[]): Promise<void> {
    await this.#write(snapshot, true);
  }

  async #write(entries: readonly JournalFields[], isSnapshot: boolean): Promise<void> {
    const { epoch, sequence: last } = this.#head;
    const rows = toRows(entries, this.#network, last);
    const sequence = last + rows.length;
    await this.#store.transaction(async (db) => {
      // The row stays locked until the transaction ends, so that who opens the journal waits for this batch or comes before it.
      const [head] = await db
        .update(exchangeJournalHeads)
        .set({ sequence })
        .where(and(eq(exchangeJournalHeads.network, this.#network), eq(exchangeJournalHeads.epoch, epoch)))
        .returning({ epoch: exchangeJournalHeads.epoch });
      if (head === undefined) throw new ExchangeDeposed();
      for (let at = 0; at < rows.length; at += ROWS_TOGETHER) {
        // After a write whose outcome was unknown, the same rows may be there already.
        await db
          .insert(exchangeJournal)
          .values(rows.slice(at, at + ROWS_TOGETHER))
          .onConflictDoNothing();
      }
      if (isSnapshot) {
        await db
          .delete(exchangeJournal)
          .where(and(eq(exchangeJournal.network, this.#network), lt(exchangeJournal.sequence, last + 1)));
      }
    });
    this.#head = { epoch, sequence };
  }
}

function readRows(db: Database, network: string, after: number) {
  const { sequence, entries } = exchangeJournal;
  return db
    .select({ sequence, entries })
    .from(exchangeJournal)
    .where(and(eq(exchangeJournal.network, network), gt(sequence, after)))
    .orderBy(asc(sequence))
    .limit(ROWS_TOGETHER);
}

function toRows(entries: readonly JournalFields[], network: string, last: number) {
  const rows: { network: string; sequence: number; entries: string }[] = [];
  for (let at = 0; at < entries.length; at += ENTRIES_IN_ROW) {
    const part = entries.slice(at, at + ENTRIES_IN_ROW);
    rows.push({ network, sequence: last + rows.length + 1, entries: JSON.stringify(part) });
  }
  return rows;
}
