import type { MarketData } from '../../../trades/market-data.ts';
import type { Address } from '../../../solana/address.ts';
import type { PriceAnswers } from '../answers.ts';
import type { ExtraInfo } from '../extra-info/extra-info.ts';

/** What the handlers of the product's endpoints are given. */
export interface PriceServices {
  readonly marketData: MarketData;
  /** Returns what `/price/v2` says about a mint beside its price. It searches for routes. */
  readonly extraInfo: (mint: Address) => ExtraInfo;
  /** Returns the Unix seconds of the network. */
  readonly clock: () => number;
  /** Returns milliseconds, from which durations are measured. */
  readonly now: () => number;
  /** Answers that were given since the last change, by `ids`. */
  readonly answers: PriceAnswers;
}
