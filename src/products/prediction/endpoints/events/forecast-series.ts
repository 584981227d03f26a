import { Type } from 'typebox';
import type { ForecastPoint } from '../../../../forecasts/forecast.ts';
import { MICRO_PER_CONTRACT } from '../../../../exchange/exchange.ts';
import type { PredictionMarket } from '../../../../predictions/prediction.ts';
import { LazyList, writeJsonInTurns } from '../../../json-in-turns.ts';
import { named } from '../../../named-schema.ts';
import { defineQuery, defineText } from '../../../parameters/parameter.ts';
import { refuseParameter } from '../event-parameters.ts';
import { definePredictionEndpoint } from '../prediction-endpoint.ts';
import { MARKET_EXAMPLE, requireMarket } from './event-markets.ts';

const ForecastSeriesJson = named(
  'PredictionForecast',
  Type.Object({
    forecast_history: Type.Array(
      Type.Object({
        market_ticker: Type.String({ description: 'The id of the market.' }),
        event_ticker: Type.String({ description: 'The id of its event.' }),
        end_period_ts: Type.Integer({ description: 'When the period ended, in Unix seconds.' }),
        period_interval: Type.Integer({ description: 'The length of a period, in seconds.' }),
        numerical_forecast: Type.Number({ description: 'The chance of yes in percent, to a hundredth.' }),
        raw_numerical_forecast: Type.Number({ description: 'The chance of yes, from 0 to 1.' }),
        formatted_forecast: Type.String({ description: 'The chance as text, such as `57.4%`.' }),
      }),
      { description: 'The oldest first. A period in which nothing changed is left out.' },
    ),
  }),
);

const marketIdText = defineText(
  Type.String({ minLength: 1, description: 'The id of the market.' }),
  (given) => given,
);
const QUERY = defineQuery({ marketId: marketIdText }, refuseParameter);
const MICRO_PER_PERCENT_DIGIT = 100n;

/** `GET /forecast`: how the chance of a market went. */
export const getForecastSeries = definePredictionEndpoint({
  method: 'GET',
  path: '/prediction/v1/forecast',
  operationId: 'GetPredictionForecast',
  summary: 'How the chance of a market went',
  description:
    'Returns what was recorded of the chance that yes of a market wins. Of a forecast it is the fair price of its side, otherwise what the order book says.',
  example: { query: MARKET_EXAMPLE.params },
  query: QUERY.schema,
  answer: ForecastSeriesJson,
  handle: async (desk, { query, work }) => {
    const market = requireMarket(desk, QUERY.reader(query)('marketId'));
    const series = desk.forecasts?.series ?? null;
    const points = series === null ? [] : await series.list(market.marketId);
    const seconds = series?.periodOf(market.marketId) ?? 0;
    return writeJsonInTurns(
      { forecast_history: new LazyList(points, (point) => toPointForm(point, market, seconds)) },
      work,
    );
  },
});

function toPointForm(
  { at, price }: ForecastPoint,
  { marketId, eventId }: Pick<PredictionMarket, 'marketId' | 'eventId'>,
  seconds: number,
) {
  const hundredths = Number((price + MICRO_PER_PERCENT_DIGIT / 2n) / MICRO_PER_PERCENT_DIGIT);
  return {
    market_ticker: marketId,
    event_ticker: eventId,
    end_period_ts: at,
    period_interval: seconds,
    numerical_forecast: hundredths / 100,
    raw_numerical_forecast: Number(price) / Number(MICRO_PER_CONTRACT),
    formatted_forecast: `${(hundredths / 100).toFixed(1)}%`,
  };
}
