import type { PredictionEvents, PredictionExchange } from '../../predictions/prediction.ts';
import { isForecastMarket } from '../forecast-market.ts';
import type { ForecastBook, ForecastBookLevel, ForecastQuotes } from './forecast-quotes.ts';

/** The book of a market, as the exchange has it. */
type ExchangeBook = NonNullable<ReturnType<PredictionExchange['getBook']>>;

const MICRO_PER_DOLLAR = 1_000_000n;

/**
 * Adds the prices and books of forecasts to those of the exchange. A forecast has those of its yes contracts alone: the other
 * side of the round is a market of its own.
 */
export function addForecastPrices(
  exchange: PredictionExchange,
  { findMarket }: Pick<PredictionEvents, 'findMarket'>,
  quotes: ForecastQuotes,
): PredictionExchange {
  const findForecast = (marketId: string) => {
    const market = findMarket(marketId);
    return market !== null && isForecastMarket(market) ? market.forecast : null;
  };
  return {
    onChange: exchange.onChange,
    estimateBuy: exchange.estimateBuy,
    estimateSell: exchange.estimateSell,
    getPrices: (marketId) => {
      const forecast = findForecast(marketId);
      if (forecast === null) return exchange.getPrices(marketId);
      const prices = quotes.getPrices(forecast);
      if (prices === null) return null;
      return { buyYes: prices.buy, sellYes: prices.sell, buyNo: null, sellNo: null };
    },
    getBook: (marketId) => {
      const forecast = findForecast(marketId);
      if (forecast === null) return exchange.getBook(marketId);
      const book = quotes.getBook(forecast);
      return book === null ? null : toExchangeBook(book);
    },
  };
}

/** Bids are from the lowest price to the highest. An ask for yes at a price is a bid for no at the rest of a dollar. */
function toExchangeBook({ bids, asks }: ForecastBook): ExchangeBook {
  const toNo = ({ price, contracts }: ForecastBookLevel) => ({ price: MICRO_PER_DOLLAR - price, contracts });
  return { yes: bids.toReversed(), no: asks.map(toNo).reverse() };
}
