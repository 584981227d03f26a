import type { ForecastSideTerms, PredictionMarket } from '../predictions/prediction.ts';

/** A market that is a side of a forecast. */
export interface ForecastMarket extends PredictionMarket {
  readonly forecast: ForecastSideTerms;
}

/** Whether a market is a side of a forecast. */
export function isForecastMarket(market: PredictionMarket): market is ForecastMarket {
  return market.forecast !== null;
}
