import type { MarketData } from '../../../trades/market-data.ts';
import type { PriceAnswers } from '../answers.ts';

/** What the handlers of the product's endpoints are given. */
export interface PriceServices {
  readonly marketData: MarketData;
  /** Returns the Unix seconds of the network. */
  readonly clock: () => number;
  /** Returns milliseconds, from which durations are measured. */
  readonly now: () => number;
  /** Answers that were given since the last change, by `ids`. */
  readonly answers: PriceAnswers;
}
