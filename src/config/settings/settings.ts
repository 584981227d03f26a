import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { DEFAULT_SEED } from '../../protocol/genesis/keys.ts';
import type { SettingValues } from './kinds/fields.ts';
import { address, file, host, onOrOff, toTextOrNull, port, repeatable, whole } from './kinds/kinds.ts';
import { CUSTODY_SETTINGS } from './groups/custody-settings.ts';
import { FORECAST_SETTINGS } from './groups/forecast-settings.ts';
import { HOUSE_SETTINGS } from './groups/house-settings.ts';
import { GAS_SETTINGS } from './groups/gas-settings.ts';
import { LAUNCH_SETTINGS } from './groups/launch-settings.ts';
import { LOADED_SETTINGS } from './groups/loaded-settings.ts';
import { MAKERS_SETTINGS } from './groups/makers-settings.ts';
import { OBSERVATION_SETTINGS } from './groups/observation-settings.ts';
import { OUTSIDE_SETTINGS } from './groups/outside-settings.ts';
import { PREDICTION_SETTINGS } from './groups/prediction-settings.ts';
import { setting } from './kinds/setting.ts';
import { SEND_SETTINGS } from './groups/send-settings.ts';
import { SPONSOR_SETTINGS } from './groups/sponsor-settings.ts';
import { STATE_SETTINGS } from './groups/state-settings.ts';
import { STUDIO_SETTINGS } from './groups/studio-settings.ts';
import { TOKEN_SETTINGS } from './groups/token-settings.ts';
import { TRANSPORT_SETTINGS } from './groups/transport-settings.ts';
import { TRIGGER_SETTINGS } from './groups/trigger-settings.ts';

const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const GENERAL_SETTINGS = {
  'data-dir': setting(
    Type.String({
      minLength: 1,
      default: '.sluice',
      description:
        "Folder for the network's state, the databases, the demo wallet's key and the demo API key.",
    }),
    { allowed: 'the path of a folder', convert: (path, cwd) => resolve(cwd, path) },
  ),
  ephemeral: onOrOff(
    false,
    'Keep nothing: use a temporary folder instead of `data-dir`, and remove it at the end.',
  ),
  seed: setting(
    Type.String({
      minLength: 1,
      maxLength: 100,
      default: DEFAULT_SEED,
      description: 'Text that the genesis of the embedded network and all its keys are derived from.',
    }),
    { allowed: '1 to 100 characters' },
  ),
  host: host(
    'Address that the REST, Solana RPC and WebSocket ports listen on. An address beyond this machine requires `admin-credential`, and that `production` is given, as true or false.',
  ),
  'admin-host': host(
    "Address that the admin port listens on. An address beyond this machine requires `admin-credential`. The network's controls for tests are still served to loopback only.",
  ),
  'admin-credential': setting(
    Type.String({
      default: '',
      description:
        "The operator's credential for the admin interface. Commands also accept a member's token here. Empty: generated at the first start and kept in `data-dir`, where commands on this machine find it.",
    }),
    {
      allowed: '32 to 200 visible ASCII characters',
      accepts: (text) => text === '' || /^[\x21-\x7e]{32,200}$/.test(text),
      secret: true,
      convert: toTextOrNull,
    },
  ),
  'rest-port': port(8787, 'Port of the REST interface, its documentation and the health checks'),
  'admin-port': port(8788, 'Port of the admin interface'),
  'landing-address': address(
    'on which transactions are landed by JSON-RPC, in addition to `/tx/v1` of the REST port. Port 0: any free port. Empty: on the REST port only.',
    'such as 127.0.0.1:8789 or [::1]:8789',
  ),
  'rpc-port': port(8899, "Port of the embedded network's Solana JSON-RPC"),
  'ws-port': port(8900, "Port of the embedded network's Solana WebSocket subscriptions"),
  'slot-ms': whole(400, 10, 60_000, 'Milliseconds between two slots of the embedded network.'),
  'blockhash-slots': whole(
    150,
    150,
    6_000,
    "Slots in which a blockhash can be used, on the embedded network or on the one of `rpc-url`. Solana's networks have 150. More is for test networks with short slots, where 150 would pass within seconds.",
  ),
  liquidator: onOrOff(
    false,
    'Run the example liquidator of borrow vaults beside the embedded network. It never runs with `production` or `rpc-url`.',
  ),
  keeper: onOrOff(
    true,
    'Fill orders that wait for a price, and finish what other instances left. Turn it off for an instance that only serves them, beside one with `sluice keeper`.',
  ),
  portal: onOrOff(
    true,
    'Serve the portal, the pages for people, at `/portal` of the REST port and of the admin port.',
  ),
  'keyless-limit': whole(
    30,
    0,
    1_000_000,
    'Requests of a caller without a key in any 60 seconds. 0: a key is required, except for health checks and the documentation.',
  ),
  'keyless-local-limit': whole(
    3_000,
    0,
    1_000_000,
    'The same for callers on this machine, on the embedded network without `production`, so that a sandbox does not refuse its user. Otherwise `keyless-limit` holds for them too.',
  ),
  'max-requests': whole(
    1_000,
    1,
    100_000,
    'Requests that are handled at once, of which each caller has a share. Executions, which wait for the network, and transactions that clients land are counted separately, each up to the same number.',
  ),
  'max-waiting-requests': whole(
    1_000,
    0,
    100_000,
    'Requests of each kind that may wait for a place, for at most 2 seconds. Further requests are answered with 503.',
  ),
  'max-event-streams': whole(
    1_000,
    1,
    100_000,
    'Streams of server-sent events that may be open at once. Each caller has a share of them, and at most 100.',
  ),
  'stop-delay-ms': whole(
    0,
    0,
    300_000,
    'Milliseconds for which a stopping instance still accepts requests while `/readyz` already answers 503. Set it to the time that a load balancer needs to notice.',
  ),
  'stop-timeout-ms': whole(
    30_000,
    0,
    300_000,
    'Milliseconds that requests and executions in flight may take to finish when an instance stops.',
  ),
  ...OBSERVATION_SETTINGS,
  ...STATE_SETTINGS,
  'trusted-proxy': setting(
    repeatable(
      'Address or network of a proxy whose `x-forwarded-for` is trusted. Callers without a key are limited by the address in that header.',
    ),
    {
      allowed: 'an IP address, or a network such as 10.0.0.0/8 that does not hold every address',
      accepts: isNetwork,
      field: 'trustedProxies',
    },
  ),
  'country-database': file(
    'MaxMind database (.mmdb) in which firewall rules and the request log look up the country of an address. It is read at the start.',
  ),
  'network-database': file(
    'MaxMind database (.mmdb) in which the request log looks up the autonomous system (ASN) of an address. It is read at the start.',
  ),
  'country-header': setting(
    Type.String({
      default: '',
      description:
        'Header in which a trusted proxy sends the country of the caller, as two capital letters. It takes precedence over the database. Empty: none.',
    }),
    {
      allowed: 'the name of a header',
      accepts: (name) => /^[A-Za-z0-9-]{0,64}$/.test(name),
      convert: (name) => toTextOrNull(name.toLowerCase()),
    },
  ),
  'log-days': whole(184, 1, 3_660, 'Days for which the request log, usage and analytics are kept.'),
  'log-level': setting(
    Type.Union(
      LOG_LEVELS.map((level) => Type.Literal(level)),
      {
        default: 'info',
        description: 'Lowest severity that is logged. The log is written to standard error.',
      },
    ),
    { allowed: `one of ${LOG_LEVELS.join(', ')}` },
  ),
  'log-format': setting(
    Type.Union(
      LOG_FORMATS.map((format) => Type.Literal(format)),
      {
        default: 'auto',
        description:
          'Form of the log: JSON lines, or lines for a person (`pretty`). `auto`: for a person on a terminal, JSON otherwise.',
      },
    ),
    { allowed: `one of ${LOG_FORMATS.join(', ')}` },
  ),
  production: onOrOff(
    false,
    'Refuse everything that exists for tests: the demo organisation and its key, the demo maker, moving the clock, faults, snapshots and the faucet.',
  ),
  ...LOADED_SETTINGS,
};

