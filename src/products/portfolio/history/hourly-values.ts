import { Unavailable } from '../../../common/unavailable.ts';
import { type Timers, repeatWithPauses } from '../../../common/ports/timers.ts';
import type { Portfolio } from '../evaluation/evaluate.ts';
import type { Portfolios } from '../evaluation/portfolios.ts';
import { sumKnown } from '../valuation/money.ts';
import { HOUR_MS, type ValueStore } from './value-store.ts';

export interface HourlyValuesOptions {
  readonly store: ValueStore;
  readonly portfolios: Pick<Portfolios, 'of'>;
  readonly timers: Timers;
  readonly onDefect: (error: unknown) => void;
}

/** The interval of passes, and the most wallets that a pass evaluates, one after another. */
const PASS_MS = 60_000;
const MAX_OF_PASS = 100;

/**
 * Records what followed wallets are worth, once an hour. A wallet that cannot be evaluated completely is tried again in the
 * next pass, until the hour is over: an incomplete sum would look like a loss.
 */
export class HourlyValues {
  readonly #options: HourlyValuesOptions;
  readonly #stop: () => void;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: HourlyValuesOptions) {
    this.#options = options;
    const pass = () => {
      this.#running = this.pass().catch((error: unknown) => this.#report(error));
      return this.#running;
    };
    this.#stop = repeatWithPauses(PASS_MS, pass, options.timers, options.onDefect);
  }

  /** Evaluates the wallets that have no value for this hour. */
  async pass(): Promise<void> {
    const { store, timers } = this.#options;
    const hour = Math.floor(timers.now() / HOUR_MS) * HOUR_MS;
    await store.prune(timers.now());
    for (const owner of await store.unvalued(hour, MAX_OF_PASS)) {
      if (this.#isClosed) return;
      if (!(await store.claim(owner, hour))) continue;
      let value: number | null = null;
      try {
        const request = { owner, platforms: null, hideSpam: false };
        value = completeValue(await this.#options.portfolios.of(request));
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
      } finally {
        await store.settle(owner, hour, value);
      }
    }
  }

  /** Stops the passes. Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    await this.#running;
  }

  /** If the database does not answer, the next pass tries again. */
  #report(error: unknown): void {
    if (!(error instanceof Unavailable)) this.#options.onDefect(error);
  }
}

/** Returns dollars; null if a fetcher failed. Assets that are left out in every hour do not look like a loss. */
function completeValue({ outcomes, elements }: Portfolio): number | null {
  if (outcomes.some(({ error, isLeftOut = false }) => error !== null && !isLeftOut)) return null;
  return sumKnown(elements.map(({ value }) => value));
}
