import type { MarketData } from '../../../market-data/market-data.ts';
import type { Address } from '../../../solana/address.ts';
import type { PriceAnswers } from './answers.ts';
import type { ExtraInfo } from '../extra-info/extra-info.ts';

/** The services of the price endpoints. */
export interface PriceServices {
  readonly marketData: MarketData;
  /** Returns what `/price/v2` says about a mint beside its price. It searches for routes. */
  readonly extraInfo: (mint: Address) => ExtraInfo;
  /** Returns the network's time in Unix seconds. */
  readonly clock: () => number;
  /** Returns monotonic milliseconds, for durations. */
  readonly now: () => number;
  /** The cached answers, by `ids`. */
  readonly answers: PriceAnswers;
}
