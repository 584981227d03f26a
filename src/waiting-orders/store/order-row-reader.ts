import type { WaitingOrder } from '../waiting-order.ts';
import { readOrderRow } from './order-rows.ts';
import type { OrderRow } from './plan-rows.ts';

/** Rows of which it is remembered that they cannot be read. */
const MAX_UNREADABLE = 1_000;

/** Reads the rows of lists. It leaves a row out that cannot be read, so that it hides no other order, and reports each once. */
export class OrderRowReader {
  readonly #onUnreadable: (id: string, error: unknown) => void;
  readonly #unreadable = new Set<string>();

  constructor(onUnreadable: (id: string, error: unknown) => void = () => undefined) {
    this.#onUnreadable = onUnreadable;
  }

  read(rows: readonly OrderRow[]): readonly WaitingOrder[] {
    return rows.flatMap((row) => {
      try {
        return [readOrderRow(row)];
      } catch (error) {
        this.#report(row.id, error);
        return [];
      }
    });
  }

  /**
   * Reads a page. It reads on in place of rows that cannot be read, because a short page is the last one.
   *
   * @param select - Returns so many rows from the beginning of the page.
   */
  async readPage(
    limit: number,
    select: (limit: number) => PromiseLike<readonly OrderRow[]>,
  ): Promise<readonly WaitingOrder[]> {
    for (let selected = limit; ; ) {
      const rows = await select(selected);
      const read = this.read(rows);
      if (read.length >= limit || rows.length < selected) return read.slice(0, limit);
      selected += rows.length - read.length;
    }
  }

  /** Reads transactions. It leaves those out that cannot be read, and reports each of their orders once. */
  readTransactions<Row extends { readonly orderId: string; readonly number: number }, Read>(
    rows: readonly Row[],
    readRow: (row: Row) => Read,
  ): readonly Read[] {
    return rows.flatMap((row) => {
      try {
        return [readRow(row)];
      } catch (cause) {
        this.#report(row.orderId, new Error(`its transaction ${row.number} cannot be read`, { cause }));
        return [];
      }
    });
  }

  #report(id: string, error: unknown): void {
    if (this.#unreadable.has(id) || this.#unreadable.size >= MAX_UNREADABLE) return;
    this.#unreadable.add(id);
    this.#onUnreadable(id, error);
  }
}
