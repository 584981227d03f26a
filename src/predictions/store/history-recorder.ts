import type { HistoryCursor } from '../../chain/address-history.ts';
import type { EventRecorder } from '../../chain/events/followed-program.ts';
import type { Store } from '../../store/index.ts';
import { PredictionHistoryJournal } from './history-journal.ts';
import type { PredictionHistoryStep } from './history-steps.ts';

/**
 * Records the events of the program of orders on one network, what they have traded, and how far they were read. Every recording
 * moves the cursor in the same transaction, and is done only if the cursor still stands where the caller has read on from. So any
 * number of instances can record the same events at the same time, or crash at any point: each event counts once.
 */
export class PredictionHistoryRecorder implements EventRecorder<PredictionHistoryStep> {
  readonly #store: Store;
  readonly #journal: PredictionHistoryJournal;

  /** @param network - The genesis hash. */
  constructor(store: Store, network: string) {
    this.#store = store;
    this.#journal = new PredictionHistoryJournal(network);
  }

  /** Returns null if nobody has begun to follow the program. */
  async findCursor(): Promise<HistoryCursor | null> {
    return this.#journal.findCursor(this.#store.db, 'orders');
  }

  /** Begins to follow the program. Returns where: another instance may have begun a moment earlier. */
  async begin(cursor: HistoryCursor): Promise<HistoryCursor> {
    await this.#journal.begin(this.#store.db, 'orders', cursor);
    return (await this.findCursor()) ?? cursor;
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
      if (!(await this.#journal.move(db, 'orders', { from, to }))) return false;
      await this.#journal.append(db, steps);
      return true;
    });
  }

  /**
   * Deletes everything about prediction markets that was read from the chain, because the network was created again with the same
   * genesis.
   *
   * @param from - Where the caller has found the cursor. If it stands elsewhere, another instance has done it.
   */
  async forget(from: HistoryCursor): Promise<void> {
    await this.#store.transaction((db) => this.#journal.forget(db, 'orders', from));
  }
}
