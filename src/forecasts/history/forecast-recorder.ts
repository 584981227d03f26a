import type { HistoryCursor } from '../../chain/address-history.ts';
import type { EventRecorder } from '../../chain/events/followed-program.ts';
import { PredictionHistoryJournal } from '../../predictions/store/history-journal.ts';
import type { PredictionHistoryStep } from '../../predictions/store/history-steps.ts';
import type { Database, Store } from '../../store/index.ts';
import type { ForecastRounds } from '../forecast.ts';
import { ForecastCostRecords } from './cost-records.ts';
import type { ForecastStep } from './followed-forecasts.ts';
import { RoundLedger } from './round-ledger.ts';
import { ForecastRoundRecords } from './round-records.ts';

export interface ForecastRecorderOptions {
  readonly store: Store;
  /** The genesis hash. */
  readonly network: string;
  /** Finds a round that was opened before the record began. */
  readonly onChain: Pick<ForecastRounds, 'find'>;
  /** Called after events were recorded. */
  readonly onRecorded: () => void;
}

/**
 * Records the events of the forecast program on one network: rounds, what their tokens have cost, and rows in the history of
 * prediction markets. As there, each recording moves the cursor in the same transaction, so that each event counts once.
 */
export class ForecastRecorder implements EventRecorder<ForecastStep> {
  readonly #options: ForecastRecorderOptions;
  readonly #journal: PredictionHistoryJournal;
  readonly #rounds: ForecastRoundRecords;
  readonly #costs: ForecastCostRecords;
  readonly #ledger: RoundLedger;

  constructor(options: ForecastRecorderOptions) {
    const { network, onChain } = options;
    this.#options = options;
    this.#journal = new PredictionHistoryJournal(network);
    this.#rounds = new ForecastRoundRecords(network);
    this.#costs = new ForecastCostRecords(network);
    this.#ledger = new RoundLedger({ rounds: this.#rounds, costs: this.#costs, onChain });
  }

  /** Returns null if nobody has begun to follow the program. */
  async findCursor(): Promise<HistoryCursor | null> {
    return this.#journal.findCursor(this.#options.store.db, 'forecasts');
  }

  /** Begins to follow the program. Returns where: another instance may have begun a moment earlier. */
  async begin(cursor: HistoryCursor): Promise<HistoryCursor> {
    await this.#options.store.transaction(async (db) => {
      // Whatever program has seen that the network began again, the cursor of each is gone then, and here what belonged to it.
      if (await this.#journal.begin(db, 'forecasts', cursor)) await this.#clear(db);
    });
    return (await this.findCursor()) ?? cursor;
  }

  /**
   * Records what transactions did, and moves the cursor to the last of them.
   *
   * @param from - Where the caller has read on from.
   * @returns False if the cursor stands elsewhere. Nothing is recorded then.
   */
  async record(from: HistoryCursor, to: HistoryCursor, steps: readonly ForecastStep[]): Promise<boolean> {
    const isRecorded = await this.#options.store.transaction(async (db) => {
      if (!(await this.#journal.move(db, 'forecasts', { from, to }))) return false;
      const rows: PredictionHistoryStep[] = [];
      for (const step of steps) {
        for (const row of await this.#ledger.take(db, step)) rows.push(row);
      }
      await this.#journal.append(db, rows);
      return true;
    });
    if (isRecorded && steps.length > 0) this.#options.onRecorded();
    return isRecorded;
  }

  /**
   * Deletes everything about prediction markets that was read from the chain, because the network was created again with the same
   * genesis.
   *
   * @param from - Where the caller has found the cursor. If it stands elsewhere, another instance has done it.
   */
  async forget(from: HistoryCursor): Promise<void> {
    await this.#options.store.transaction(async (db) => {
      if (await this.#journal.forget(db, 'forecasts', from)) await this.#clear(db);
    });
  }

  async #clear(db: Database): Promise<void> {
    await this.#rounds.clear(db);
    await this.#costs.clear(db);
  }
}
