import type { Timers } from '../../common/ports/timers.ts';
import { ConstraintViolated, type LogDatabase, type Statement } from './log-database.ts';

export interface RowWriterOptions<Row> {
  readonly database: Pick<LogDatabase, 'write'>;
  readonly timers: Pick<Timers, 'after'>;
  /** Milliseconds that a row waits for others. An instance that is killed loses what waits. */
  readonly flushMs: number;
  /** The most rows that wait. If there are more, the oldest of them are lost. */
  readonly maxWaiting: number;
  /** The most rows that are written together, in one transaction. */
  readonly rowsAtOnce: number;
  /** Returns the statements that write the rows. No two of the rows have the same key. */
  readonly toStatements: (rows: readonly Row[]) => readonly Statement[];
  /** Joins a row that waits with a newer one of the same key. Default: the newer one replaces it. */
  readonly join?: (waiting: Row, newer: Row) => Row;
  /** Called when rows could not be written. They are written later, unless the tables refuse them. */
  readonly onDefect: (error: unknown) => void;
}

/** After a failure, nothing is written for this long. */
const RETRY_MS = 2_000;

/**
 * Writes rows to the database of the request log in the background: each row waits for a moment, is joined with newer rows
 * of its key, and is written together with others. `put` never waits.
 *
 * @example
 * ```ts
 * import type { RowWriter } from './row-writer.ts';
 *
 * async function writeNow(rows: RowWriter<readonly string[]>): Promise<void> {
 *   rows.put('one', ['one', 'first']);
 *   await rows.flush();
 * }
 * ```
 */
export class RowWriter<Row> {
  readonly #options: RowWriterOptions<Row>;
  /** By key, the oldest first. */
  #waiting = new Map<string, Row>();
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;
  #lost = 0;
  /** Rows that were given to the database, which has not taken them yet. */
  #underWay = 0;

  constructor(options: RowWriterOptions<Row>) {
    this.#options = options;
  }

  /** The number of rows that were lost, because too many waited or the tables refused them. */
  get lost(): number {
    return this.#lost;
  }

  /** The number of rows that wait to be written, with those that the database has not taken yet. */
  get waiting(): number {
    return this.#waiting.size + this.#underWay;
  }

  put(key: string, row: Row): void {
    const waiting = this.#waiting.get(key);
    this.#waiting.set(key, waiting === undefined ? row : this.#join(waiting, row));
    if (this.#waiting.size > this.#options.maxWaiting) this.#dropOldest();
    this.#schedule(this.#options.flushMs);
  }

  /** Resolves when the rows that wait now are written, or an attempt to write them has failed. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes the waiting rows, and stops. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.flush();
  }

  #join(waiting: Row, newer: Row): Row {
    const { join } = this.#options;
    return join === undefined ? newer : join(waiting, newer);
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting.keys();
    if (oldest !== undefined) this.#waiting.delete(oldest);
    this.#lost++;
  }

  #schedule(delay: number): void {
    if (this.#cancel !== null || this.#isClosed) return;
    this.#cancel = this.#options.timers.after(delay, () => {
      this.#cancel = null;
      void this.flush();
    });
  }

  async #write(): Promise<void> {
    // Rows that come in the meantime wait for others, because a small batch costs almost as much as a full one.
    let left = this.#waiting.size;
    while (left > 0) {
      const batch = [...this.#waiting].slice(0, this.#options.rowsAtOnce);
      for (const [key] of batch) this.#waiting.delete(key);
      this.#underWay = batch.length;
      try {
        await this.#writeRows(batch.map(([, row]) => row));
        left -= batch.length;
      } catch (error) {
        this.#waitAgain(batch);
        this.#options.onDefect(error);
        this.#schedule(RETRY_MS);
        return;
      } finally {
        this.#underWay = 0;
      }
    }
  }

  /** Puts rows that could not be written back in front of all others, which are newer. */
  #waitAgain(batch: readonly (readonly [string, Row])[]): void {
    const noted = this.#waiting;
    this.#waiting = new Map(batch);
    for (const [key, row] of noted) {
      const earlier = this.#waiting.get(key);
      this.#waiting.set(key, earlier === undefined ? row : this.#join(earlier, row));
    }
    while (this.#waiting.size > this.#options.maxWaiting) this.#dropOldest();
  }

  /** A row that the tables will never accept is dropped, so that it does not block the others. */
  async #writeRows(rows: readonly Row[]): Promise<void> {
    const { database, toStatements, onDefect } = this.#options;
    try {
      await database.write(toStatements(rows));
    } catch (error) {
      if (!(error instanceof ConstraintViolated)) throw error;
      if (rows.length === 1) {
        this.#lost++;
        onDefect(error);
        return;
      }
      const half = Math.ceil(rows.length / 2);
      await this.#writeRows(rows.slice(0, half));
      await this.#writeRows(rows.slice(half));
    }
  }
}
