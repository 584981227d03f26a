import { type SettingFields, type SettingValues, toFields } from '../kinds/fields.ts';
import { Type } from 'typebox';
import { address as toSolanaAddress, parseAddress } from '../../../solana/address.ts';
import { onOrOff } from '../kinds/kinds.ts';
import { setField, setting } from '../kinds/setting.ts';

/** Forecasts of prices. */
export const FORECAST_SETTINGS = {
  forecasts: setField(
    'isOn',
    onOrOff(
      true,
      'Serve forecasts, the markets on whether a price rises within minutes. On the embedded network, Sluice opens, settles and pays their rounds; over `rpc-url`, forecasts are served only with `forecast-feed`.',
    ),
  ),
  'forecast-feed': setting(
    Type.String({
      default: '',
      description:
        'Price feed whose forecasts are served over `rpc-url`. The network must have the forecast program with rounds on this feed. Empty: none are served there. The embedded network has a feed of its own.',
    }),
    {
      allowed: 'the address of a price feed',
      accepts: (text) => text === '' || parseAddress(text) !== null,
      field: 'feed',
      convert: (text) => (text === '' ? null : toSolanaAddress(text)),
    },
  ),
};

export type ForecastConfig = SettingFields<typeof FORECAST_SETTINGS>;

/** @param cwd - The folder from which relative paths start. */
export function toForecastConfig(
  settings: SettingValues<typeof FORECAST_SETTINGS>,
  cwd: string,
): ForecastConfig {
  return toFields(FORECAST_SETTINGS, settings, cwd);
}

/** Returns the settings of forecasts that contradict others, one sentence each. */
export function findForecastContradictions(
  settings: SettingValues<typeof FORECAST_SETTINGS> & { readonly 'rpc-url': string },
  sources: Readonly<Record<'forecasts' | 'forecast-feed', string>>,
): string[] {
  const feed = settings['forecast-feed'];
  if (feed === '') return [];
  const given = `forecast-feed from ${sources['forecast-feed']} is "${feed}"`;
  if (settings['rpc-url'] === '') {
    return [
      `${given}, but must be the address of a price feed, only together with rpc-url: the embedded network has forecasts on a feed of its own`,
    ];
  }
  return settings.forecasts ? [] : [`${given}, but forecasts from ${sources.forecasts} is false`];
}
