import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { onOrOff, repeatable, whole } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

/** Prediction markets. */
export const PREDICTION_SETTINGS = {
  'prediction-refused-country': setting(
    repeatable(
      'Country whose callers get no answers about prediction markets, as two capital letters (ISO 3166). The country is that of `country-header` or `country-database`; a caller of an unknown country is not refused.',
    ),
    {
      allowed: 'two capital letters',
      accepts: (text) => /^[A-Z]{2}$/.test(text),
      field: 'refusedCountries',
      convert: (codes): ReadonlySet<string> => new Set(codes),
    },
  ),
  'prediction-order-hours': setField(
    'orderHours',
    whole(24, 1, 720, 'Hours for which an order with a price waits in the book of a prediction market.'),
  ),
  'prediction-history-days': setField(
    'historyDays',
    whole(
      0,
      0,
      36_500,
      'Days for which the events of orders and positions of prediction markets are kept. 0: for ever.',
    ),
  ),
  'demo-traders': setField(
    'demoTraders',
    onOrOff(
      true,
      'Let three wallets trade once on the prediction markets of a new embedded network, so that there are trades, profiles and leaderboards. They never trade with `production` or `rpc-url`, and only where `keeper` is on.',
    ),
  ),
};

export type PredictionConfig = SettingFields<typeof PREDICTION_SETTINGS>;

/** @param cwd - The folder from which relative paths start. */
export function toPredictionConfig(
  settings: SettingValues<typeof PREDICTION_SETTINGS>,
  cwd: string,
): PredictionConfig {
  return toFields(PREDICTION_SETTINGS, settings, cwd);
}