const WIRE_SETTINGS = {
  'wire-key-prefix': setting(
    Type.String({
      pattern: '^[a-z][a-z0-9]{0,15}_$',
      default: 'jup_',
      description: 'Prefix of every API key.',
    }),
    {
      allowed: 'a lowercase letter, at most 15 more lowercase letters and digits, and an underscore',
      field: 'keyPrefix',
    },
  ),
};

/**
 * Every setting with its default, its bounds, its description and its field. The command line, the environment variables,
 * the configuration file, `Config` and docs/configuration.md are derived from this table.
 */
export const SETTINGS = {
  ...GENERAL_SETTINGS,
  ...TRANSPORT_SETTINGS,
  ...MAKERS_SETTINGS,
  ...SPONSOR_SETTINGS,
  ...HOUSE_SETTINGS,
  ...TOKEN_SETTINGS,
  ...TRIGGER_SETTINGS,
  ...PREDICTION_SETTINGS,
  ...FORECAST_SETTINGS,
  ...GAS_SETTINGS,
  ...CUSTODY_SETTINGS,
  ...SEND_SETTINGS,
  ...LAUNCH_SETTINGS,
  ...STUDIO_SETTINGS,
  ...OUTSIDE_SETTINGS,
  ...WIRE_SETTINGS,
};

/** The settings of the fields of `Config` that are not in one of its parts. */
export const DIRECT_SETTINGS = { ...GENERAL_SETTINGS, ...TOKEN_SETTINGS, ...WIRE_SETTINGS };

export type SettingName = keyof typeof SETTINGS;
export type Settings = SettingValues<typeof SETTINGS>;

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

/** The length of the prefix of IPv4-mapped IPv6 addresses. */
const MAPPED_BITS = 96;
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', MAPPED_BITS, 'ipv6');

function isNetwork(text: string): boolean {
  const [, address = '', length] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0 || length === undefined) return version !== 0;
  // If every address were a trusted proxy, every caller could choose its address.
  const least = version === 6 && mapped.check(address, 'ipv6') ? MAPPED_BITS + 1 : 1;
  return Number(length) >= least && Number(length) <= (version === 4 ? 32 : 128);
}
