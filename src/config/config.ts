import { type CustodyConfig, toCustodyConfig } from './settings/groups/custody-settings.ts';
import { type ForecastConfig, toForecastConfig } from './settings/groups/forecast-settings.ts';
import { type HouseConfig, toHouseConfig } from './settings/groups/house-settings.ts';
import { type GasConfig, toGasConfig } from './settings/groups/gas-settings.ts';
import { type LaunchConfig, toLaunchConfig } from './settings/groups/launch-settings.ts';
import { type MakersConfig, toMakersConfig } from './settings/groups/makers-settings.ts';
import { type OutsideConfig, toOutsideConfig } from './settings/groups/outside-settings.ts';
import { type SendConfig, toSendConfig } from './settings/groups/send-settings.ts';
import { type SponsorConfig, toSponsorConfig } from './settings/groups/sponsor-settings.ts';
import { type StudioConfig, toStudioConfig } from './settings/groups/studio-settings.ts';
import { type TransportConfig, toTransportConfig } from './settings/groups/transport-settings.ts';
import { type TriggerConfig, toTriggerConfig } from './settings/groups/trigger-settings.ts';
import { type PredictionConfig, toPredictionConfig } from './settings/groups/prediction-settings.ts';
import { type SettingFields, toFields } from './settings/kinds/fields.ts';
import { DIRECT_SETTINGS, type Settings } from './settings/settings.ts';

/** The parsed configuration: numbers, URLs and absolute paths in place of texts, and null where an empty text means none. */
export interface Config extends SettingFields<typeof DIRECT_SETTINGS> {
  readonly makers: MakersConfig;
  readonly sponsor: SponsorConfig;
  /** The platform fees of the operator. Null when only referrers take fees. */
  readonly house: HouseConfig | null;
  readonly transport: TransportConfig;
  readonly trigger: TriggerConfig;
  readonly prediction: PredictionConfig;
  readonly forecasts: ForecastConfig;
  readonly send: SendConfig;
  readonly launches: LaunchConfig;
  readonly studio: StudioConfig;
  readonly gas: GasConfig;
  readonly custody: CustodyConfig;
  /** The outside RPC. Null for the embedded network. */
  readonly outside: OutsideConfig | null;
}

/**
 * Converts loaded settings to the fields that they declare.
 *
 * @param cwd - The folder from which relative paths start.
 */
export function toConfig(settings: Settings, cwd: string): Config {
  const direct = toFields(DIRECT_SETTINGS, settings, cwd);
  return {
    ...direct,
    keylessLocalLimit:
      settings.production || settings['rpc-url'] !== '' ? direct.keylessLimit : direct.keylessLocalLimit,
    makers: toMakersConfig(settings, cwd),
    sponsor: toSponsorConfig(settings, cwd),
    house: toHouseConfig(settings),
    transport: toTransportConfig(settings, cwd),
    trigger: toTriggerConfig(settings, cwd),
    prediction: toPredictionConfig(settings, cwd),
    forecasts: toForecastConfig(settings, cwd),
    send: toSendConfig(settings, cwd),
    launches: toLaunchConfig(settings, cwd),
    studio: toStudioConfig(settings, cwd),
    gas: toGasConfig(settings, cwd),
    custody: toCustodyConfig(settings, cwd),
    outside: toOutsideConfig(settings, cwd),
  };
}
