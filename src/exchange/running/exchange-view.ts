import { repeatWithPauses, type Timers } from '../../common/ports/timers.ts';
import type { Store } from '../../store/sql/sql.ts';
import { ExchangeReader, findCommandMarket } from '../books/exchange-reader.ts';
import { ExchangeState } from '../books/exchange-state.ts';
import { decodeCommand } from '../journal/command-codec.ts';
import { ExchangeJournal, JournalGap } from '../journal/exchange-journal.ts';
import { applyEntry, isSnapshotBegin } from '../journal/state-codec.ts';

const REFRESH_MS = 250;

/** The books of an exchange that another instance runs, as its journal has them. They are a fraction of a second old. */
export class ExchangeView extends ExchangeReader {
  readonly #journal: ExchangeJournal;
  #state = new ExchangeState();
  /** The last row of the journal that is in the state. */
  #sequence = 0;
  #stop: () => void = () => undefined;

  constructor(store: Store, network: string) {
    super();
    this.#journal = new ExchangeJournal(store, network);
  }

  protected get state(): ExchangeState {
    return this.#state;
  }

  /** Reads what was written since the last time. */
  async refresh(): Promise<void> {
    try {
      await this.#readOn();
    } catch (error) {
      if (!(error instanceof JournalGap)) throw error;
      // A snapshot has taken the place of rows that were not read yet.
      await this.#readAnew();
    }
  }

  /** Refreshes itself again and again until it is closed. */
  follow(timers: Pick<Timers, 'after'>, onError: (error: unknown) => void): void {
    this.#stop = repeatWithPauses(REFRESH_MS, () => this.refresh(), timers, onError);
  }

  close(): void {
    this.#stop();
  }

  async #readOn(): Promise<void> {
    const changed = new Set<string>();
    for await (const { sequence, entries } of this.#journal.read(this.#sequence)) {
      if (isSnapshotBegin(entries)) return this.#readAnew();
      for (const entry of entries) {
        const command = decodeCommand(entry);
        const marketId = command === null ? null : findCommandMarket(this.#state, command);
        applyEntry(this.#state, entry);
        if (marketId !== null) changed.add(marketId);
      }
      this.#sequence = sequence;
    }
    this.notify(changed);
  }

  async #readAnew(): Promise<void> {
    const state = new ExchangeState();
    let last = 0;
    for await (const { sequence, entries } of this.#journal.read()) {
      for (const entry of entries) applyEntry(state, entry);
      last = sequence;
    }
    const changed = new Set([...this.#state.markets.keys(), ...state.markets.keys()]);
    this.#state = state;
    this.#sequence = last;
    this.notify(changed);
  }
}
