import type { PredictionHistoryRecords } from '../store/history-records.ts';
import { ALL_HOURS } from '../store/history-journal.ts';
import type { TradedVolume } from '../lists/prediction-lists.ts';

/** The volumes of 24 hours are those of the current hour and of so many before it. */
const HOURS_BEFORE = 23;
const NO_VOLUME: TradedVolume = { total: 0n, day: 0n };

/** What was traded on each market, in memory, as far as it was read from the record. */
export class MarketVolumes {
  readonly #records: Pick<PredictionHistoryRecords, 'listVolumes'>;
  readonly #isKnown: (marketIdHash: string) => boolean;
  /** By the hash of the market, and by the hour. */
  readonly #markets = new Map<string, Map<number, bigint>>();
  #entries = 0;
  #hour = 0;

  /** @param isKnown - Returns whether anybody can ask for a market. In each new hour, the others are forgotten. */
  constructor(
    records: Pick<PredictionHistoryRecords, 'listVolumes'>,
    isKnown: (marketIdHash: string) => boolean = () => true,
  ) {
    this.#records = records;
    this.#isKnown = isKnown;
  }

  /**
   * Reads what has changed.
   *
   * @param hour - The current hour, in hours since 1970.
   * @returns The hashes of the markets whose volume may have changed; null if that of any may have, as it is in a new hour.
   */
  async refresh(hour: number): Promise<readonly string[] | null> {
    const { volumes, entries } = await this.#records.listVolumes(this.#entries, hour - HOURS_BEFORE);
    const isNew = hour !== this.#hour || entries < this.#entries;
    if (entries < this.#entries) this.#markets.clear();
    for (const { marketIdHash, hour: at, amount } of volumes) {
      const hours = this.#markets.get(marketIdHash) ?? new Map<number, bigint>();
      this.#markets.set(marketIdHash, hours.set(at, amount));
    }
    if (hour !== this.#hour) this.#forgetHours(hour - HOURS_BEFORE);
    this.#entries = entries;
    this.#hour = hour;
    return isNew ? null : [...new Set(volumes.map(({ marketIdHash }) => marketIdHash))];
  }

  /** Returns what was traded on a market. */
  get(marketIdHash: string): TradedVolume {
    const hours = this.#markets.get(marketIdHash);
    if (hours === undefined) return NO_VOLUME;
    let day = 0n;
    for (const [hour, amount] of hours) {
      if (hour !== ALL_HOURS) day += amount;
    }
    return { total: hours.get(ALL_HOURS) ?? 0n, day };
  }

  #forgetHours(first: number): void {
    for (const [marketIdHash, hours] of this.#markets) {
      if (!this.#isKnown(marketIdHash)) this.#markets.delete(marketIdHash);
      for (const hour of hours.keys()) {
        if (hour !== ALL_HOURS && hour < first) hours.delete(hour);
      }
    }
  }
}
