import { CUSTODY_SETTINGS } from './groups/custody-settings.ts';
import { FORECAST_SETTINGS } from './groups/forecast-settings.ts';
import { GAS_SETTINGS } from './groups/gas-settings.ts';
import { HOUSE_SETTINGS } from './groups/house-settings.ts';
import { LAUNCH_SETTINGS } from './groups/launch-settings.ts';
import { LOADED_SETTINGS } from './groups/loaded-settings.ts';
import { MAKERS_SETTINGS } from './groups/makers-settings.ts';
import { OBSERVATION_SETTINGS } from './groups/observation-settings.ts';
import { OUTSIDE_SETTINGS } from './groups/outside-settings.ts';
import { PREDICTION_SETTINGS } from './groups/prediction-settings.ts';
import { SEND_SETTINGS } from './groups/send-settings.ts';
import { SPONSOR_SETTINGS } from './groups/sponsor-settings.ts';
import { STATE_SETTINGS } from './groups/state-settings.ts';
import { STUDIO_SETTINGS } from './groups/studio-settings.ts';
import { TOKEN_SETTINGS } from './groups/token-settings.ts';
import { TRANSPORT_SETTINGS } from './groups/transport-settings.ts';
import { TRIGGER_SETTINGS } from './groups/trigger-settings.ts';
import { SETTING_NAMES, type SettingName } from './settings.ts';

/** Settings that belong together, for a reader who looks for one. */
export interface SettingGroup {
  readonly name: string;
  /** The page of the documentation about them, without its ending. */
  readonly docs: string;
}

const names = (table: object) => Object.keys(table) as SettingName[];

/** The first group that lists a setting has it. */
const GROUPS: readonly (SettingGroup & { readonly settings: readonly SettingName[] })[] = [
  {
    name: 'Ports',
    docs: 'operation',
    settings: [
      ...(['host', 'rest-port', 'admin-host', 'admin-port', 'grpc-host', 'grpc-port'] as const),
      ...(['landing-address', 'metrics-address', 'rpc-port', 'ws-port', 'portal'] as const),
    ],
  },
  {
    name: 'Limits',
    docs: 'operation',
    settings: [
      ...(['keyless-limit', 'keyless-local-limit', 'max-requests', 'max-waiting-requests'] as const),
      ...(['max-event-streams', 'max-body-bytes', 'max-header-bytes', 'request-timeout-ms'] as const),
      ...(['idle-timeout-ms', 'max-connections', 'stop-delay-ms', 'stop-timeout-ms'] as const),
    ],
  },
  {
    name: 'Callers and their addresses',
    docs: 'firewall',
    settings: ['trusted-proxy', 'country-header', 'country-database', 'network-database'],
  },
  {
    name: 'Log, metrics and traces',
    docs: 'operation',
    settings: [...names(OBSERVATION_SETTINGS), 'log-days', 'log-level', 'log-format'],
  },
  { name: 'TLS and other origins', docs: 'security', settings: names(TRANSPORT_SETTINGS) },
  { name: 'Databases and shared state', docs: 'scaling', settings: names(STATE_SETTINGS) },
  {
    name: 'Embedded network',
    docs: 'embedded-network',
    settings: ['seed', 'slot-ms', 'blockhash-slots', 'liquidator', ...names(LOADED_SETTINGS)],
  },
  { name: 'Outside RPC', docs: 'outside-rpc', settings: names(OUTSIDE_SETTINGS) },
  { name: 'Market makers', docs: 'makers', settings: names(MAKERS_SETTINGS) },
  {
    name: 'Sponsor and fees',
    docs: 'economics',
    settings: names({ ...SPONSOR_SETTINGS, ...HOUSE_SETTINGS }),
  },
  { name: 'Gas wallet', docs: 'trigger', settings: names(GAS_SETTINGS) },
  { name: 'Orders that wait', docs: 'trigger', settings: ['keeper', ...names(TRIGGER_SETTINGS)] },
  { name: 'Vault keys', docs: 'custody', settings: names(CUSTODY_SETTINGS) },
  {
    name: 'Predictions',
    docs: 'prediction',
    settings: names({ ...PREDICTION_SETTINGS, ...FORECAST_SETTINGS }),
  },
  {
    name: 'Launches and studio',
    docs: 'studio',
    settings: names({ ...LAUNCH_SETTINGS, ...STUDIO_SETTINGS }),
  },
  { name: 'Tokens and invites', docs: 'tokens', settings: names({ ...TOKEN_SETTINGS, ...SEND_SETTINGS }) },
  { name: 'Instance', docs: 'operation', settings: SETTING_NAMES },
];

/** The group of every setting. */
export const SETTING_GROUPS: ReadonlyMap<SettingName, SettingGroup> = new Map(
  SETTING_NAMES.map((name) => {
    const found = GROUPS.find(({ settings }) => settings.includes(name));
    if (found === undefined) throw new Error(`the setting ${name} is in no group`);
    return [name, { name: found.name, docs: found.docs }];
  }),
);
