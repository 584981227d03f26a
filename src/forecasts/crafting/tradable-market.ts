import { formatForError } from '../../common/format-for-error.ts';
import { refuseOrder, refuseUnknown } from '../../predictions/prediction-refused.ts';
import { FORECAST_CLOSING_SECONDS } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { type ForecastMarket, isForecastMarket } from '../forecast-market.ts';
import type { ForecastCraftDependencies } from './forecast-dependencies.ts';

/**
 * Finds a side of a forecast that is traded now.
 * @throws PredictionRefused when it is not known, or its round trades nothing now
 */
export function requireTradableMarket(
  { events, quotes }: Pick<ForecastCraftDependencies, 'events' | 'quotes'>,
  marketId: string,
): ForecastMarket {
  const market = events.findMarket(marketId);
  if (market === null || !isForecastMarket(market)) {
    const message = `there is no forecast market ${formatForError(marketId)}`;
    return refuseUnknown('market_not_found', message, 'marketId');
  }
  if (quotes.getPrices(market.forecast) !== null) return market;
  const message = `The market ${marketId} is not tradable now: ${explainNoPrices(market)}`;
  return refuseOrder('bisonfi_market_not_tradable', message, 'marketId');
}

function explainNoPrices({ forecast: { lifecycle } }: ForecastMarket): string {
  if (lifecycle !== 'open') return `its round is ${lifecycle}`;
  return `its round closes within ${FORECAST_CLOSING_SECONDS} seconds, or its price feed is not current`;
}
